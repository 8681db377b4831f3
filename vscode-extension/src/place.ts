/** Where in which document a command of the server is to act. */

import type { Position, TextEditor } from "vscode";

export interface Place {
  readonly uri: string;
  /** The version that the user sees; absent, whichever is there. */
  readonly version?: number;
  readonly range: Readonly<Record<"start" | "end", Pick<Position, "line" | "character">>>;
}

/** The selection of an editor, or its cursor. */
export function placeIn({ document, selection }: TextEditor): Place {
  return {
    uri: document.uri.toString(),
    version: document.version,
    range: { start: selection.start, end: selection.end },
  };
}
