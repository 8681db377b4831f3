/** Boildown in Visual Studio Code: starts the server and gives it a face. */

import * as vscode from "vscode";
import { Server } from "./client";
import { registerCommands } from "./commands";
import { onSelected } from "./pythonExtension";
import { Status } from "./status";

/** Settings that only a new server takes up; the others are told to the running one. */
const NEEDS_RESTART = ["boildown.interpreter", "boildown.importStrategy"];

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Boildown", { log: true });
  const status = new Status();
  const started = new Server(context, log, status);
  server = started;
  context.subscriptions.push(
    log,
    status,
    ...registerCommands(started, log),
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
