/** Texts that hold bytes which are no text: each such byte is a lone surrogate, as in Python. */

import { count } from "./counts";

// eslint-disable-next-line no-control-regex -- bytes that no text has
const BYTE = /[\udc80-\udcff\0-\x08\x0e-\x1f\x7f]/gu;
/** From this share of the characters on, a text is shown as bytes. */
const MOSTLY = 0.1;
/** Bytes in a line, which has to fit into a third of the panel. */
const WIDTH = 8;
/** Bytes that are shown at most. */
const MOST = 4096;

export function isBinary(text: string): boolean {
  return text !== "" && (text.match(BYTE)?.length ?? 0) >= MOSTLY * text.length;
}

/** The bytes of a text: offset, hexadecimal digits and what can be read, a line for each eight. */
export function dumped(text: string): string {
  const bytes = Array.from(text).flatMap((each) => {
    const point = each.codePointAt(0) ?? 0;
    return point >= 0xdc80 && point <= 0xdcff ? [point - 0xdc00] : [...new TextEncoder().encode(each)];
  });
  const lines = [];
  for (let at = 0; at < Math.min(bytes.length, MOST); at += WIDTH) {
    const row = bytes.slice(at, at + WIDTH);
    const digits = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(3 * WIDTH - 1);
    const letters = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${digits}  ${letters}`);
  }
  const rest = bytes.length - MOST;
  return [...lines, ...(rest > 0 ? [`⋯ ${count(rest, "byte")} more`] : [])].join("\n");
}
