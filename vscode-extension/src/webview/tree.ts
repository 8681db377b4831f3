/** The tab of a derivation tree. */

import type { TreeView } from "../panel/messages";
import { create, element, fill, show } from "./page";
import { drawn } from "./svg";

/** A picture that fits the panel is drawn so small at first, but not smaller. */
const SMALLEST = 0.7;
const STEP = 1.25;

const place = element("picture");
const asText = element("as-text") as HTMLButtonElement;
const sizes = [element("smaller"), element("larger")] as const;
let picture: SVGSVGElement | undefined;
let scale = 1;
/** Until the user says otherwise. */
let fits = true;

asText.addEventListener("click", () => { change(asText.getAttribute("aria-pressed") !== "true"); });
sizes[0].addEventListener("click", () => { zoom(1 / STEP); });
sizes[1].addEventListener("click", () => { zoom(STEP); });
new ResizeObserver(fit).observe(place);

export function showTree({ name, language, text, svg }: TreeView): void {
  fill("tree", true);
  show("tree-name", name);
  show("tree-language", language);
  show("tree-text", text);
  picture = svg === null ? undefined : drawn(svg);
  fits = true;
  place.replaceChildren(picture ?? create("p", "This tree is too large to be drawn."));
  element("legend").hidden = picture?.querySelector(".hole, .essential") == null;
  change(picture === undefined);
  fit();
}

function change(isText: boolean): void {
  asText.setAttribute("aria-pressed", String(isText));
  place.hidden = sizes[0].hidden = sizes[1].hidden = isText;
  element("tree-text").hidden = !isText;
}

function zoom(factor: number): void {
  fits = false;
  draw(scale * factor);
}

/** Draws the picture as large as the panel allows, but not too small to be read. */
function fit(): void {
  if (picture !== undefined && fits && place.clientWidth > 0) {
    const { width, height } = picture.viewBox.baseVal;
    const fitting = Math.min(place.clientWidth / (width + 20), place.clientHeight / (height + 16));
    draw(Math.min(1, Math.max(SMALLEST, fitting)));
    place.scrollLeft = (place.scrollWidth - place.clientWidth) / 2;
  }
}

function draw(wanted: number): void {
  scale = wanted;
  picture?.setAttribute("width", String(picture.viewBox.baseVal.width * scale));
  picture?.setAttribute("height", String(picture.viewBox.baseVal.height * scale));
}
