/** The commands of the palette. Those about a document hand it to the server, which decides. */

import * as vscode from "vscode";
import type { Server } from "./client";
import { setTestCommand } from "./configure";
import { openSample } from "./sample";

/** Our command, and the server's that it stands for: one id can't be registered by both. */
const ON_DOCUMENT = {
  "boildown.ui.reduce": "boildown.reduce",
  "boildown.ui.generalize": "boildown.generalize",
  "boildown.ui.instantiate": "boildown.instantiate",
  "boildown.ui.explain": "boildown.explain",
  "boildown.ui.history": "boildown.history",
} as const;

export function registerCommands(
  context: vscode.ExtensionContext,
  server: Server,
  log: vscode.LogOutputChannel,
): vscode.Disposable[] {
  const { registerCommand } = vscode.commands;
  return [
    ...Object.entries(ON_DOCUMENT).map(([ours, servers]) =>
      registerCommand(ours, () => runOnDocument(server, servers)),
    ),
    registerCommand("boildown.ui.cancel", () => cancel(server)),
    registerCommand("boildown.ui.setTestCommand", setTestCommand),
    registerCommand("boildown.ui.openSample", () => openSample(context)),
    registerCommand("boildown.ui.reduceSample", async () => {
      await openSample(context);
      await runOnDocument(server, "boildown.reduce");
    }),
    registerCommand("boildown.ui.restart", () => server.restart()),
    registerCommand("boildown.ui.showLog", () => { log.show(); }),
  ];
}

async function runOnDocument(server: Server, command: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void vscode.window.showInformationMessage("Open the failing input in an editor first.");
    return;
  }
  const { document, selection } = editor;
  await server.execute(command, {
    uri: document.uri.toString(),
    version: document.version,
    range: { start: selection.start, end: selection.end },
  });
}

/** Cancels the job of the document in front, or all jobs when no document is. */
async function cancel(server: Server): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  await server.execute("boildown.cancel", uri === undefined ? undefined : { uri });
}
