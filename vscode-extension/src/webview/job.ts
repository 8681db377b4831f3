/** The tab of a running or ended job. */

import { bytes, count, duration, NUMBER } from "../panel/counts";
import { type Comparison, type Found, type JobView, OUTCOMES, type Step } from "../panel/messages";
import { difference, legible } from "../panel/difference";
import { dumped, isBinary } from "../panel/hex";
import { visible } from "../panel/inert";
import { Curve } from "./curve";
import { announce, button, create, element, fill, send, show } from "./page";

const ANNOUNCE_EVERY_MS = 10_000;

const curve = new Curve(element("curve"));
const steps = element("steps") as HTMLSelectElement;
const main = element("job-main");
const cancel = button("cancel", () => ({ kind: "cancel" }));
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
  const share = job.bytesBefore > 0 ? Math.floor((100 * (job.bytesBefore - job.bytes)) / job.bytesBefore) : 0;
  show("name", job.name);
  show("phase", job.running ? capital(job.step) : "Ended");
  element("phase").classList.toggle("running", job.running);
  const size = element("size");
  size.textContent = `${bytes(job.bytesBefore)} → ${bytes(job.bytes)}${share > 0 ? ` (−${share} %)` : ""}`;
  size.title = `${NUMBER.format(job.bytesBefore)} → ${count(job.bytes, "byte")}`;
  const rate = job.seconds > 0 ? job.runs / job.seconds : 0;
  element("runs").textContent = `${count(job.runs, "run")} in ${duration(job.seconds)}, ${rate.toFixed(1)} a second`;
  element("left").textContent = job.running ? left(job, rate) : "";
  showFailures(job.failures);
  element("curve").setAttribute("aria-label", `Size over runs: from ${bytes(job.bytesBefore)} to ${bytes(job.bytes)} in ${count(job.runs, "run")}`);
  cancel.hidden = !job.running;
  // A generalization leaves the document as it is, and the result for a folder is written beside it.
  restore.hidden = job.doing !== "reducing" || job.files !== undefined;
  restore.disabled = job.running || job.steps.length === 0;
  tell(job);
  showPair(job.outcome?.found);
  const outcome = element("outcome");
  // The figures of a result stand below.
  outcome.hidden = job.outcome === undefined || job.outcome.found !== undefined;
  show("outcome", job.outcome?.message ?? "");
  // There is nothing else to be seen of a job that never began.
  main.hidden = job.outcome?.failed === true && job.runs === 0;
  outcome.className = job.outcome?.failed === true ? "failed" : "quiet";
  curve.show(job.curve);
  showOutcomes(job.outcomes);
  showSteps(job.steps);
  showFiles(job.files);
  if (comparison !== undefined) {
    showComparison(comparison);
  }
}

/** Shows the result of a reduction beside the closest input that passes, and what is claimed of it. */
function showPair(found: Found | undefined): void {
  element("pair").hidden = found === undefined;
  show("failing", found?.text ?? "");
  show("claim", found?.claim ?? "");
  const passing = found?.passing ?? null;
  element("passes").hidden = element("passing").hidden = passing === null;
  show("passing", passing?.text ?? "");
  element("passing").title = passing === null ? "" : `${count(passing.distance, "character")} away`;
}

/** Tells a screen reader how far the job is, without talking all the time. */
function tell(job: JobView): void {
  const now = Date.now();
  if (!job.running || now - announced > ANNOUNCE_EVERY_MS) {
    announced = now;
    const state = job.running ? "so far" : "at the end";
    announce(`${job.name}: ${bytes(job.bytes)} of ${bytes(job.bytesBefore)} ${state}, ${count(job.runs, "run")}`);
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** What is left, as far as anybody knows. */
function left({ runsLeft, secondsLeft }: JobView, rate: number): string {
  const parts = [];
  if (runsLeft !== null) {
    const time = rate > 0 ? `, ${duration(runsLeft / rate)}` : "";
    parts.push(`About ${count(runsLeft, "run")}${time} left of this step.`);
  }
  if (secondsLeft !== null) {
    parts.push(`It ends in ${duration(secondsLeft)} at the latest.`);
  }
  return parts.join(" ");
}

/** The failures of the original and of the best text, once where they are the same. */
function showFailures(failures: JobView["failures"]): void {
  const [original = "", best = ""] = failures ?? [];
  const isSame = original === best;
  element("failures").replaceChildren(
    ...(failures === null ? [] : isSame ? named("Both fail", original) : [...named("The original fails", original), ...named("The best fails", best)]),
  );
}

function named(name: string, failure: string): HTMLElement[] {
  const [line = ""] = failure.split("\n");
  const told = create("dd", line);
  told.title = visible(failure);
  return [create("dt", name), told];
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
  element("files-left").hidden = files === undefined;
  element("files-left").replaceChildren(...(files ?? []).map(({ path, bytes: size }) => create("li", `${path}  ${bytes(size)}`)));
}

function showSteps(all: readonly Step[]): void {
  if (chosen !== undefined && chosen >= all.length) {
    chosen = undefined;
  }
  const selected = chosen ?? all.length - 1;
  if (steps.options.length !== all.length || document.activeElement !== steps) {
    steps.replaceChildren(
      ...all.map(({ runs, bytes: size }, index) => {
        const option = document.createElement("option");
        option.value = String(index);
        option.textContent = `${bytes(size)}, after ${count(runs, "run")}`;
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
  const isDumped = isBinary(after);
  element("text").classList.toggle("hex", isDumped);
  if (isDumped) {
    element("text").textContent = dumped(after);
    return;
  }
  const parts = legible(difference(before, after) ?? [{ kind: "kept", text: after }]);
  element("text").replaceChildren(
    ...parts.map(({ kind, text }) =>
      kind === "kept" ? document.createTextNode(visible(text)) : create(kind === "added" ? "ins" : "del", text, kind),
    ),
  );
}
