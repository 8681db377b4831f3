/** Shows a result beside the document in the diff editor, and applies or discards it. */

import * as vscode from "vscode";
import { isFree } from "./attention";
import { excerpt, isLong } from "./excerpt";
import type { PREVIEW_COMMANDS } from "./ownCommands";
import { label } from "./panel/inert";
import { register } from "./register";
import { act, ask, further } from "./told";

const SCHEME = "boildown";

/** The server's `boildown/preview` notification. */
export interface Preview {
  readonly uri: string;
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
  private count = 0;
  private readonly subscriptions = [
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri.toString())),
    // Whoever has applied a result, there is nothing to compare any more.
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const uri = document.uri.toString();
      void this.close((preview) => preview.uri === uri && preview.text === document.getText());
    }),
    ...register<(typeof PREVIEW_COMMANDS)[number]>({
      apply: () => this.apply(this.inFront()),
      discard: (given?: { readonly uri: string }) => this.discard(given?.uri ?? this.inFront()),
    }),
  ];

  constructor(private readonly execute: (command: string, argument: object) => Promise<unknown>) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    return excerpt(this.shown.get(uri.toString())?.text ?? "");
  }

  /** Opens the comparison and asks; the question can also be answered later, by lenses and the editor's buttons. */
  async offer(preview: Preview): Promise<void> {
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
      await this.apply(preview.uri);
    } else if (answer === "Discard") {
      await this.discard(preview.uri);
    } else {
      await act(answer, preview, (uri, choice) => this.execute("boildown.choose", { uri, choice }));
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

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private async apply(uri: string | undefined): Promise<void> {
    const answer = uri === undefined ? undefined : ((await this.execute("boildown.apply", { uri })) as { state?: string } | undefined);
    if (uri !== undefined && answer?.state === "done") {
      await vscode.window.showTextDocument(vscode.Uri.parse(uri));
    }
  }

  private async discard(uri: string | undefined): Promise<void> {
    if (uri !== undefined) {
      await this.execute("boildown.discard", { uri });
      await this.close((preview) => preview.uri === uri);
    }
  }

  /** Closes the comparisons with some results. */
  private async close(wanted: (preview: Preview) => boolean): Promise<void> {
    const uris = [...this.shown].flatMap(([uri, preview]) => (wanted(preview) ? uri : []));
    if (uris.length > 0) {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      await vscode.window.tabGroups.close(tabs.filter(({ input }) => uris.includes(modified(input)?.toString() ?? "")));
    }
  }

  /** The document whose result is compared in front, or else the one in front. */
  private inFront(): string | undefined {
    const compared = this.shown.get(modified(vscode.window.tabGroups.activeTabGroup.activeTab?.input)?.toString() ?? "");
    return compared?.uri ?? vscode.window.activeTextEditor?.document.uri.toString();
  }
}

function modified(input: unknown): vscode.Uri | undefined {
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === SCHEME ? input.modified : undefined;
}
