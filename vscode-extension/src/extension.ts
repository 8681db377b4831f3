/** Boildown in Visual Studio Code: starts the server and gives it a face. */

import * as vscode from "vscode";
import { Server } from "./client";
import { registerCommands } from "./commands";
import { Panel } from "./panel/panel";
import { Previews } from "./preview";
import { onSelected } from "./pythonExtension";
import { Status } from "./status";

/** Settings that only a new server takes up; the others are told to the running one. */
const NEEDS_RESTART = ["boildown.interpreter", "boildown.importStrategy"];

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Boildown", { log: true });
  const status = new Status();
  const previews = new Previews();
  const panel = new Panel(context.extensionUri, {
    stop: ({ uri }) => void started.execute("boildown.cancel", { uri }),
    keep: ({ uri }) => {
      previews.acceptNext(uri);
      void started.execute("boildown.cancel", { uri });
    },
    restore: ({ uri, token }, text) => void started.execute("boildown.restore", { uri, token, text }),
  });
  const started = new Server(context, log, {
    state: (state) => { status.setState(state); },
    running: (jobs) => { status.setRunning(jobs); },
    progress: (progress) => { panel.progress(progress); },
    ended: (token) => { panel.ended(token); },
    preview: (preview) => void previews.show(preview),
    commands: enable,
  });
  server = started;
  context.subscriptions.push(
    log,
    status,
    previews,
    panel,
    ...registerCommands(context, started, log),
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (NEEDS_RESTART.some((setting) => event.affectsConfiguration(setting))) {
        void started.restart();
      }
    }),
  );
  void onSelected(() => void started.restart()).then((subscription) => {
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

/** Shows in the menus what this server can do: `boildown.reduce` turns on the key `boildown.can.reduce`. */
function enable(commands: readonly string[]): void {
  for (const command of commands) {
    void vscode.commands.executeCommand("setContext", command.replace(/^boildown\./, "boildown.can."), true);
  }
}
