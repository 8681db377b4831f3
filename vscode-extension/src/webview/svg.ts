/** Takes a picture from a text: only its lines and words, which the page's own style sheet colours. */

import { visible } from "../panel/inert";

const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = new Set(["svg", "g", "line", "path", "rect", "text", "tspan", "title"]);
const ATTRIBUTES = new Set(
  "class width height viewBox x y x1 y1 x2 y2 d rx ry dx dy transform text-anchor".split(" "),
);

/** The picture, without anything that could load, run or style something; undefined if it is none. */
export function drawn(text: string): SVGSVGElement | undefined {
  const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
  return documentElement.localName === "svg" ? (copy(documentElement) as SVGSVGElement) : undefined;
}

/** A tree in the picture has no depth to speak of: its elements are all beside each other. */
function copy(from: Element): SVGElement {
  const made = document.createElementNS(SVG, from.localName);
  for (const { name, value } of from.attributes) {
    if (ATTRIBUTES.has(name)) {
      made.setAttribute(name, value);
    }
  }
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) {
      made.append(visible(child.nodeValue ?? ""));
    } else if (child instanceof Element && child.namespaceURI === SVG && ELEMENTS.has(child.localName)) {
      made.append(copy(child));
    }
  }
  return made;
}
