/** The commands of the palette. Those about a document hand it to the server, which decides. */

import * as vscode from "vscode";
import type { Server } from "./server";
import { setTestCommand } from "./configure";
import { showHistory } from "./history";
import { type Place, placeIn } from "./place";
import { openSample } from "./sample";

/** Our command, and the server's that it stands for: one id can't be registered by both. */
const ON_DOCUMENT = {
  "boildown.ui.reduce": "boildown.reduce",
  "boildown.ui.generalize": "boildown.generalize",
  "boildown.ui.instantiate": "boildown.instantiate",
} as const;

export function registerCommands(
  context: vscode.ExtensionContext,
  server: Server,
  log: vscode.LogOutputChannel,
): vscode.Disposable[] {
  const { registerCommand } = vscode.commands;
  return [
    ...Object.entries(ON_DOCUMENT).map(([ours, servers]) =>
      registerCommand(ours, () => onDocument((place) => server.execute(servers, place))),
    ),
    registerCommand("boildown.ui.explain", () => onDocument((place) => explain(server, place))),
    registerCommand("boildown.ui.history", () => onDocument((place) => showHistory(server, place))),
    registerCommand("boildown.ui.setTestCommand", () => setTestCommand(server)),
    registerCommand("boildown.ui.cancel", () => cancel(server)),
    registerCommand("boildown.ui.openSample", () => openSample(context)),
    registerCommand("boildown.ui.reduceSample", async () => {
      await openSample(context);
      await onDocument((place) => server.execute("boildown.reduce", place));
    }),
    registerCommand("boildown.ui.restart", () => server.restart()),
    registerCommand("boildown.ui.showLog", () => { log.show(); }),
  ];
}

async function onDocument(act: (place: Place) => Promise<unknown>): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void vscode.window.showInformationMessage("Open the failing input in an editor first.");
    return;
  }
  await act(placeIn(editor));
}

/** Has the server find out why nothing more can go, and shows what it says at the cursor. */
async function explain(server: Server, place: Place): Promise<void> {
  const answer = (await server.execute("boildown.explain", { ...place, wait: true })) as { state?: string } | undefined;
  if (answer?.state === "done" && vscode.window.activeTextEditor?.document.uri.toString() === place.uri) {
    await vscode.commands.executeCommand("editor.action.showHover");
  }
}

/** Cancels the job of the document in front, or all jobs when no document is. */
async function cancel(server: Server): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  await server.execute("boildown.cancel", uri === undefined ? undefined : { uri });
}
