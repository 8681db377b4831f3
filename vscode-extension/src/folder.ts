/** Reduces a folder, or the project of a failing test, and shows what is left of its files beside what they were. */

import { basename } from "node:path/posix";
import * as vscode from "vscode";
import { isFree } from "./attention";
import type { TestPlace } from "./failingTest";
import { label } from "./panel/inert";
import type { Server } from "./server";
import { ask } from "./told";

const COMPARE = "Compare";
const OPEN = "Open Folder";

/** The server's answer to `boildown.reduceFolder` and `boildown.reduceProject`. */
interface Answer {
  readonly needs?: string;
  readonly files?: readonly { readonly path: string; readonly bytes: number | null }[];
  /** The URI of the folder that was reduced. */
  readonly uri?: string;
  /** That of the folder with the result. */
  readonly output?: string | null;
}

/** Reduces a folder of the explorer, or else of the workspace; asks for the command where none is configured. */
export async function reduceFolder(server: Server, chosen: unknown): Promise<void> {
  const folder = chosen instanceof vscode.Uri ? chosen : (await vscode.window.showWorkspaceFolderPick())?.uri;
  if (folder === undefined) {
    return;
  }
  const place = { uri: folder.toString() };
  let answer = (await server.execute("boildown.reduceFolder", place)) as Answer | undefined;
  if (answer?.needs === "command") {
    const command = await askForCommand(folder);
    answer = command === undefined ? undefined : ((await server.execute("boildown.reduceFolder", { ...place, command })) as Answer | undefined);
  }
  await show(answer);
}

/** Reduces the project of a failing test to what that fails on. */
export async function reduceProject(server: Server, test: TestPlace): Promise<void> {
  await show((await server.execute("boildown.reduceProject", test)) as Answer | undefined);
}

function askForCommand(folder: vscode.Uri): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: label(`The command that fails in ${basename(folder.path)}`),
    prompt: "Boildown runs it in copies of the folder. To keep it, write it into a boildown.toml there.",
    placeHolder: "python -m pytest tests/test_cart.py::test_total",
    validateInput: (value) => (value.trim() === "" ? "Paste the command that fails." : undefined),
    ignoreFocusOut: true,
  });
}

/** Opens the comparison of all files that are left, and offers the folder that holds them. */
async function show({ files, uri, output }: Answer = {}): Promise<void> {
  if (files === undefined || uri === undefined || typeof output !== "string") {
    return;
  }
  const [before, after] = [vscode.Uri.parse(uri), vscode.Uri.parse(output)];
  const left = files.filter(({ bytes }) => bytes !== null);
  const changes = left.map(({ path }) => {
    const place = vscode.Uri.joinPath(after, path);
    return [place, vscode.Uri.joinPath(before, path), place];
  });
  const name = basename(after.path);
  const compare = (): Thenable<unknown> => vscode.commands.executeCommand("vscode.changes", label(name), changes);
  const isShown = isFree();
  if (isShown) {
    await compare();
  }
  const told = `${name}: ${String(left.length)} of ${String(files.length)} files are left.`;
  const answer = await ask(told, [...(isShown ? [] : [COMPARE]), OPEN]);
  if (answer === COMPARE) {
    await compare();
  } else if (answer === OPEN) {
    await vscode.commands.executeCommand("vscode.openFolder", after, { forceNewWindow: true });
  }
}
