/** Pictures of our own, which the style sheet colours. */

const SVG = "http://www.w3.org/2000/svg";

/** An element of a picture; a text in it is never read as anything else. */
export function shape(
  name: "svg" | "g" | "line" | "path" | "text" | "tspan" | "title" | "circle",
  attributes: Readonly<Record<string, string | number>>,
  children: readonly (SVGElement | string)[] = [],
): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, String(value));
  }
  made.append(...children);
  return made;
}

/** The width of the widest of some texts, in pixels, as the style sheet shows them in a place. */
export function widest(place: HTMLElement, className: string, texts: readonly string[]): number {
  const probes = texts.map((text) => shape("text", { class: className }, [text]) as SVGTextElement);
  const picture = shape("svg", { width: 0, height: 0 }, probes);
  place.append(picture);
  const widths = probes.map((probe) => probe.getComputedTextLength());
  picture.remove();
  return Math.max(0, ...widths);
}
