/** The text with what was removed from it. */

import { diffArrays } from "diff";
import { count } from "./counts";

/** Beyond this, comparing takes longer than anyone would wait for a picture. */
const LONGEST = 60_000;
const PATIENCE_MS = 150;
/** A removed part longer than this is shown by its ends, so that what is left can be found. */
const SHOWN = 80;

export interface Part {
  readonly kind: "kept" | "removed" | "added";
  readonly text: string;
}

/** Strings, words, white space, and each other character. */
const TOKEN = /"[^"\n]*"|'[^'\n]*'|\w+|\s+|[^\w\s]/gu;

/** The parts in order, or undefined when comparing them takes too long. */
export function difference(before: string, after: string): Part[] | undefined {
  if (before.length > LONGEST) {
    return undefined;
  }
  const changes = diffArrays(before.match(TOKEN) ?? [], after.match(TOKEN) ?? [], { timeout: PATIENCE_MS });
  return changes?.map(({ value, added, removed }) => ({
    kind: added ? "added" : removed ? "removed" : "kept",
    text: value.join(""),
  }));
}

/** A part as it is shown; of the middle of a long one only the length is. */
export interface Shown {
  readonly kind: Part["kind"] | "omitted";
  readonly text: string;
}

/** The parts as they are shown: without the middle of what is long, and only marks on what can be seen. */
export function legible(parts: readonly Part[]): Shown[] {
  return parts.flatMap(({ kind, text }): Shown[] => {
    if (kind !== "removed") {
      return [{ kind, text }];
    }
    if (text.length <= SHOWN) {
      return struck(text);
    }
    const end = SHOWN / 4;
    const omitted = count(text.length - 2 * end, "character");
    return [...struck(text.slice(0, end)), { kind: "omitted", text: ` ⋯ ${omitted} ⋯ ` }, ...struck(text.slice(-end))];
  });
}

/** White space at the ends of lines stays, which keeps the layout, but is not struck through. */
function struck(removed: string): Shown[] {
  return removed
    .split(/(^\s+|\s*\n\s*|\s+$)/)
    .filter((piece) => piece !== "")
    .map((text) => ({ kind: text.trim() === "" ? "kept" : "removed", text }));
}
