/** Head and tail of a text that is too long to be compared as a whole. */

import { count } from "./panel/counts";

/** Beyond this the editor takes long to compare, or shows a warning in the place of the text. */
const LONGEST = 200_000;
const END = 20_000;

export function isLong(text: string): boolean {
  return text.length > LONGEST;
}

/** The text, or of a long one its head and its tail with a line between them that says what is missing. */
export function excerpt(text: string): string {
  if (!isLong(text)) {
    return text;
  }
  return `${text.slice(0, END)}\n\n⋯ ${count(text.length - 2 * END, "character")} not shown ⋯\n\n${text.slice(-END)}`;
}
