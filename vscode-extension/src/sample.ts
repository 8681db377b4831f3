/** The sample of the walkthrough: the server's demo, copied to where it may be changed. */

import * as vscode from "vscode";

const CONFIG = '[[input]]\nfiles = ["orders.json"]\ncommand = "python3 receipts.py orders.json"\n';

/** Opens a fresh copy of the sample's failing input. */
export async function openSample(context: vscode.ExtensionContext): Promise<void> {
  const demo = vscode.Uri.joinPath(context.extensionUri, "bundled", "libs", "boildown", "demo");
  const folder = vscode.Uri.joinPath(context.globalStorageUri, "sample");
  await vscode.workspace.fs.createDirectory(folder);
  for (const name of ["orders.json", "receipts.py"]) {
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(demo, name), vscode.Uri.joinPath(folder, name), { overwrite: true });
  }
  await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, "boildown.toml"), Buffer.from(CONFIG));
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, "orders.json"), { preview: false });
}
