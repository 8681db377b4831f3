/** Which Python is chosen for the server and for the tests, by the settings, the project and the path. */

import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import * as vscode from "vscode";
import { choose, type Interpreter, projectPythons, type Rejected } from "./interpreter";
import { selectedPython } from "./pythonExtension";
import { setting } from "./settings";

/** Where the choice for the tests of this workspace is remembered. */
const CHOSEN = "testInterpreter";

/** The interpreter for the server. A workspace that is not trusted gets no program of its own run. */
export async function findPython(): Promise<Interpreter | Rejected[]> {
  const chosen = setting("interpreter") as string[];
  if (chosen.length > 0) {
    return choose([chosen]);
  }
  return choose((await candidates()).map((path) => [path]));
}

/** All that can be found, in the order in which they are tried. */
export async function candidates(): Promise<string[]> {
  const own = vscode.workspace.isTrusted ? folders().flatMap(projectPythons) : [];
  return [...(await trustedSelection()), ...own, "python3", "python"];
}

/** The Python that runs the project's tests; empty leaves the choice to the server, for each folder. */
export async function testInterpreter(memory: vscode.Memento): Promise<string[]> {
  if (!vscode.workspace.isTrusted) {
    return [];
  }
  const chosen = memory.get<string>(CHOSEN);
  if (chosen !== undefined && (!isAbsolute(chosen) || existsSync(chosen))) {
    return [chosen];
  }
  const selected = await trustedSelection();
  const [folder, ...others] = folders();
  if (selected.length > 0 || folder === undefined || others.length > 0) {
    return selected;
  }
  return projectPythons(folder).slice(0, 1);
}

/** Remembers the Python for the tests of this workspace; undefined forgets it. */
export async function rememberTestInterpreter(memory: vscode.Memento, path: string | undefined): Promise<void> {
  await memory.update(CHOSEN, path);
}

async function trustedSelection(): Promise<string[]> {
  const selected = vscode.workspace.isTrusted ? await selectedPython(vscode.workspace.workspaceFolders?.[0]?.uri) : undefined;
  return selected === undefined ? [] : [selected];
}

function folders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}
