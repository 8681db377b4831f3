/** The tab of a derivation tree. */

import type { TreeView } from "../panel/messages";
import { create, element, fill } from "./page";
import { drawn } from "./svg";

const asText = element("as-text") as HTMLButtonElement;

asText.addEventListener("click", () => { show(asText.getAttribute("aria-pressed") !== "true"); });

export function showTree({ name, language, text, svg }: TreeView): void {
  fill("tree", true);
  element("tree-name").textContent = name;
  element("tree-language").textContent = language;
  element("tree-text").textContent = text;
  const picture = svg === null ? undefined : drawn(svg);
  element("picture").replaceChildren(picture ?? create("p", "This tree is too large to be drawn."));
  element("legend").hidden = picture?.querySelector(".hole, .essential") == null;
  show(picture === undefined);
}

function show(isText: boolean): void {
  asText.setAttribute("aria-pressed", String(isText));
  element("picture").hidden = isText;
  element("tree-text").hidden = !isText;
}
