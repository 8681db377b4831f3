/** Failing tests: which one is meant, and its input, found by the server, chosen where there are several, and reduced. */

import * as vscode from "vscode";
import { count } from "./panel/counts";
import { label } from "./panel/inert";
import { type Place, placeIn } from "./place";
import type { Server } from "./server";

/** Which test: as the server's code lenses and actions say it. */
export interface TestPlace extends Partial<Place> {
  readonly uri: string;
  readonly test?: string;
}

/** What the menus of the Testing view give: a test, or the message of its failure. */
type FromMenu = TestPlace | vscode.TestItem | { readonly test: vscode.TestItem };

interface Candidate {
  readonly candidate: string;
  readonly uri: string;
  readonly label: string;
  readonly range: Place["range"] | null;
  readonly text: string;
  readonly language: string;
  readonly likely: boolean;
}

/** Does something about a test: the one in a menu, of a lens, or at the cursor. */
export async function onTest(given: FromMenu | undefined, act: (test: TestPlace) => Promise<void>): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const atCursor = editor === undefined ? undefined : placeIn(editor);
  const test = given === undefined ? atCursor : placeOf(given);
  if (test === undefined) {
    void vscode.window.showInformationMessage("Open the failing test in an editor first.");
    return;
  }
  await vscode.workspace.openTextDocument(vscode.Uri.parse(test.uri));
  await act(test);
}

/** Reduces the input that a test fails on. */
export async function reduceTest(server: Server, place: TestPlace): Promise<void> {
  const answer = (await server.execute("boildown.candidates", place)) as { candidates?: readonly Candidate[] } | undefined;
  const found = answer?.candidates ?? [];
  const likely = found.filter((each) => each.likely);
  const chosen = likely.length === 1 ? likely[0] : await choose(found);
  if (chosen !== undefined) {
    await show(chosen);
    await server.execute("boildown.reduce", { uri: chosen.uri, candidate: chosen.candidate });
  }
}

function placeOf(given: FromMenu): TestPlace | undefined {
  if (!("uri" in given)) {
    return placeOf(given.test);
  }
  if (!("children" in given)) {
    return given;
  }
  const { uri, range } = given;
  return uri === undefined || range === undefined ? undefined : { uri: uri.toString(), range: { start: range.start, end: range.start } };
}

/** Lets the user choose; the input that is looked at is shown in its document. */
async function choose(found: readonly Candidate[]): Promise<Candidate | undefined> {
  if (found.length === 0) {
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

async function show({ uri, range }: Candidate): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const selection = range === null ? {} : { selection: new vscode.Range(position(range.start), position(range.end)) };
  await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true, ...selection });
}

function position({ line, character }: Place["range"]["start"]): vscode.Position {
  return new vscode.Position(line, character);
}
