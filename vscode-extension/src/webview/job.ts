/** The tab of a running or ended job. */

import { count, NUMBER } from "../panel/counts";
import { type Comparison, type JobView, OUTCOMES, type Step } from "../panel/messages";
import { difference, legible } from "../panel/difference";
import { visible } from "../panel/inert";
import { Curve } from "./curve";
import { announce, button, create, element, fill, send, show } from "./page";

const ANNOUNCE_EVERY_MS = 10_000;

const curve = new Curve(element("curve"));
const steps = element("steps") as HTMLSelectElement;
const stop = button("stop", () => ({ kind: "stop" }));
const keep = button("keep", () => ({ kind: "keep" }));
const restore = button("restore", () => ({ kind: "restore", step: Number(steps.value) }));
let announced = 0;
/** The step that is looked at; the newest one unless the user chose another. */
let chosen: number | undefined;

steps.addEventListener("change", () => {
  const step = Number(steps.value);
  chosen = step === steps.options.length - 1 ? undefined : step;
  send({ kind: "show", step });
});

export function showJob(job: JobView, comparison: Comparison | undefined): void {
  fill("job", true);
  const share = job.bytesBefore > 0 ? Math.round((100 * (job.bytesBefore - job.bytes)) / job.bytesBefore) : 0;
  show("name", job.name);
  show("phase", job.running ? `${job.doing}: ${job.phase}` : "ended");
  element("size").textContent = `${NUMBER.format(job.bytesBefore)} → ${count(job.bytes, "byte")}${share > 0 ? ` (−${share} %)` : ""}`;
  element("runs").textContent = `${count(job.runs, "run")}${job.cached ? `, ${NUMBER.format(job.cached)} more known` : ""}`;
  element("rate").textContent = `${(job.seconds > 0 ? job.runs / job.seconds : 0).toFixed(1)} runs/s`;
  element("curve").setAttribute("aria-label", `Size over runs: from ${NUMBER.format(job.bytesBefore)} to ${count(job.bytes, "byte")} in ${count(job.runs, "run")}`);
  stop.disabled = keep.disabled = !job.running;
  // A generalization leaves the document as it is, so there is nothing of it to be kept.
  // That of a folder is written beside it.
  keep.hidden = restore.hidden = job.doing === "generalizing" || job.files !== undefined;
  restore.disabled = job.running || job.steps.length === 0;
  tell(job);
  const outcome = element("outcome");
  outcome.hidden = job.outcome === undefined;
  show("outcome", job.outcome?.message ?? "");
  outcome.className = job.outcome?.failed === true ? "failed" : "quiet";
  curve.show(job.curve);
  showOutcomes(job.outcomes);
  showSteps(job.steps);
  showFiles(job.files);
  if (comparison !== undefined) {
    showComparison(comparison);
  }
}

/** Tells a screen reader how far the job is, without talking all the time. */
function tell(job: JobView): void {
  const now = Date.now();
  if (!job.running || now - announced > ANNOUNCE_EVERY_MS) {
    announced = now;
    const state = job.running ? "so far" : "at the end";
    announce(`${job.name}: ${NUMBER.format(job.bytes)} of ${count(job.bytesBefore, "byte")} ${state}, ${count(job.runs, "run")}`);
  }
}

function showOutcomes(outcomes: JobView["outcomes"]): void {
  element("outcomes").hidden = outcomes === undefined;
  for (const outcome of OUTCOMES) {
    const times = outcomes?.[outcome] ?? 0;
    element(`count-${outcome}`).textContent = NUMBER.format(times);
    element(`bar-${outcome}`).style.flexGrow = String(times);
  }
}

function showFiles(files: JobView["files"]): void {
  element("left").hidden = files === undefined;
  element("files").replaceChildren(...(files ?? []).map(({ path, bytes }) => create("li", `${path}  ${count(bytes, "byte")}`)));
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
        option.textContent = `${count(bytes, "byte")}, after ${count(runs, "run")}`;
        return option;
      }),
    );
  }
  steps.value = String(selected);
  steps.disabled = all.length === 0;
}

/** Shows the text of the step that is looked at: <del> for what went, <ins> for what is new. */
export function showComparison({ before, after, step }: Comparison): void {
  if (chosen !== undefined && step !== chosen) {
    return;
  }
  const parts = legible(difference(before, after) ?? [{ kind: "kept", text: after }]);
  element("text").replaceChildren(
    ...parts.map(({ kind, text }) =>
      kind === "kept" ? document.createTextNode(visible(text)) : create(kind === "added" ? "ins" : "del", text, kind),
    ),
  );
}
