/** Asks for the test command of the document in front; the server writes it down and goes on with it. */

import * as vscode from "vscode";
import { visible } from "./panel/inert";
import { placeIn } from "./place";
import type { Server } from "./server";

export async function setTestCommand(server: Server): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void vscode.window.showInformationMessage("Open the failing input in an editor first.");
    return;
  }
  const { uri, range } = placeIn(editor);
  const file = visible(vscode.workspace.asRelativePath(editor.document.uri, false), "");
  const command = await vscode.window.showInputBox({
    title: `Test command for ${file}`,
    prompt: "Paste the command that fails. Boildown puts what it tries in the place of the file, and keeps the command in boildown.toml.",
    placeHolder: `python -m mytool ${file}`,
    validateInput: (value) => (value.trim() === "" ? "Paste the command that fails." : undefined),
    ignoreFocusOut: true,
  });
  if (command !== undefined) {
    await server.execute("boildown.configure", { uri, range, command: command.trim() });
  }
}
