/** The holes of a pattern in the text: one lights up where it is pointed at, here or elsewhere. */

import * as vscode from "vscode";
import { DOCUMENTS } from "../documents";
import type { PatternPlace } from "./messages";
import type { Span } from "./pattern";

/** The pattern that is looked at, with its place in a document. */
export interface Placed {
  readonly place: PatternPlace;
  readonly text: string;
  readonly spans: readonly Span[];
}

export class Lights implements vscode.Disposable {
  private readonly decoration = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightStrongBackground"),
    border: "1px solid",
    borderColor: new vscode.ThemeColor("charts.orange"),
  });
  /** The editor tells nobody that the mouse rests on a text, but asks what there is to say of it. */
  private readonly registration = vscode.languages.registerHoverProvider(DOCUMENTS, {
    provideHover: (document, position) => {
      this.pointed(document, position);
      return undefined;
    },
  });

  constructor(
    private readonly looked: () => Placed | undefined,
    private readonly light: (uri: string, hole: number | null) => void,
  ) {}

  /** Lights up the places of a hole in the text, and nothing else. */
  show(hole: number | null): void {
    const placed = this.looked();
    for (const editor of vscode.window.visibleTextEditors) {
      const ranges = placed === undefined ? [] : found(placed, editor.document).filter((each) => each.hole === hole);
      editor.setDecorations(this.decoration, ranges.map(({ range }) => range));
    }
  }

  dispose(): void {
    this.registration.dispose();
    this.decoration.dispose();
  }

  private pointed(document: vscode.TextDocument, position: vscode.Position): void {
    const placed = this.looked();
    if (placed?.place.uri === document.uri.toString()) {
      const hole = found(placed, document).find(({ range }) => range.contains(position))?.hole ?? null;
      this.light(placed.place.uri, hole);
    }
  }
}

/** Where the holes are in a document, if that holds the pattern's text letter by letter. */
function found({ place, text, spans }: Placed, document: vscode.TextDocument): { hole: number; range: vscode.Range }[] {
  const { uri, start, end } = place;
  const input = new vscode.Range(start.line, start.character, end.line, end.character);
  if (uri !== document.uri.toString() || document.getText(input) !== text) {
    return [];
  }
  const from = document.offsetAt(input.start);
  return spans.map(({ hole, start, end }) => ({
    hole,
    range: new vscode.Range(document.positionAt(from + start), document.positionAt(from + end)),
  }));
}
