/** A pattern as the page shows it: its text, cut at the holes. */

import { count } from "./counts";
import type { Evidence, Hole, Law, Pattern, PatternView, Recall } from "./messages";
import { nameOf } from "./names";

export function patternView(uri: string, pattern: Pattern, instances: readonly string[]): Omit<PatternView, "isKnown"> {
  const { failure, language, sampler, runs, seconds, finished, holes, anywhere, card, joint, recall, law } = pattern;
  const parts = cut(pattern.text, holes);
  return { name: nameOf(uri), failure, language, sampler, runs, seconds, finished, parts, holes, numbers: numbers(holes), anywhere, card, joint, recall, law, instances };
}

/** The numbers by which people tell the holes apart, as in the server's hints: those of one name share theirs. */
export function numbers(holes: readonly Pick<Hole, "name">[]): number[] {
  const names = [...new Set(holes.map(({ name }) => name))];
  return holes.map(({ name }) => names.indexOf(name) + 1);
}

/** The text of a pattern, and where its holes are in it, in the units of JavaScript. */
export function spans({ parts, holes, numbers }: Pick<PatternView, "parts" | "holes" | "numbers">): { text: string; spans: Span[] } {
  let text = "";
  const spans: Span[] = [];
  for (const part of parts) {
    const start = text.length;
    text += typeof part === "string" ? part : (holes[part]?.text ?? "");
    if (typeof part === "number") {
      spans.push({ hole: numbers[part] ?? 0, start, end: text.length });
    }
  }
  return { text, spans };
}

export interface Span {
  /** The number of the hole. */
  readonly hole: number;
  readonly start: number;
  readonly end: number;
}

/** Cuts a text at its holes: what is between them, and in their place their indices. */
export function cut(text: string, holes: readonly Hole[]): (string | number)[] {
  // Offsets count code points, of which JavaScript's strings may have two units each.
  const points = Array.from(text);
  let at = 0;
  const parts = holes.flatMap(({ start, end }, index) => {
    const before = points.slice(at, start).join("");
    at = end;
    return [before, index];
  });
  return [...parts, points.slice(at).join("")].filter((part) => part !== "");
}

/** What the runs say, in a sentence. */
export function sentence({ trials, reproduced, invalid, timeouts, lower_bound }: Evidence): string {
  if (trials === 0) {
    return "No random text was tried.";
  }
  const silent = invalid + timeouts;
  const more = silent > 0 ? `; ${silent} more say nothing` : "";
  return `${reproduced} of ${trials} random texts failed alike, so at least ${(100 * lower_bound).toFixed(1)} % of all do (95 % confidence)${more}.`;
}

/** How many of the failing inputs that were met before a pattern matches, in a sentence. */
export function recallSentence({ failing, explained, original, missed, part }: Recall): string {
  const none = original ? "" : part ? ", but of the original only a part" : ", but not the original";
  const example = missed === null ? "" : `; ${JSON.stringify(missed)} is none`;
  return `It matches ${explained} of ${count(failing, "failing input")} met before${none}${example}.`;
}

/** What the runs say about a law, in a few sentences. */
export function lawSentence(law: Law): string {
  const { trials, reproduced, lower_bound, near, near_passed, unjudged, failing, explained, excepted } = law;
  const verb = excepted.length === 1 ? "passes" : "pass";
  const exceptions = excepted.length > 0 ? ` ${count(excepted.length, "input")} ${verb} although it holds.` : "";
  const others = unjudged > 0 ? ` Left out, for they failed in another way or were invalid: ${unjudged}.` : "";
  const without = near > 0 ? `; ${near_passed} of ${near} for which it does not hold passed` : "";
  return (
    `${reproduced} of ${trials} fresh mutants of this job's inputs for which it holds failed alike, ` +
    `so at least ${(100 * lower_bound).toFixed(1)} % of all such do (95 % confidence)${without}.${others} ` +
    `It explains ${explained} of ${failing} failing inputs.${exceptions}`
  );
}
