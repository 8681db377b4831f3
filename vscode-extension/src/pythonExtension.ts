/** The Python extension's choice of interpreter, when that extension is installed. */

import * as vscode from "vscode";

interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: { readonly path: string }): Promise<
      { readonly executable: { readonly uri?: vscode.Uri } } | undefined
    >;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

async function api(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  try {
    return await extension?.activate();
  } catch {
    return undefined;
  }
}

/** The path of the selected interpreter. */
export async function selectedPython(folder?: vscode.Uri): Promise<string | undefined> {
  const environments = (await api())?.environments;
  try {
    const environment = await environments?.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
    return environment?.executable.uri?.fsPath;
  } catch {
    return undefined;
  }
}

/** Calls back when another interpreter is selected than before. */
export async function onSelected(listener: () => void): Promise<vscode.Disposable | undefined> {
  // The event also comes when the extension has found out what was selected all along.
  let known = await selectedPython();
  return (await api())?.environments.onDidChangeActiveEnvironmentPath(async () => {
    const now = await selectedPython();
    if (now !== known) {
      known = now;
      listener();
    }
  });
}
