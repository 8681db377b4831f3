/** Failing tests: which are meant, and the input of each, found by the server, chosen where there are several, and reduced. */

import * as vscode from "vscode";
import { isFree } from "./attention";
import { count } from "./panel/counts";
import { label } from "./panel/inert";
import { type Place, placeIn } from "./place";
import type { Server } from "./server";
import { ask } from "./told";

const CHOOSE = "Choose…";

/** Which test: as the server's code lenses and actions say it. */
export interface TestPlace extends Partial<Place> {
  readonly uri: string;
  readonly test?: string;
  /** Whether there may be several failed tests below it. */
  readonly isGroup?: boolean;
}

/** What the menus of the Testing view give: a test, or the message of its failure. */
type FromMenu = TestPlace | vscode.TestItem | { readonly test: vscode.TestItem };

/** The end of a job, in the answer to its command. */
interface Ended {
  readonly state?: string;
}

interface Candidate {
  readonly candidate: string;
  readonly uri: string;
  readonly label: string;
  readonly range: Place["range"] | null;
  readonly text: string;
  readonly language: string;
  readonly likely: boolean;
}

/** Does something about tests: the one in a menu, of a lens, or at the cursor, or the failed ones below it. */
export async function onTests(server: Server, given: FromMenu | undefined, act: (tests: readonly TestPlace[]) => Promise<void>): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const atCursor = editor === undefined ? undefined : placeIn(editor);
  const place: TestPlace | undefined = given === undefined ? atCursor : placeOf(given);
  if (place === undefined) {
    void vscode.window.showInformationMessage("Open the failing test in an editor first.");
    return;
  }
  await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
  await act(place.isGroup === true ? await failedBelow(server, place) : [place]);
}

/** Does something about one of several tests, which the user chooses. */
export async function withOne(tests: readonly TestPlace[], act: (test: TestPlace) => Promise<void>): Promise<void> {
  const items = tests.map((place) => ({ label: label(place.test ?? ""), place }));
  const chosen = items.length > 1 ? await vscode.window.showQuickPick(items, { title: "Failed Tests", placeHolder: "Choose the test" }) : items[0];
  if (chosen !== undefined) {
    await act(chosen.place);
  }
}

/** Reduces the inputs that tests fail on, one after the other. All are found first, while the files are as they were run. */
export async function reduceTests(server: Server, tests: readonly TestPlace[]): Promise<void> {
  const all: Candidate[] = [];
  for (const test of tests) {
    const answer = (await server.execute("boildown.candidates", test)) as Ended & { candidates?: readonly Candidate[] } | undefined;
    const found = answer?.candidates ?? [];
    const likely = found.filter((each) => each.likely);
    const chosen = likely.length === 1 ? likely[0] : await choose(found);
    if (answer?.state === "cancelled") {
      return;
    }
    all.push(...(chosen === undefined ? [] : [chosen]));
  }
  for (const { uri, candidate, range } of all) {
    // The server works on documents that are open, be they shown or not.
    await (isFree() ? show({ uri, range }) : vscode.workspace.openTextDocument(vscode.Uri.parse(uri)));
    const ended = (await server.execute("boildown.reduce", { uri, candidate })) as Ended | undefined;
    if (ended?.state === "cancelled") {
      return;
    }
  }
}

function placeOf(given: FromMenu): TestPlace | undefined {
  if (!("uri" in given)) {
    return placeOf(given.test);
  }
  if (!("children" in given)) {
    return given;
  }
  const { id, uri, range, children } = given;
  if (uri === undefined) {
    return undefined;
  }
  if (range !== undefined && children.size === 0) {
    return { uri: uri.toString(), range: { start: range.start, end: range.start } };
  }
  // An item with others below it is a file, a class or a parametrized function: its id ends as pytest's does.
  const name = /\.py::(.+)$/.exec(id)?.[1];
  return { uri: uri.toString(), ...(name === undefined ? {} : { test: name }), isGroup: true };
}

/** The failed tests of a file, of a class or of a parametrized function. */
async function failedBelow(server: Server, { uri, test }: TestPlace): Promise<readonly TestPlace[]> {
  const answer = (await server.execute("boildown.failedTests", { uri, test })) as { tests?: readonly string[] } | undefined;
  return (answer?.tests ?? []).map((each) => ({ uri, test: each }));
}

/** Lets the user choose; the input that is looked at is shown in its document. */
async function choose(found: readonly Candidate[]): Promise<Candidate | undefined> {
  if (found.length === 0) {
    return undefined;
  }
  if (!isFree() && (await ask(`${count(found.length, "input")} of the failing test may matter`, [CHOOSE])) !== CHOOSE) {
    return undefined;
  }
  const items = found.map((candidate) => ({
    label: label(candidate.label),
    description: `${count(Buffer.byteLength(candidate.text), "byte")} of ${candidate.language}`,
    detail: label(candidate.text.replace(/\s+/g, " ").slice(0, 120)),
    candidate,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Inputs of the failing test",
    placeHolder: "Choose the input to reduce",
    matchOnDetail: true,
    onDidSelectItem: (item) => void show((item as (typeof items)[number]).candidate),
  });
  return chosen?.candidate;
}

async function show({ uri, range }: Pick<Candidate, "uri" | "range">): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  // In a text that was edited since, it stands elsewhere.
  const selection = range === null || document.isDirty ? {} : { selection: new vscode.Range(position(range.start), position(range.end)) };
  await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true, ...selection });
}

function position({ line, character }: Place["range"]["start"]): vscode.Position {
  return new vscode.Position(line, character);
}
