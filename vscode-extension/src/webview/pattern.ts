/** The tab of a pattern: the text with its holes, and the evidence behind the one that is chosen. */

import { count } from "../panel/counts";
import type { Choice, Evidence, Hole, PatternAction, PatternView } from "../panel/messages";
import { visible } from "../panel/inert";
import { lawSentence, recallSentence, sentence } from "../panel/pattern";
import { lights } from "./light";
import { announce, button, create, element, fill, send, show } from "./page";

const ACTIONS: Readonly<Record<string, PatternAction>> = {
  instantiate: "instantiate",
  writeTest: "writeTest",
  "show-tree": "tree",
  copyReport: "copyReport",
};

const buttons = Object.entries(ACTIONS).map(([id, action]) => button(id, () => ({ kind: "pattern", action })));
const patterns = element("patterns") as HTMLSelectElement;
/** Characters of an example that are shown. */
const LONGEST = 160;
/** What is shown, to leave it alone when it is told again. */
let shown = "";

patterns.addEventListener("change", () => { send({ kind: "choose", pattern: patterns.selectedIndex }); });

export function showPattern(pattern: PatternView | undefined, choice: Choice): void {
  fill("pattern", pattern !== undefined);
  const told = JSON.stringify([pattern, choice]);
  if (pattern === undefined || told === shown) {
    return;
  }
  shown = told;
  patterns.replaceChildren(...choice.labels.map((label) => create("option", label)));
  patterns.selectedIndex = choice.chosen;
  patterns.hidden = choice.labels.length < 2;
  element("outdated").hidden = pattern.isKnown;
  for (const each of buttons) {
    each.disabled = !pattern.isKnown;
  }
  const { name, failure, runs, seconds, finished, holes, law, instances } = pattern;
  show("pattern-name", name);
  show("pattern-failure", failure);
  element("pattern-failure").title = visible(failure);
  element("pattern-runs").textContent =
    `${count(runs, "run")}, ${seconds.toFixed(1)} s${finished ? "" : ", stopped early"}`;
  element("card").hidden = pattern.card.length === 0;
  show("card", pattern.card.join("\n"));
  element("law").hidden = law === null;
  show("law-text", law?.law ?? "");
  show("law-evidence", law === null ? "" : lawSentence(law));
  element("pattern-text").replaceChildren(
    ...surrounded(pattern, pattern.parts.map((part) => (typeof part === "string" ? create("span", part, "essential") : hole(pattern, part)))),
  );
  element("instances").replaceChildren(
    ...[...instances].sort((one, other) => one.length - other.length).map((text) => {
      const item = document.createElement("li");
      item.append(create("code", text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text));
      return item;
    }),
  );
  choose(pattern, holes.length > 0 ? 0 : undefined);
  announce(`Pattern of ${name}: ${count(holes.length, "part")} may be something else`);
}

/** The text of a pattern, with what says that anything may stand around it. */
function surrounded({ anywhere }: PatternView, text: readonly HTMLElement[]): readonly HTMLElement[] {
  return anywhere === null ? text : [create("span", "… "), ...text, create("span", " …")];
}

/** A hole in the text, which is clicked to see its evidence. */
function hole(pattern: PatternView, index: number): HTMLElement {
  const { before = "", mark = "", after = "" } = pattern.holes[index] ?? {};
  const made = create("button", before + mark + after, "hole");
  made.setAttribute("aria-controls", "evidence");
  made.dataset["hole"] = String(index);
  lights(made, pattern.numbers[index] ?? null);
  made.addEventListener("click", () => { choose(pattern, index); });
  return made;
}

/** Shows the evidence of a hole; holes of the same name are one. */
function choose(pattern: PatternView, index: number | undefined): void {
  const chosen = index === undefined ? undefined : pattern.holes[index];
  for (const each of element("pattern-text").querySelectorAll<HTMLElement>(".hole")) {
    const isChosen = pattern.holes[Number(each.dataset["hole"])]?.name === chosen?.name;
    each.setAttribute("aria-pressed", String(isChosen));
  }
  element("evidence").replaceChildren(
    ...(chosen === undefined ? [] : about(chosen)),
    ...(pattern.anywhere !== null ? statement("As a part of other inputs", pattern.joint) : []),
    ...(pattern.anywhere === null && pattern.holes.length > 1 ? statement("All holes together", pattern.joint) : []),
    ...(pattern.anywhere !== null || pattern.holes.length > 0 || pattern.law !== null ? [] : [create("p", `No pattern was found in ${count(pattern.runs, "run")}.`)]),
    create("p", `Drawn from ${pattern.sampler}.`, "quiet"),
    ...(pattern.recall === null ? [] : [create("p", recallSentence(pattern.recall))]),
  );
}

function about(hole: Hole): HTMLElement[] {
  const held = create("p", "Stood there: ");
  held.append(hole.text === "" ? "nothing" : create("code", hole.text));
  const parts = [...statement(hole.sketch, hole), held];
  if (hole.counterexample !== null) {
    const nearest = create("p", "No wider, because this passes: ");
    nearest.append(create("code", hole.counterexample));
    parts.push(nearest);
  }
  return parts;
}

/** What the runs say, in words and as a bar. */
function statement(title: string, evidence: Evidence): HTMLElement[] {
  const { trials, reproduced, invalid, timeouts } = evidence;
  const bar = create("div", "", "bar");
  bar.setAttribute("aria-hidden", "true");
  const counts = { reproduced, passed: trials - reproduced, invalid, timeout: timeouts };
  for (const [outcome, count] of Object.entries(counts)) {
    const part = create("span", "", outcome);
    part.style.flexGrow = String(count);
    bar.append(part);
  }
  return [create("h3", title), bar, create("p", sentence(evidence))];
}
