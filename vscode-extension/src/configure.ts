/** Asks for what only the user knows: the test command of the document in front. */

import * as vscode from "vscode";
import { visible } from "./panel/inert";
import { placeIn } from "./place";
import type { Server } from "./server";

/** Asks for the test command; the server writes it down and goes on with it. */
export async function setTestCommand(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void vscode.window.showInformationMessage("Open the failing input in an editor first.");
    return;
  }
  // What was never saved has no place that an entry could name.
  const saved = editor.document.isUntitled ? await vscode.workspace.save(editor.document.uri) : editor.document.uri;
  if (saved === undefined) {
    return;
  }
  const { range } = placeIn(editor);
  const file = visible(vscode.workspace.asRelativePath(saved, false), "");
  const command = await vscode.window.showInputBox({
    title: `Test command for ${file}`,
    prompt: "Paste the command that fails. Boildown puts what it tries in the place of the file, and keeps the command in boildown.toml.",
    placeHolder: `python -m mytool ${file}`,
    validateInput: (value) => (value.trim() === "" ? "Paste the command that fails." : undefined),
    ignoreFocusOut: true,
  });
  if (command !== undefined) {
    await server.execute("boildown.configure", { uri: saved.toString(), range, command: command.trim() });
  }
}
