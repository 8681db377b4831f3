/** Shows the server's progress as a notification with a Cancel button. */

import * as vscode from "vscode";
import type { ProgressToken, WorkDoneProgressBegin, WorkDoneProgressReport, WorkDoneProgressEnd } from "vscode-languageclient";

export type ProgressPayload = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

interface Toast {
  report(message: string | undefined, percentage: number | undefined): void;
  close(): void;
}

/** The running jobs, each with its notification. */
export class Toasts {
  private readonly open = new Map<ProgressToken, Toast>();

  constructor(
    private readonly cancel: (token: ProgressToken) => void,
    private readonly changed: (running: number) => void,
  ) {}

  handle(token: ProgressToken, payload: ProgressPayload): void {
    switch (payload.kind) {
      case "begin":
        this.open.get(token)?.close();
        this.open.set(token, showToast(payload, () => { this.cancel(token); }));
        this.changed(this.open.size);
        break;
      case "report":
        this.open.get(token)?.report(payload.message, payload.percentage);
        break;
      case "end":
        this.open.get(token)?.close();
        this.open.delete(token);
        this.changed(this.open.size);
        break;
    }
  }

  /** For a server that went away without a word. */
  closeAll(): void {
    for (const toast of this.open.values()) {
      toast.close();
    }
    this.open.clear();
    this.changed(0);
  }
}

function showToast(begin: WorkDoneProgressBegin, cancel: () => void): Toast {
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => (close = resolve));
  let sink: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  let shown = 0;
  const report = (message: string | undefined, percentage: number | undefined): void => {
    sink?.report({
      ...(message === undefined ? {} : { message }),
      ...(percentage === undefined ? {} : { increment: percentage - shown }),
    });
    shown = percentage ?? shown;
  };
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: begin.title,
    cancellable: begin.cancellable ?? false,
  };
  void vscode.window.withProgress(options, (progress, cancellation) => {
    sink = progress;
    cancellation.onCancellationRequested(cancel);
    report(begin.message, begin.percentage);
    return closed;
  });
  return { report, close };
}
