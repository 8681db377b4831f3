/** The Boildown panel: shows the latest job as it runs, and the patterns of inputs. */

import * as vscode from "vscode";
import type { ProgressToken } from "vscode-languageclient";
import { isFree } from "../attention";
import { Job } from "./job";
import type { Comparison, FromPage, JobOutcome, JobProgress, PatternAction, PatternFound, PatternPlace, Tab, ToPage, TreeView } from "./messages";
import { Lights } from "./lights";
import { page } from "./page";
import { Patterns } from "./patterns";
import { TreeTab } from "./treeTab";

const VIEW = "boildown.panel";
/** A job that ends sooner than this is not worth a panel that opens by itself. */
const REVEAL_AFTER_MS = 3000;
/** In a window that shows fewer lines of a text than that, the panel would leave too little of it. */
const FEWEST_LINES = 20;

/** What the buttons do. */
export interface Actions {
  cancel(job: Job): void;
  restore(job: Job, text: string): void;
  pattern(place: PatternPlace, action: PatternAction): void;
}

export class Panel implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private job: Job | undefined;
  private readonly patterns = new Patterns();
  private readonly tree: TreeTab;
  private readonly lights = new Lights(() => this.patterns.placed, (uri, hole) => { this.light(uri, hole); });
  private tab: Tab = "job";
  private reveal: NodeJS.Timeout | undefined;
  private readonly registration = vscode.window.registerWebviewViewProvider(VIEW, this);

  constructor(
    private readonly extension: vscode.Uri,
    private readonly actions: Actions,
  ) {
    this.tree = new TreeTab(extension, (uri, { hole }) => { this.light(uri, hole); });
  }

  progress(progress: JobProgress): void {
    if (progress.doing !== "reducing" && progress.doing !== "generalizing") {
      return;
    }
    if (this.job?.token === progress.token) {
      this.job.add(progress);
    } else {
      this.job = new Job(progress);
      this.tab = "job";
      this.post({ kind: "tab", tab: this.tab });
      this.revealLater(this.job);
    }
    this.showJob();
  }

  /** Tells the panel that a job has ended; an undefined token means all of them. */
  ended(token?: ProgressToken): void {
    if (this.job !== undefined && (token === undefined || token === this.job.token)) {
      clearTimeout(this.reveal);
      this.job.end();
      this.showJob();
    }
  }

  /** Takes what the server says at the end of the job on a document. */
  told(uri: string, outcome: JobOutcome): void {
    if (this.job?.uri === uri) {
      this.job.end(outcome);
      this.showJob();
    }
  }

  /** Shows a pattern that was found, or that it holds no longer for its document. */
  found(found: PatternFound): void {
    if (this.patterns.take(found)) {
      this.tab = "pattern";
      if (opensByItself() && isFree()) {
        this.open();
      }
    }
    this.showAll();
  }

  /** Shows a tree that was asked for, in an editor. */
  showTree(tree: TreeView): void {
    this.tree.show(tree);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const out = vscode.Uri.joinPath(this.extension, "out");
    view.webview.options = { enableScripts: true, localResourceRoots: [out] };
    view.webview.onDidReceiveMessage((message: FromPage) => { this.receive(message); });
    view.onDidChangeVisibility(() => { this.showAll(); });
    view.onDidDispose(() => (this.view = undefined));
    view.webview.html = page(
      view.webview,
      vscode.Uri.joinPath(out, "panel.js"),
      vscode.Uri.joinPath(out, "panel.css"),
    );
  }

  dispose(): void {
    clearTimeout(this.reveal);
    vscode.Disposable.from(this.registration, this.tree, this.lights).dispose();
  }

  /** Lights up a hole of the pattern that is looked at in the panel, in the text and in the tree. */
  private light(uri: string, hole: number | null): void {
    if (this.patterns.place?.uri === uri) {
      this.lights.show(hole);
      this.tree.lit(uri, { kind: "light", hole });
      this.post({ kind: "light", hole });
    }
  }

  private revealLater(job: Job): void {
    clearTimeout(this.reveal);
    if (!opensByItself()) {
      return;
    }
    this.reveal = setTimeout(() => {
      if (this.job !== job) {
        return;
      }
      if (isFree()) {
        this.open();
      } else {
        this.revealLater(job);
      }
    }, REVEAL_AFTER_MS);
  }

  private open(): void {
    void vscode.commands.executeCommand(`${VIEW}.focus`, { preserveFocus: true });
  }

  private showJob(): void {
    if (this.job !== undefined) {
      this.post({ kind: "job", job: this.job.view(), ...compared(this.job.compare()) });
    }
  }

  private showPattern(): void {
    this.post({ kind: "pattern", pattern: this.patterns.view, choice: this.patterns.choice });
  }

  private showAll(): void {
    this.showJob();
    this.showPattern();
    this.post({ kind: "tab", tab: this.tab });
  }

  private receive(message: FromPage): void {
    switch (message.kind) {
      case "ready":
        this.showAll();
        break;
      case "tab":
        this.tab = message.tab;
        break;
      case "pattern":
        if (this.patterns.place !== undefined) {
          this.actions.pattern(this.patterns.place, message.action);
        }
        break;
      case "light":
        if (this.patterns.place !== undefined) {
          this.light(this.patterns.place.uri, message.hole);
        }
        break;
      case "choose":
        this.patterns.choose(message.pattern);
        this.showPattern();
        break;
      default:
        if (this.job !== undefined) {
          this.receiveOn(this.job, message);
        }
    }
  }

  private receiveOn(job: Job, message: FromPage): void {
    switch (message.kind) {
      case "cancel":
        this.actions.cancel(job);
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
    if (this.view?.visible === true) {
      void this.view.webview.postMessage(message);
    }
  }
}

function opensByItself(): boolean {
  return !isSmall() && vscode.workspace.getConfiguration("boildown").get<boolean>("revealPanel") !== false;
}

/** Whether the window is small, as far as the editor tells: by the lines that can be seen of a longer text. */
function isSmall(): boolean {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return false;
  }
  const seen = editor.visibleRanges.reduce((lines, { start, end }) => lines + end.line - start.line + 1, 0);
  return seen < FEWEST_LINES && seen < editor.document.lineCount;
}

function compared(comparison: Comparison | undefined): { comparison?: Comparison } {
  return comparison === undefined ? {} : { comparison };
}
