/** A pattern as the page shows it: its text, cut at the holes. */

import type { Evidence, Hole, Pattern, PatternView } from "./messages";
import { nameOf } from "./names";

export function patternView(uri: string, pattern: Pattern, instances: readonly string[]): Omit<PatternView, "isKnown"> {
  const { failure, language, sampler, runs, seconds, finished, holes, joint } = pattern;
  const parts = cut(pattern.text, holes);
  return { name: nameOf(uri), failure, language, sampler, runs, seconds, finished, parts, holes, joint, instances };
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
