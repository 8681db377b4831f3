/** The Boildown panel: shows the latest job as it runs. */

import * as vscode from "vscode";
import type { ProgressToken } from "vscode-languageclient";
import { Job } from "./job";
import type { Comparison, FromPage, JobProgress, ToPage } from "./messages";
import { page } from "./page";

const VIEW = "boildown.panel";
/** A job that ends sooner than this is not worth a panel that opens by itself. */
const REVEAL_AFTER_MS = 3000;

/** What the buttons do. */
export interface Actions {
  stop(job: Job): void;
  /** Ends the job, and takes its result without asking. */
  keep(job: Job): void;
  restore(job: Job, text: string): void;
}

export class Panel implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private job: Job | undefined;
  private reveal: NodeJS.Timeout | undefined;
  private readonly registration = vscode.window.registerWebviewViewProvider(VIEW, this);

  constructor(
    private readonly extension: vscode.Uri,
    private readonly actions: Actions,
  ) {}

  progress(progress: JobProgress): void {
    if (this.job?.token === progress.token) {
      this.job.add(progress);
    } else {
      this.job = new Job(progress);
      this.revealLater(this.job);
    }
    this.show();
  }

  /** Tells the panel that a job has ended; an undefined token means all of them. */
  ended(token?: ProgressToken): void {
    if (this.job !== undefined && (token === undefined || token === this.job.token)) {
      clearTimeout(this.reveal);
      this.job.end();
      this.show();
    }
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const out = vscode.Uri.joinPath(this.extension, "out");
    view.webview.options = { enableScripts: true, localResourceRoots: [out] };
    view.webview.onDidReceiveMessage((message: FromPage) => { this.receive(message); });
    view.onDidChangeVisibility(() => { this.show(); });
    view.onDidDispose(() => (this.view = undefined));
    view.webview.html = page(
      view.webview,
      vscode.Uri.joinPath(out, "panel.js"),
      vscode.Uri.joinPath(out, "panel.css"),
    );
  }

  dispose(): void {
    clearTimeout(this.reveal);
    this.registration.dispose();
  }

  private revealLater(job: Job): void {
    clearTimeout(this.reveal);
    if (vscode.workspace.getConfiguration("boildown").get<boolean>("revealPanel") === false) {
      return;
    }
    this.reveal = setTimeout(() => {
      if (this.job === job) {
        void vscode.commands.executeCommand(`${VIEW}.focus`, { preserveFocus: true });
      }
    }, REVEAL_AFTER_MS);
  }

  private show(): void {
    if (this.job !== undefined && this.view?.visible === true) {
      this.post({ kind: "job", job: this.job.view(), ...compared(this.job.compare()) });
    }
  }

  private receive(message: FromPage): void {
    const job = this.job;
    if (job === undefined) {
      return;
    }
    switch (message.kind) {
      case "ready":
        this.show();
        break;
      case "stop":
        this.actions.stop(job);
        break;
      case "keep":
        this.actions.keep(job);
        break;
      case "show": {
        const comparison = job.compare(message.step);
        if (comparison !== undefined) {
          this.post({ kind: "comparison", comparison });
        }
        break;
      }
      case "restore": {
        const comparison = job.compare(message.step);
        if (comparison !== undefined) {
          this.actions.restore(job, comparison.after);
        }
        break;
      }
    }
  }

  private post(message: ToPage): void {
    void this.view?.webview.postMessage(message);
  }
}

function compared(comparison: Comparison | undefined): { comparison?: Comparison } {
  return comparison === undefined ? {} : { comparison };
}
