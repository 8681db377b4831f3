/** The text with what was removed from it. */

import { type ChangeObject, diffWordsWithSpace } from "diff";

/** Beyond this, comparing takes longer than anyone would wait for a picture. */
const LONGEST = 60_000;
const PATIENCE_MS = 150;

/** The parts in order, or undefined when comparing them takes too long. */
export function difference(before: string, after: string): ChangeObject<string>[] | undefined {
  return before.length > LONGEST ? undefined : diffWordsWithSpace(before, after, { timeout: PATIENCE_MS });
}

/** A removed part longer than this is shown by its ends, so that what is left can be found. */
const SHOWN = 80;

/** A removed part in short. */
export function abridged(removed: string): string {
  if (removed.length <= SHOWN) {
    return removed;
  }
  const end = SHOWN / 4;
  const count = (removed.length - 2 * end).toLocaleString("en");
  return `${removed.slice(0, end)}⋯ ${count} characters ⋯${removed.slice(-end)}`;
}
