/** Debugs the smallest input, by the launch configuration that the server gives. */

import * as vscode from "vscode";
import type { Server } from "./server";
import { ask } from "./told";

/** The server's answer to `boildown.debug`. */
interface Answer {
  readonly configuration?: vscode.DebugConfiguration;
  readonly breakpoints?: readonly { readonly uri: string; readonly line: number }[];
}

/** Extensions that debug what the editor itself does not, by the types of their configurations. */
const DEBUGGERS: Readonly<Record<string, string>> = { debugpy: "ms-python.debugpy" };
const SHOW = "Show Configuration";

/** Starts the debugger on the smallest input of a document, with a breakpoint at the first suspect. */
export async function debugSmallest(server: Server, place: { readonly uri: string }): Promise<void> {
  // As the editor saves what is to be debugged: the input is read from the disk.
  await vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === place.uri)?.save();
  const { configuration, breakpoints } = ((await server.execute("boildown.debug", place)) ?? {}) as Answer;
  if (configuration === undefined || breakpoints === undefined) {
    return;
  }
  const needed = DEBUGGERS[configuration.type];
  if (needed !== undefined && vscode.extensions.getExtension(needed) === undefined) {
    if ((await ask(`To debug Python, install the extension ${needed}.`, [SHOW], 2)) === SHOW) {
      const content = JSON.stringify({ version: "0.2.0", configurations: [configuration] }, undefined, 2);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "json", content }));
    }
    return;
  }
  const places = breakpoints.map(({ uri, line }) => new vscode.Location(vscode.Uri.parse(uri), new vscode.Position(line - 1, 0)));
  const known = vscode.debug.breakpoints.flatMap((each) => (each instanceof vscode.SourceBreakpoint ? key(each.location) : []));
  vscode.debug.addBreakpoints(places.filter((each) => !known.includes(key(each))).map((each) => new vscode.SourceBreakpoint(each)));
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(place.uri)), configuration);
}

function key({ uri, range }: vscode.Location): string {
  return `${uri.toString()}:${String(range.start.line)}`;
}
