/** Holes light up together, wherever they are shown: here, in the other page and in the text. */

import { send } from "./page";

/** Gives an element the number of its hole, by which it lights up, and the others with it. */
export function lights(each: HTMLElement | SVGElement, hole: number | null): void {
  each.dataset["number"] = String(hole);
  for (const event of ["pointerenter", "focus"]) {
    each.addEventListener(event, () => { send({ kind: "light", hole }); });
  }
  for (const event of ["pointerleave", "blur"]) {
    each.addEventListener(event, () => { send({ kind: "light", hole: null }); });
  }
}

/** Lights up what has a number, and nothing else. */
export function light(hole: number | null): void {
  for (const each of document.querySelectorAll<HTMLElement | SVGElement>("[data-number]")) {
    each.classList.toggle("lit", each.dataset["number"] === String(hole));
  }
}
