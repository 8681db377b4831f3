/** The picture of the size over the runs. */

import uPlot from "uplot";
import type { Step } from "../panel/messages";

/** Steps between the marks of an axis that counts. */
const WHOLE = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

export class Curve {
  private plot: uPlot | undefined;
  private data: uPlot.AlignedData = [[], []];

  constructor(private readonly place: HTMLElement) {
    new ResizeObserver(() => this.plot?.setSize(this.size())).observe(place);
    // The theme's colours are those of the body, and they change with its class.
    new MutationObserver(() => { this.draw(); }).observe(document.body, { attributeFilter: ["class"] });
  }

  show(curve: readonly Step[]): void {
    this.data = [curve.map(({ runs }) => runs), curve.map(({ bytes }) => bytes)];
    if (this.plot === undefined) {
      this.draw();
    } else {
      this.plot.setData(this.data);
    }
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(this.place.clientWidth, 100), height: Math.max(this.place.clientHeight, 80) };
  }

  private draw(): void {
    this.plot?.destroy();
    const text = colour("--vscode-foreground");
    const grid = { stroke: colour("--vscode-editorIndentGuide-background1"), width: 1 };
    const axis = { stroke: text, grid, ticks: grid, font: `11px ${colour("--vscode-font-family")}` };
    const steps = uPlot.paths.stepped?.({ align: 1 });
    this.plot = new uPlot(
      {
        ...this.size(),
        scales: { x: { time: false }, y: { range: (_, __, most) => [0, Math.max(most, 1)] } },
        axes: [
          { ...axis, incrs: WHOLE, label: "runs", labelSize: 16, size: 28, labelFont: axis.font },
          { ...axis, label: "bytes", labelSize: 16, size: 56, labelFont: axis.font },
        ],
        series: [
          { label: "runs" },
          {
            label: "bytes",
            stroke: colour("--vscode-charts-blue"),
            width: 2,
            points: { show: false },
            ...(steps === undefined ? {} : { paths: steps }),
          },
        ],
        legend: { show: false },
        cursor: { drag: { x: false, y: false } },
      },
      this.data,
      this.place,
    );
  }
}

function colour(name: string): string {
  return getComputedStyle(document.body).getPropertyValue(name).trim() || "currentColor";
}
