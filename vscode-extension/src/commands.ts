/** The commands of the palette. Those about a document hand it to the server, which decides. */

import * as vscode from "vscode";
import type { Server } from "./server";
import { isFree } from "./attention";
import { setTestCommand } from "./configure";
import { debugSmallest } from "./debug";
import { onTests, reduceTests, withOne } from "./failingTest";
import { reduceFolder, reduceProject } from "./folder";
import { showHistory } from "./history";
import type { LanguageStatus } from "./languageStatus";
import { openLive } from "./live";
import type { PatternAction, PatternPlace, Tree } from "./panel/messages";
import { forwarded, type OWN_COMMANDS } from "./ownCommands";
import { nameOf } from "./panel/names";
import type { Panel } from "./panel/panel";
import { type Place, placeIn } from "./place";
import { type Handlers, register } from "./register";
import { openSample } from "./sample";
import { ask } from "./told";

export function registerCommands(
  context: vscode.ExtensionContext,
  server: Server,
  panel: Panel,
  languages: LanguageStatus,
  log: vscode.LogOutputChannel,
): vscode.Disposable[] {
  const own: Handlers<(typeof OWN_COMMANDS)[number]> = {
    reduceFolder: (given) => reduceFolder(server, given),
    reduceTest: (given) => onTests(server, given, (tests) => reduceTests(server, tests)),
    reduceProject: (given) => onTests(server, given, (tests) => withOne(tests, (test) => reduceProject(server, test))),
    writeTest: () => onDocument((place) => writeTest(server, place)),
    copyReport: () => onDocument((place) => copyReport(server, place)),
    tree: () => onDocument((place) => showTree(server, panel, place)),
    explain: (given?: Place) => (given === undefined ? onDocument((place) => explain(server, place)) : explain(server, given)),
    debug: (given?: { readonly uri: string }) => (given === undefined ? onDocument((place) => debugSmallest(server, place)) : debugSmallest(server, given)),
    history: () => onDocument((place) => showHistory(server, place)),
    setTestCommand: () => setTestCommand(server),
    more: () => vscode.commands.executeCommand("editor.action.codeAction", { kind: "quickfix.boildown", apply: "never" }),
    live: () => onDocument((place) => openLive(server, place)),
    cancel: () => cancel(server),
    openSample: () => openSample(context),
    reduceSample: async () => {
      await openSample(context);
      await onDocument((place) => server.execute("boildown.reduce", place));
    },
    installLanguages: () => languages.install(),
    restart: () => server.restart(),
    showLog: () => { log.show(); },
  };
  const { contributes } = context.extension.packageJSON as { contributes: { commands: { command: string }[] } };
  const names = forwarded(contributes.commands);
  const others = names.map((name) => [name, () => onDocument((place) => server.execute(`boildown.${name}`, place))] as const);
  return [...register(own), ...register(Object.fromEntries(others))];
}

/** Does what a button beside a pattern says. */
export async function runOnPattern(server: Server, panel: Panel, { uri, start, end }: PatternPlace, action: PatternAction): Promise<void> {
  const place = { uri, range: { start, end } };
  switch (action) {
    case "instantiate":
      await server.execute("boildown.instantiate", place);
      break;
    case "writeTest":
      await writeTest(server, place);
      break;
    case "tree":
      await showTree(server, panel, place);
      break;
    case "copyReport":
      await copyReport(server, place);
      break;
  }
}

async function onDocument(act: (place: Place) => Promise<unknown>): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void vscode.window.showInformationMessage("Open the failing input in an editor first.");
    return;
  }
  await act(placeIn(editor));
}

async function writeTest(server: Server, place: Place): Promise<void> {
  await server.execute("boildown.instantiate", { ...place, form: "pytest" });
}

async function copyReport(server: Server, place: Place): Promise<void> {
  const report = (await server.execute("boildown.report", place)) as { markdown?: string } | undefined;
  if (report?.markdown === undefined) {
    return;
  }
  await vscode.env.clipboard.writeText(report.markdown);
  if ((await ask("The bug report is on the clipboard", ["Open"])) === "Open") {
    await server.execute("boildown.report", { ...place, open: true });
  }
}

async function showTree(server: Server, panel: Panel, place: Place): Promise<void> {
  const tree = (await server.execute("boildown.tree", place)) as ({ state: string } & Tree) | undefined;
  if (tree?.state === "done") {
    const { language, text, rows, holes } = tree;
    panel.showTree({ uri: place.uri, name: nameOf(place.uri), language, text, rows, holes });
  }
}

/** Has the server find out why nothing more can go, and shows what it says at the cursor. */
async function explain(server: Server, place: Place): Promise<void> {
  const answer = (await server.execute("boildown.explain", place)) as { state?: string } | undefined;
  if (answer?.state === "done" && isFree() && vscode.window.activeTextEditor?.document.uri.toString() === place.uri) {
    await vscode.commands.executeCommand("editor.action.showHover");
  }
}

/** Cancels the job of the document in front, or all jobs when no document is. */
async function cancel(server: Server): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  await server.execute("boildown.cancel", uri === undefined ? undefined : { uri });
}
