/** Where in which document a command of the server is to act. */

import type { Range, TextEditor } from "vscode";

export interface Place {
  readonly uri: string;
  readonly version: number;
  readonly range: Pick<Range, "start" | "end">;
}

/** The selection of an editor, or its cursor. */
export function placeIn({ document, selection }: TextEditor): Place {
  return {
    uri: document.uri.toString(),
    version: document.version,
    range: { start: selection.start, end: selection.end },
  };
}
