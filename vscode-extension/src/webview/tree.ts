/** The page of a derivation tree, in an editor. */

import type { Row, ToPage, TreeView } from "../panel/messages";
import { visible } from "../panel/inert";
import { laidOut, parents } from "./layout";
import { light, lights } from "./light";
import { element, send, show } from "./page";
import { shape, widest } from "./svg";

/** A picture that fits is drawn so small at first, but not smaller. */
const SMALLEST = 0.7;
const STEP = 1.25;
/** Pixels between two captions, of a level and around the picture. */
const GAP = 22;
const LEVEL = 46;
const EDGE = 12;
/** More rows than that are folded at first. */
const MANY = 200;

const place = element("picture");
const asText = element("as-text") as HTMLButtonElement;
const unfold = element("unfold") as HTMLButtonElement;
const sizes = [element("smaller"), element("larger")] as const;
let tree: TreeView | undefined;
let above: readonly number[] = [];
let folded = new Set<number>();
let scale = 1;
/** Until the user says otherwise. */
let fits = true;

asText.addEventListener("click", () => { change(asText.getAttribute("aria-pressed") !== "true"); });
unfold.addEventListener("click", () => { fold(new Set()); });
sizes[0].addEventListener("click", () => { zoom(1 / STEP); });
sizes[1].addEventListener("click", () => { zoom(STEP); });
new ResizeObserver(() => { draw(); }).observe(place);
window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  if (data.kind === "tree") {
    showTree(data.tree);
  } else if (data.kind === "light") {
    light(data.hole);
  }
});
send({ kind: "ready" });

function showTree(shown: TreeView): void {
  tree = shown;
  show("tree-name", shown.name);
  show("tree-language", shown.language);
  show("tree-text", shown.text);
  fits = true;
  const rows = shown.rows ?? [];
  above = parents(rows);
  element("legend").hidden = shown.holes.length === 0;
  place.classList.toggle("marked", shown.holes.length > 0);
  change(shown.rows === null);
  asText.hidden = shown.rows === null;
  fold(deep(rows));
  place.scrollLeft = (place.scrollWidth - place.clientWidth) / 2;
}

/** What is folded of a large tree: the nodes of the deepest level above which few enough rows stand. */
function deep(rows: readonly Row[]): Set<number> {
  const most = Math.max(0, ...rows.map(({ level }) => level));
  let level = most;
  while (level > 1 && rows.filter((row) => row.level <= level).length > MANY) {
    level -= 1;
  }
  return new Set(level === most ? [] : above.filter((parent) => rows[parent]?.level === level));
}

function change(isText: boolean): void {
  asText.setAttribute("aria-pressed", String(isText));
  place.hidden = sizes[0].hidden = sizes[1].hidden = isText;
  element("tree-text").hidden = !isText;
  unfold.hidden = isText || folded.size === 0;
}

function fold(rows: Set<number>): void {
  folded = rows;
  unfold.hidden = place.hidden || folded.size === 0;
  draw();
}

function zoom(factor: number): void {
  fits = false;
  scale *= factor;
  draw();
}

/** Draws what is not folded, as large as the editor allows until the user chooses, but not too small to be read. */
function draw(): void {
  const rows = tree?.rows;
  if (tree === undefined || rows === null || rows === undefined || place.clientWidth === 0) {
    return;
  }
  const captions = rows.map(({ caption }, row) => (folded.has(row) ? `${visible(caption)} …` : visible(caption)));
  // The font is that of the editor, and its characters are of one width.
  const character = widest(place, "", ["0".repeat(100)]) / 100;
  const widths = captions.map((caption, row) => character * (caption.length + badges(rows, row).length * 2) + GAP);
  const { spots, width } = laidOut(rows, widths, folded);
  const [wide, tall] = [width + 2 * EDGE, (Math.max(0, ...spots.map(({ level }) => level)) + 1) * LEVEL];
  if (fits) {
    const fitting = Math.min((place.clientWidth - 20) / wide, (place.clientHeight - 16) / tall);
    scale = Math.min(1, Math.max(SMALLEST, fitting));
  }
  const at = new Map(spots.map((spot) => [spot.row, spot]));
  const inner = new Set(above);
  const focused = document.activeElement?.getAttribute("data-row");
  const lines = spots.flatMap(({ parent, x, level }) => {
    const over = at.get(parent);
    const ends = { x1: EDGE + (over?.x ?? 0), x2: EDGE + x, y1: (level - 0.5) * LEVEL + 6, y2: (level + 0.5) * LEVEL - 14 };
    return over === undefined ? [] : [shape("line", ends)];
  });
  const { holes } = tree;
  const nodes = spots.map(({ row, x, level }) => {
    const { sort = "", hole = null, caption = "" } = rows[row] ?? {};
    const numbers = badges(rows, row);
    const node = shape("g", { class: `${sort} ${hole === null ? "essential" : "hole"}`, "data-row": row }, [
      shape("text", { x: EDGE + x, y: (level + 0.5) * LEVEL }, [captions[row] ?? "", ...numbers.map((number) => shape("tspan", { class: "number", dx: 5 }, [String(number)]))]),
    ]);
    const evidence = (hole === null ? numbers : [hole]).map((number) => holes[number - 1]).filter((told) => told !== undefined);
    if (evidence.length > 0) {
      node.append(shape("title", {}, [visible(evidence.join("\n"))]));
    }
    if (hole !== null || numbers.length > 0) {
      lights(node, hole ?? numbers[0] ?? null);
    }
    if (inner.has(row)) {
      foldable(node, row, caption);
    }
    return node;
  });
  const size = { width: wide * scale, height: tall * scale, viewBox: `0 0 ${wide} ${tall}` };
  place.replaceChildren(shape("svg", size, [...lines, ...nodes]));
  place.querySelector<SVGElement>(`[data-row="${focused ?? ""}"]`)?.focus();
}

/** The numbers at a row: of the hole that begins there, and of those between its children. */
function badges(rows: readonly Row[], row: number): number[] {
  const { hole = null, gaps = [] } = rows[row] ?? {};
  return [...(hole !== null && rows[above[row] ?? -1]?.hole !== hole ? [hole] : []), ...gaps];
}

/** A node is a button that folds what is below it. */
function foldable(node: SVGElement, row: number, caption: string): void {
  for (const [name, value] of Object.entries({ role: "button", tabindex: 0, "aria-expanded": !folded.has(row), "aria-label": visible(caption) })) {
    node.setAttribute(name, String(value));
  }
  const toggle = (): void => { fold(folded.has(row) ? new Set([...folded].filter((each) => each !== row)) : new Set([...folded, row])); };
  node.addEventListener("click", toggle);
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      toggle();
    }
  });
}
