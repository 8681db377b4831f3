/** The picture of the size over the runs; the style sheet colours it. */

import { bytes, NUMBER } from "../panel/counts";
import type { Step } from "../panel/messages";
import { linear, logarithmic, rounded } from "./axis";
import { shape, widest } from "./svg";

/** Pixels around the picture: half a label above, the runs below. */
const ABOVE = 8;
const BELOW = 20;
const GAP = 6;
/** Pixels from the middle of one size to the next. */
const ROOM = 18;

export class Curve {
  private steps: readonly Step[] = [];

  constructor(private readonly place: HTMLElement) {
    new ResizeObserver(() => { this.draw(); }).observe(place);
  }

  show(steps: readonly Step[]): void {
    this.steps = steps;
    this.draw();
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.place;
    if (this.steps.length === 0 || width === 0 || height === 0) {
      return;
    }
    const sizes = this.steps.map((step) => Math.max(1, step.bytes));
    const least = rounded(Math.min(...sizes), false);
    const most = Math.max(rounded(Math.max(...sizes), true), 10 * least);
    const runs = Math.max(1, this.steps.at(-1)?.runs ?? 0);
    const tall = height - ABOVE - BELOW;
    const vertical = logarithmic(least, most, tall, ROOM).map(({ value, at }) => ({ label: bytes(value), at: ABOVE + tall - at }));
    const left = widest(this.place, "size", vertical.map(({ label }) => label)) + 2 * GAP;
    const last = `${NUMBER.format(runs)} ${runs === 1 ? "run" : "runs"}`;
    const wide = width - left - GAP;
    const room = widest(this.place, "last", [last]);
    const x = (run: number): number => left + (wide * run) / runs;
    const y = (size: number): number => ABOVE + tall * (1 - Math.log(Math.max(1, size) / least) / Math.log(most / least));
    // The end of the axis has the number of all runs; no other may come near it.
    const horizontal = linear(runs, wide, room).filter(({ at }) => at > 0 && at < wide - 1.6 * room);
    const bottom = ABOVE + tall;
    const path = this.steps.map(({ runs, bytes }, index) => (index === 0 ? `M${x(runs)} ${y(bytes)}` : `H${x(runs)}V${y(bytes)}`)).join("");
    const [first, end] = [this.steps[0], this.steps.at(-1)];
    this.place.replaceChildren(
      shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, [
        ...vertical.flatMap(({ label, at }) => [
          shape("line", { class: "grid", x1: left, x2: width - GAP, y1: at, y2: at }),
          shape("text", { class: "size", x: left - GAP, y: at + 4 }, [label]),
        ]),
        ...horizontal.map(({ value, at }) => shape("text", { class: "run", x: left + at, y: height - 4 }, [NUMBER.format(value)])),
        shape("text", { class: "run last", x: width - GAP, y: height - 4 }, [last]),
        shape("path", { class: "below", d: `${path}V${bottom}H${x(first?.runs ?? 0)}Z` }),
        shape("path", { class: "curve", d: path }),
        shape("circle", { class: "best", cx: x(end?.runs ?? 0), cy: y(end?.bytes ?? 1), r: 3 }),
      ]),
    );
  }
}
