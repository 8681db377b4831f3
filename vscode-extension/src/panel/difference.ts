/** The text with what was removed from it. */

import { diffArrays } from "diff";
import { count } from "./counts";

/** Beyond this, comparing takes longer than anyone would wait for a picture. */
const LONGEST = 60_000;
const PATIENCE_MS = 150;
/** Characters at each end of a part that are shown where it is long; few of what was removed, so that what is left can be found. */
const END = { removed: 20, kept: 10_000, added: 10_000 };

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
    const show = (piece: string): Shown[] => (kind === "removed" ? struck(piece) : [{ kind, text: piece }]);
    const end = END[kind];
    // What would be left out has to be worth the words that say so.
    if (text.length <= 4 * end) {
      return show(text);
    }
    const omitted = count(text.length - 2 * end, "character");
    return [...show(text.slice(0, end)), { kind: "omitted", text: ` ⋯ ${omitted} ⋯ ` }, ...show(text.slice(-end))];
  });
}

/** White space at the ends of lines stays, which keeps the layout, but is not struck through. */
function struck(removed: string): Shown[] {
  return removed
    .split(/(^\s+|\s*\n\s*|\s+$)/)
    .filter((piece) => piece !== "")
    .map((text) => ({ kind: text.trim() === "" ? "kept" : "removed", text }));
}
