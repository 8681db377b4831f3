/** What can be done at the cursor, for the menus: the server's code actions there tell it. */

import * as vscode from "vscode";
import { DOCUMENTS } from "./documents";
import { type Place, placeIn } from "./place";

/** Milliseconds without a change after which the server is asked. */
const QUIET = 200;
const KIND = "quickfix.boildown";

/** The contexts of the menus, each with the kinds of actions that show it. */
const CONTEXTS: Readonly<Record<string, readonly string[]>> = {
  "boildown.testKnown": ["reduce"],
  "boildown.reduced": ["restore", "explain", "apply"],
  "boildown.undoable": ["restore"],
  "boildown.offered": ["discard"],
  "boildown.located": ["debug"],
  "boildown.reportable": ["report"],
  "boildown.patternKnown": ["instantiate"],
};

/** Returns the kinds of the actions of a branch of kinds at a place. */
export type AskKinds = (place: Place, branch: string) => Promise<readonly string[]>;

/** Keeps the contexts true for the cursor in front. */
export class State implements vscode.Disposable {
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions = [
    vscode.window.onDidChangeActiveTextEditor(() => { this.later(); }),
    vscode.window.onDidChangeTextEditorSelection(() => { this.later(); }),
    vscode.workspace.onDidChangeTextDocument(() => { this.later(); }),
  ];

  constructor(private readonly kinds: AskKinds) {}

  /** Has the server asked soon, after what may have changed its answer. */
  later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), QUIET);
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private async look(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const isOurs = editor !== undefined && vscode.languages.match(DOCUMENTS, editor.document) > 0;
    const found = isOurs ? await this.kinds(placeIn(editor), KIND) : [];
    for (const [name, kinds] of Object.entries(CONTEXTS)) {
      const value = kinds.some((kind) => found.includes(`${KIND}.${kind}`));
      void vscode.commands.executeCommand("setContext", name, value);
    }
  }
}
