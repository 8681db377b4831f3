/**
 * Text that others wrote, made inert: the input, the program's output, names of files and symbols.
 *
 * There is one function for each medium, as in the server's `boildown/jobs/inert.py`: the panel's
 * page and titles take `visible`, notifications `message`, and labels that may hold icons `label`.
 */

/** Characters that cannot be seen, or that change the order in which others are read. */
const INVISIBLE = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Where a space keeps a text from being a link, an image or an autolink. */
const CLICKABLE = /(?<=\])(?=\()|(?<=<)(?=[A-Za-z][A-Za-z0-9+.-]*:|[^\s<>@]+@)/g;
const ICON = /\$\((?=[A-Za-z0-9-]+(?:~[A-Za-z]+)?\))/g;

/** The text with its invisible characters as escapes, but those to keep, and the ends of lines as everywhere. */
export function visible(text: string, keep = "\n\t"): string {
  const lines = keep.includes("\n") ? text.replace(/\r\n/g, "\n") : text;
  return lines.replace(INVISIBLE, (each) => (keep.includes(each) ? each : escaped(each)));
}

/** A message for a notification, in which the editor would make links clickable, and run commands by them. */
export function message(text: string): string {
  return visible(text).replace(CLICKABLE, " ");
}

/** One line for a place in which the editor shows `$(name)` as an icon. */
export function label(text: string): string {
  return visible(text, "").replace(ICON, "\\$(");
}

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(character: string): string {
  const surrogate = character.codePointAt(0) ?? 0;
  // A byte that is no text comes as a lone surrogate, as in Python.
  const point = surrogate >= 0xdc80 && surrogate <= 0xdcff ? surrogate - 0xdc00 : surrogate;
  const [letter, digits] = point < 0x100 ? ["x", 2] : point < 0x10000 ? ["u", 4] : ["U", 8];
  return NAMED[character] ?? `\\${letter}${point.toString(16).padStart(digits, "0")}`;
}
