/** Which Python is chosen for the server and for the tests, by the settings, the project and the path. */

import * as vscode from "vscode";
import { choose, type Interpreter, projectPythons, type Rejected } from "./interpreter";
import { selectedPython } from "./pythonExtension";
import { setting } from "./settings";

/** The interpreter for the server. A workspace that is not trusted gets no program of its own run. */
export async function findPython(): Promise<Interpreter | Rejected[]> {
  const chosen = setting("interpreter") as string[];
  if (chosen.length > 0) {
    return choose([chosen]);
  }
  const selected = await trustedSelection();
  const own = vscode.workspace.isTrusted ? folders().flatMap(projectPythons) : [];
  return choose([...selected, ...own, "python3", "python"].map((path) => [path]));
}

/** The Python that runs the project's tests; empty leaves the choice to the server, for each folder. */
export async function testInterpreter(): Promise<string[]> {
  const selected = await trustedSelection();
  const [folder, ...others] = folders();
  if (selected.length > 0 || folder === undefined || others.length > 0 || !vscode.workspace.isTrusted) {
    return selected;
  }
  return projectPythons(folder).slice(0, 1);
}

async function trustedSelection(): Promise<string[]> {
  const selected = vscode.workspace.isTrusted ? await selectedPython(vscode.workspace.workspaceFolders?.[0]?.uri) : undefined;
  return selected === undefined ? [] : [selected];
}

function folders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}
