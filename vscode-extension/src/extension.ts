/** Boildown in Visual Studio Code: starts the server and gives it a face. */

import * as vscode from "vscode";
import { watchAttention } from "./attention";
import { Server } from "./server";
import { registerCommands, runOnPattern } from "./commands";
import { restore } from "./history";
import { LanguageStatus } from "./languageStatus";
import { Panel } from "./panel/panel";
import { message as inert } from "./panel/inert";
import { placeIn } from "./place";
import { Previews } from "./preview";
import { onSelected } from "./pythonExtension";
import { candidates, rememberTestInterpreter } from "./pythons";
import { State } from "./state";
import { Status } from "./status";
import { missingModule, pythonWith } from "./testPython";
import { tell } from "./told";

/** Settings that only a new server takes up; the others are told to the running one. */
const NEEDS_RESTART = ["boildown.interpreter", "boildown.importStrategy"];

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Boildown", { log: true });
  const status = new Status();
  const choose = (uri: string, choice: string): unknown => started.execute("boildown.choose", { uri, choice });
  const previews = new Previews((command, argument) => started.execute(command, argument));
  const languages = new LanguageStatus(context, log, () => void started.restart());
  const panel = new Panel(context.extensionUri, {
    cancel: ({ uri }) => void started.execute("boildown.cancel", { uri }),
    restore: (job, text) => void restoreInto(started, job.uri, text),
    pattern: (place, action) => void runOnPattern(started, panel, place, action),
  });
  const started = new Server(context, log, {
    state: (now) => {
      status.setState(now);
      state.later();
    },
    running: (jobs) => { status.setRunning(jobs); },
    progress: (progress) => {
      panel.progress(progress);
      status.progress(progress);
    },
    ended: (token) => {
      panel.ended(token);
      state.later();
    },
    preview: (preview) => void previews.offer(preview),
    message: (told) => void tell(told, choose),
    pattern: (found) => {
      panel.found(found);
      state.later();
    },
    told: (uri, outcome) => {
      panel.told(uri, outcome);
      state.later();
    },
    failed: (message, again) => void offerPython(context, started, message, again),
    started: (python) => void languages.look(python),
  });
  const state = new State((place, branch) => started.kinds(place, branch));
  server = started;
  context.subscriptions.push(
    log,
    status,
    languages,
    previews,
    watchAttention(),
    panel,
    state,
    ...registerCommands(context, started, panel, languages, log),
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (NEEDS_RESTART.some((setting) => event.affectsConfiguration(setting))) {
        void started.restart();
      }
    }),
  );
  const selected = async (): Promise<void> => {
    await rememberTestInterpreter(context.workspaceState, undefined);
    await started.restart();
  };
  void onSelected(() => void selected()).then((subscription) => {
    if (subscription !== undefined) {
      context.subscriptions.push(subscription);
    }
  });
  // Not awaited: the editor need not wait for Python.
  void started.restart();
}

export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}

/** Puts an earlier text into a document, at the cursor: the failing input may be a part of it. */
async function restoreInto(server: Server, uri: string, text: string): Promise<void> {
  const editor = await vscode.window.showTextDocument(vscode.Uri.parse(uri));
  await restore(server, placeIn(editor), text);
}

/** When a test lacks a module that another Python has, offers to run the tests with that one. */
async function offerPython(
  context: vscode.ExtensionContext,
  server: Server,
  message: string,
  again: () => void,
): Promise<void> {
  const module = missingModule(message);
  const python = module === undefined ? undefined : await pythonWith(module, await candidates());
  if (module === undefined || python === undefined) {
    return;
  }
  const question = `${python} has the module '${module}' that the test lacked.`;
  if ((await vscode.window.showInformationMessage(inert(question), "Run Tests With It")) !== undefined) {
    await rememberTestInterpreter(context.workspaceState, python);
    await server.restart();
    again();
  }
}
