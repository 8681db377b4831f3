/** Whether somebody is at work in an editor: nothing may open, select or ask in front of them then. */

import * as vscode from "vscode";

/** Milliseconds after the last character or movement in which the user counts as busy. */
const QUIET = 2000;

/** When something was typed, or the cursor was moved by hand, in milliseconds. */
let latest = 0;

/** Looks at what the user does, until it is disposed of. */
export function watchAttention(): vscode.Disposable {
  const { Command } = vscode.TextEditorSelectionChangeKind;
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && document.uri.scheme !== "output") {
        latest = Date.now();
      }
    }),
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      if (kind !== undefined && kind !== Command) {
        latest = Date.now();
      }
    }),
  );
}

/** Whether the user neither types nor moves. */
export function isFree(): boolean {
  return Date.now() - latest > QUIET;
}
