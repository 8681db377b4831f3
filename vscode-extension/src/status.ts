/** The state of the server in the language status menu. */

import * as vscode from "vscode";
import { DOCUMENTS } from "./documents";
import { count, NUMBER } from "./panel/counts";
import type { JobProgress } from "./panel/messages";

export type State = "starting" | "ready" | "stopped";

export class Status implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("boildown", DOCUMENTS);
  private readonly job = vscode.window.createStatusBarItem("job", vscode.StatusBarAlignment.Left);
  private state: State = "stopped";
  private running = 0;

  constructor() {
    this.item.name = this.job.name = "Boildown";
    this.job.command = "boildown.panel.focus";
    this.job.tooltip = "Open the Boildown panel";
  }

  /** Shows how far the job is that has told last. */
  progress({ bytes, bytesBefore }: JobProgress): void {
    if (this.running > 0) {
      const sizes = `${NUMBER.format(bytesBefore)} → ${count(bytes, "byte")}`;
      this.job.text = `$(loading~spin) ${sizes}`;
      this.job.accessibilityInformation = { label: `Boildown: ${sizes}` };
      this.job.show();
    }
  }

  setState(state: State): void {
    this.state = state;
    this.show();
  }

  setRunning(jobs: number): void {
    this.running = jobs;
    void vscode.commands.executeCommand("setContext", "boildown.running", jobs > 0);
    if (jobs === 0) {
      this.job.hide();
    }
    this.show();
  }

  dispose(): void {
    vscode.Disposable.from(this.item, this.job).dispose();
  }

  private show(): void {
    this.item.busy = this.state === "starting" || this.running > 0;
    this.item.text = text(this.state, this.running, vscode.workspace.isTrusted);
    this.item.command =
      this.state === "ready"
        ? { command: "boildown.panel.focus", title: "Open Panel" }
        : { command: "boildown.ui.showLog", title: "Show Log" };
    this.item.severity =
      this.state === "stopped" ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
  }
}

function text(state: State, running: number, trusted: boolean): string {
  if (state !== "ready") {
    return state === "starting" ? "Boildown is starting" : "Boildown is not running";
  }
  if (!trusted) {
    return "Boildown runs nothing in Restricted Mode";
  }
  return running > 0 ? `Boildown: ${running} running` : "Boildown";
}
