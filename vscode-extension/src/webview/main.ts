/** The page of the panel: shows what the extension sends, and sends back what is clicked. */

import "uplot/dist/uPlot.min.css";
import "./panel.css";
import type { Comparison, FromPage, JobView, Outcome, Step, ToPage } from "../panel/messages";
import { difference, legible } from "../panel/difference";
import { Curve } from "./curve";

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

const OUTCOMES: readonly Outcome[] = ["REPRODUCED", "PASSED", "INVALID", "TIMEOUT"];
const ANNOUNCE_EVERY_MS = 10_000;
const NUMBER = new Intl.NumberFormat("en");

const code = acquireVsCodeApi();
const curve = new Curve(element("curve"));
const steps = element("steps") as HTMLSelectElement;
let announced = 0;
/** The step that is looked at; the newest one unless the user chose another. */
let chosen: number | undefined;

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`no element ${id}`);
  }
  return found;
}

function button(id: string, message: () => FromPage): HTMLButtonElement {
  const found = element(id) as HTMLButtonElement;
  found.addEventListener("click", () => { code.postMessage(message()); });
  return found;
}

const stop = button("stop", () => ({ kind: "stop" }));
const keep = button("keep", () => ({ kind: "keep" }));
const restore = button("restore", () => ({ kind: "restore", step: Number(steps.value) }));

steps.addEventListener("change", () => {
  const step = Number(steps.value);
  chosen = step === steps.options.length - 1 ? undefined : step;
  code.postMessage({ kind: "show", step });
});

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  if (data.kind === "job") {
    showJob(data.job);
  }
  if (data.comparison !== undefined && (chosen === undefined || data.comparison.step === chosen)) {
    showComparison(data.comparison);
  }
});

function showJob(job: JobView): void {
  document.body.dataset["state"] = job.running ? "running" : "ended";
  const share = job.bytesBefore > 0 ? Math.round((100 * (job.bytesBefore - job.bytes)) / job.bytesBefore) : 0;
  element("name").textContent = job.name;
  element("phase").textContent = job.running ? job.phase : "ended";
  element("size").textContent = `${NUMBER.format(job.bytesBefore)} → ${NUMBER.format(job.bytes)} bytes (−${share} %)`;
  element("runs").textContent = `${NUMBER.format(job.runs)} runs${job.cached ? `, ${NUMBER.format(job.cached)} more known` : ""}`;
  element("rate").textContent = `${(job.seconds > 0 ? job.runs / job.seconds : 0).toFixed(1)} runs/s`;
  element("curve").setAttribute("aria-label", `Size over runs: from ${job.bytesBefore} to ${job.bytes} bytes in ${job.runs} runs`);
  stop.disabled = keep.disabled = !job.running;
  announce(job);
  curve.show(job.curve);
  showOutcomes(job.outcomes);
  showSteps(job.steps);
  restore.disabled = job.running || job.steps.length === 0;
}

/** Tells a screen reader how far the job is, without talking all the time. */
function announce(job: JobView): void {
  const now = Date.now();
  if (!job.running || now - announced > ANNOUNCE_EVERY_MS) {
    announced = now;
    const state = job.running ? "so far" : "at the end";
    element("announcement").textContent = `${job.name}: ${job.bytes} of ${job.bytesBefore} bytes ${state}, ${job.runs} runs`;
  }
}

function showOutcomes(outcomes: JobView["outcomes"]): void {
  element("outcomes").hidden = outcomes === undefined;
  for (const outcome of OUTCOMES) {
    const count = outcomes?.[outcome] ?? 0;
    element(`count-${outcome}`).textContent = NUMBER.format(count);
    element(`bar-${outcome}`).style.flexGrow = String(count);
  }
}

function showSteps(all: readonly Step[]): void {
  if (chosen !== undefined && chosen >= all.length) {
    chosen = undefined;
  }
  const selected = chosen ?? all.length - 1;
  if (steps.options.length !== all.length || document.activeElement !== steps) {
    steps.replaceChildren(
      ...all.map(({ runs, bytes }, index) => {
        const option = document.createElement("option");
        option.value = String(index);
        option.textContent = `${NUMBER.format(bytes)} bytes, after ${NUMBER.format(runs)} runs`;
        return option;
      }),
    );
  }
  steps.value = String(selected);
  steps.disabled = all.length === 0;
}

/** Shows the text: <del> for what went, <ins> for what is new. */
function showComparison({ before, after }: Comparison): void {
  const parts = legible(difference(before, after) ?? [{ kind: "kept", text: after }]);
  element("text").replaceChildren(
    ...parts.map(({ kind, text }) => {
      if (kind === "kept") {
        return document.createTextNode(text);
      }
      const marked = document.createElement(kind === "added" ? "ins" : "del");
      marked.textContent = text;
      marked.className = kind;
      return marked;
    }),
  );
}

code.postMessage({ kind: "ready" });
