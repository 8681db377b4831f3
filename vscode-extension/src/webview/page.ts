/** The page's elements, and its way back to the extension. */

import { visible } from "../panel/inert";
import type { FromPage } from "../panel/messages";

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

const code = acquireVsCodeApi();

export function send(message: FromPage): void {
  code.postMessage(message);
}

export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`no element ${id}`);
  }
  return found;
}

/** A button that sends a message. */
export function button(id: string, message: () => FromPage): HTMLButtonElement {
  const found = element(id) as HTMLButtonElement;
  found.addEventListener("click", () => { send(message()); });
  return found;
}

/** Shows a text in an element; the text is never read as HTML. */
export function show(id: string, text: string): void {
  element(id).textContent = visible(text);
}

/** A new element with a text; what is in the text is never read as HTML. */
export function create(tag: string, text: string, className = ""): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = visible(text);
  if (className !== "") {
    made.className = className;
  }
  return made;
}

/** Shows the content of a tab in place of the words for an empty one, or the other way round. */
export function fill(tab: string, isFilled: boolean): void {
  element(tab).toggleAttribute("data-empty", !isFilled);
}

/** Tells a screen reader. */
export function announce(text: string): void {
  show("announcement", text);
}
