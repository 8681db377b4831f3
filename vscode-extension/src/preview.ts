/** Shows a result beside the document in the diff editor, and applies or discards it. */

import * as vscode from "vscode";
import { isFree } from "./attention";
import { excerpt, isLong } from "./excerpt";
import type { PREVIEW_COMMANDS } from "./ownCommands";
import { label, message as inert } from "./panel/inert";
import { register } from "./register";
import { act, ask, type Choose, further } from "./told";

const SCHEME = "boildown";

/** The server's `boildown/preview` notification. */
export interface Preview {
  readonly uri: string;
  /** The version of the document that the result was computed for. */
  readonly version: number;
  /** The whole document with the result in it. */
  readonly text: string;
  /** What came of the job, in a line. */
  readonly message: string;
  /** What else the server can do now. */
  readonly choices: readonly string[];
}

export class Previews implements vscode.TextDocumentContentProvider, vscode.Disposable {
  /** By the string of the URI under which the text is shown. */
  private readonly shown = new Map<string, Preview>();
  private readonly accepted = new Set<string>();
  private count = 0;
  private readonly subscriptions = [
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri.toString())),
    ...register<(typeof PREVIEW_COMMANDS)[number]>({
      apply: () => this.apply(inFront()),
      discard: () => this.discard(inFront()),
    }),
  ];

  constructor(private readonly choose: Choose) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    return excerpt(this.shown.get(uri.toString())?.text ?? "");
  }

  /** Takes the next result for a document without asking. */
  acceptNext(uri: string): void {
    this.accepted.add(uri);
  }

  /** Asks about the next result again; the one that was to be taken went into the document directly. */
  acceptNone(uri: string): void {
    this.accepted.delete(uri);
  }

  async show(preview: Preview): Promise<void> {
    if (this.accepted.delete(preview.uri)) {
      await this.accept(preview);
    } else {
      await this.offer(preview);
    }
  }

  /** Opens the comparison and asks; the question can also be answered later, by the editor's buttons. */
  private async offer(preview: Preview): Promise<void> {
    const before = vscode.Uri.parse(preview.uri);
    const name = before.path.slice(before.path.lastIndexOf("/") + 1);
    // The file's own name gives the text its language, and the number makes the URI unique.
    const after = vscode.Uri.from({ scheme: SCHEME, path: before.path, query: String(++this.count) });
    this.shown.set(after.toString(), preview);
    const compare = async (): Promise<void> => {
      await vscode.commands.executeCommand("vscode.diff", await this.comparable(before, preview), after, label(`${name} (reduced)`));
    };
    const isShown = this.isWaiting(preview.uri);
    if (isShown) {
      await compare();
    }
    const answer = await ask(preview.message, [...(isShown ? [] : ["Compare"]), "Apply", "Discard", ...further(preview.choices)]);
    if (answer === "Compare") {
      await compare();
    } else if (answer === "Apply") {
      await this.apply(after);
    } else if (answer === "Discard") {
      await this.discard(after);
    } else {
      await act(answer, preview, this.choose);
    }
  }

  /** A document that can be compared: of a long one, an excerpt. */
  private async comparable(uri: vscode.Uri, preview: Preview): Promise<vscode.Uri> {
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    if (!isLong(text)) {
      return uri;
    }
    const shown = vscode.Uri.from({ scheme: SCHEME, path: uri.path, query: `${++this.count}` });
    this.shown.set(shown.toString(), { ...preview, text });
    return shown;
  }

  /** Whether the user is still in a document and waits: nothing may come in front otherwise. */
  private isWaiting(uri: string): boolean {
    return vscode.window.activeTextEditor?.document.uri.toString() === uri && isFree();
  }

  /** Puts a result into its document, unless that has changed; says whether it did. */
  private async accept({ uri, version, text }: Preview): Promise<boolean> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    if (document.version !== version) {
      void vscode.window.showWarningMessage(
        inert(`${document.fileName} has changed since it was reduced, so it stays as it is. The result can be copied from the comparison.`),
      );
      return false;
    }
    const edit = new vscode.WorkspaceEdit();
    const end = document.lineAt(document.lineCount - 1).rangeIncludingLineBreak.end;
    edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
    return vscode.workspace.applyEdit(edit);
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private async apply(after: vscode.Uri | undefined): Promise<void> {
    const preview = after === undefined ? undefined : this.shown.get(after.toString());
    if (preview !== undefined && (await this.accept(preview))) {
      await this.discard(after);
      await vscode.window.showTextDocument(vscode.Uri.parse(preview.uri));
    }
  }

  private async discard(after: vscode.Uri | undefined): Promise<void> {
    if (after === undefined) {
      return;
    }
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => modified(input)?.toString() === after.toString());
    await vscode.window.tabGroups.close(tabs);
  }
}

/** The result that the comparison in front shows. */
function inFront(): vscode.Uri | undefined {
  return modified(vscode.window.tabGroups.activeTabGroup.activeTab?.input);
}

function modified(input: unknown): vscode.Uri | undefined {
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === SCHEME ? input.modified : undefined;
}
