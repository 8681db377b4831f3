/** How commands of ours come into the editor. */

import * as vscode from "vscode";

/** What a menu or a code lens gives a command is handed on; one from the palette gets nothing. */
export type Handlers<Name extends string> = Readonly<Record<Name, (given?: never) => unknown>>;

/** Registers commands of ours. Those of the server have other ids, since one can't be registered by both. */
export function register<Name extends string>(handlers: Handlers<Name>): vscode.Disposable[] {
  return Object.entries<(given?: never) => unknown>(handlers).map(([name, act]) =>
    vscode.commands.registerCommand(`boildown.ui.${name}`, (given?: never) => act(given)),
  );
}
