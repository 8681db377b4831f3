/** Asks for the test command of the document in front, and writes it into boildown.toml. */

import { posix } from "node:path";
import * as vscode from "vscode";
import { entry, withEntry } from "./testCommand";

export async function setTestCommand(): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== "file") {
    void vscode.window.showInformationMessage("Open the failing input in an editor first, and save it.");
    return;
  }
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, "..");
  const file = posix.relative(folder.path, uri.path);
  const command = await vscode.window.showInputBox({
    title: `Test command for ${file}`,
    prompt: `The command that fails, as you would type it in ${folder.fsPath}. Boildown puts what it tries in the place of the file.`,
    placeHolder: `python -m mytool ${file}`,
    validateInput: (value) => (value.trim() === "" ? "Paste the command that fails." : undefined),
    ignoreFocusOut: true,
  });
  if (command === undefined) {
    return;
  }
  const config = vscode.Uri.joinPath(folder, "boildown.toml");
  await rewrite(config, (text) => withEntry(text, entry(file, command)));
  const answer = await vscode.window.showInformationMessage(
    `${file} is judged by \`${command.trim()}\` now, says boildown.toml.`,
    "Reduce Now",
    "Open boildown.toml",
  );
  if (answer === "Reduce Now") {
    await vscode.window.showTextDocument(uri);
    await vscode.commands.executeCommand("boildown.ui.reduce");
  } else if (answer !== undefined) {
    await vscode.window.showTextDocument(config);
  }
}

/** Changes a file and saves it; one that is open in an editor keeps its history. */
async function rewrite(uri: vscode.Uri, change: (text: string) => string): Promise<void> {
  const creation = new vscode.WorkspaceEdit();
  creation.createFile(uri, { ignoreIfExists: true });
  await vscode.workspace.applyEdit(creation);
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  edit.replace(uri, all, change(document.getText()));
  await vscode.workspace.applyEdit(edit);
  await document.save();
}
