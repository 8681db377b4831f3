/** What goes to and fro between the extension and the panel's page. */

export const OUTCOMES = ["reproduced", "passed", "invalid", "timeout"] as const;
export type Outcome = (typeof OUTCOMES)[number];
/** How many runs gave each outcome. */
export type Counts = Readonly<Partial<Record<Outcome, number>>>;

export type Doing = "reducing" | "generalizing" | "explaining" | "checking";

/** The server's `boildown/progress` notification. */
export interface JobProgress {
  /** The job's progress token. */
  readonly token: string | number;
  readonly uri: string;
  readonly doing: Doing;
  /** What it does at the moment, in plain words. */
  readonly step: string;
  readonly runs: number;
  /** About so many are left of this step; null where nobody knows. */
  readonly runsLeft: number | null;
  /** Of the best text so far. */
  readonly bytes: number;
  readonly bytesBefore: number;
  /** Since the job began. */
  readonly seconds: number;
  /** Until the limit ends the job; null without one. */
  readonly secondsLeft: number | null;
  /** Of the original and of the best text. */
  readonly failures: readonly [string, string] | null;
  readonly outcomes?: Counts;
  /** The best text so far, at least if it changed since the last notification. */
  readonly text?: string;
  /** Of a folder, the files that are left. */
  readonly files?: readonly FileSize[] | null;
}

/** A file of a folder. */
export interface FileSize {
  readonly path: string;
  readonly bytes: number;
}

/** A best text that was met on the way. */
export interface Step {
  readonly runs: number;
  readonly bytes: number;
}

/** What the page shows of a job. */
export interface JobView {
  /** The document's name. */
  readonly name: string;
  readonly running: boolean;
  readonly doing: Doing;
  readonly step: string;
  readonly runs: number;
  readonly runsLeft: number | null;
  readonly bytes: number;
  readonly bytesBefore: number;
  readonly outcomes: Counts | undefined;
  readonly seconds: number;
  readonly secondsLeft: number | null;
  readonly failures: readonly [string, string] | null;
  /** The size of the best text over the runs, oldest first. */
  readonly curve: readonly Step[];
  /** The texts that can be looked at again, oldest first; the first is the failing input. */
  readonly steps: readonly Step[];
  /** What came of it, once that is known. */
  readonly outcome: JobOutcome | undefined;
  /** Of a folder, the files that are left. */
  readonly files: readonly FileSize[] | undefined;
}

/** What the server says at the end of a job. */
export interface JobOutcome {
  readonly failed: boolean;
  readonly message: string;
  /** Of a reduction, the result, what it claims, and the closest input that passes. */
  readonly found?: Found | undefined;
}

/** What a reduction has found. */
export interface Found {
  readonly text: string;
  readonly claim: string;
  readonly passing: { readonly text: string; readonly distance: number } | null;
}

/** Texts to compare: the failing input and one of the steps. */
export interface Comparison {
  readonly before: string;
  readonly after: string;
  readonly step: number;
}

/** What became of independent random texts, as `boildown generalize --json` prints it. */
export interface Evidence {
  readonly trials: number;
  readonly reproduced: number;
  readonly invalid: number;
  readonly timeouts: number;
  /** What the share of all texts is at least, with 95 % confidence. */
  readonly lower_bound: number;
}

/** A place of a pattern that may hold other texts. */
export interface Hole extends Evidence {
  /** Holes of one name hold the same text. */
  readonly name: string;
  /** What stands for the hole: "⟨value⟩²", or "…" for anything or nothing. */
  readonly mark: string;
  /** The same with its conditions: "⟨value⟩² is true or NUMBER". */
  readonly sketch: string;
  /** The separators that belong to it: they are there only if something is. */
  readonly before: string;
  readonly after: string;
  /** Where it is in the pattern's text, in code points. */
  readonly start: number;
  readonly end: number;
  /** What stands there in the pattern's text. */
  readonly text: string;
  /** The nearest text that passes: why the hole is no wider. */
  readonly counterexample: string | null;
}

/** Which inputs fail, as a condition on whole inputs, with the runs on fresh mutants behind it. */
export interface Law {
  /** The condition as people read it: "//price < 0". */
  readonly law: string;
  /** Mutants for which it holds, and those of them that failed. */
  readonly trials: number;
  readonly reproduced: number;
  /** What the share of failing ones among such mutants is at least, with 95 % confidence. */
  readonly lower_bound: number;
  /** Mutants for which it does not hold, and those of them that passed. */
  readonly near: number;
  readonly near_passed: number;
  /** Mutants for which it holds that failed in another way, or were invalid. */
  readonly unjudged: number;
  /** Failing inputs that it was compared with, and those of them for which it holds. */
  readonly failing: number;
  readonly explained: number;
  /** Inputs that pass although it holds. */
  readonly excepted: readonly string[];
}

/** Failing inputs that were met before any was made for a pattern, and how many of them it matches. */
export interface Recall {
  readonly failing: number;
  readonly explained: number;
  /** Whether it matches the input that the job began with. */
  readonly original: boolean;
  /** The shortest other one that it does not match, if that is short. */
  readonly missed: string | null;
  /** Whether it matches a part of that input, where it does not match all of it. */
  readonly part: boolean;
}

/** A pattern, as `boildown generalize --json` prints it. */
export interface Pattern {
  readonly text: string;
  readonly language: string;
  readonly sampler: string;
  /** In the order of the text; none overlaps another. */
  readonly holes: readonly Hole[];
  /** Where the part is that may stand anywhere in an input, in code points; null for a pattern of whole inputs. */
  readonly anywhere: readonly [number, number] | null;
  /** Lines on the smallest failing input, the closest passing one, and what is needed of its tokens. */
  readonly card: readonly string[];
  readonly joint: Evidence;
  readonly runs: number;
  readonly seconds: number;
  readonly finished: boolean;
  readonly failure: string;
  readonly recall: Recall | null;
  readonly law: Law | null;
}

/** Where the input of a pattern is now. */
export interface PatternPlace {
  readonly uri: string;
  readonly start: Position;
  readonly end: Position;
}

interface Position {
  readonly line: number;
  readonly character: number;
}

/** The server's `boildown/pattern` notification; without a pattern, the one known so far is forgotten. */
export type PatternFound =
  | (PatternPlace & { readonly pattern: Pattern; readonly instances: readonly string[] })
  | { readonly uri: string; readonly pattern: null };

/** What the page shows of a pattern. */
export interface PatternView {
  /** The document's name. */
  readonly name: string;
  readonly failure: string;
  readonly language: string;
  readonly sampler: string;
  readonly runs: number;
  readonly seconds: number;
  readonly finished: boolean;
  /** The text in order, each part outside of the holes or the index of a hole. */
  readonly parts: readonly (string | number)[];
  readonly holes: readonly Hole[];
  /** The number of each hole. */
  readonly numbers: readonly number[];
  readonly anywhere: readonly [number, number] | null;
  readonly card: readonly string[];
  readonly joint: Evidence;
  readonly recall: Recall | null;
  readonly law: Law | null;
  readonly instances: readonly string[];
  /** Whether the input is still in its document, so that something can be made of the pattern. */
  readonly isKnown: boolean;
}

/** The patterns that were found since the editor started, newest first, and the one to be seen. */
export interface Choice {
  readonly labels: readonly string[];
  readonly chosen: number;
}

/** A node or token of a tree. */
export interface Row {
  readonly level: number;
  readonly caption: string;
  /** "token", or the kind of a node. */
  readonly sort: string;
  /** The number of the hole that it is in. */
  readonly hole: number | null;
  /** The numbers of the holes between its children. */
  readonly gaps: readonly number[];
}

/** The server's answer to `boildown.tree`. */
export interface Tree {
  readonly language: string;
  /** A line per node and token. */
  readonly text: string;
  /** In preorder; without, the tree is too large to be drawn. */
  readonly rows: readonly Row[] | null;
  /** The evidence of each hole, in the order of their numbers. */
  readonly holes: readonly string[];
}

/** What the page shows of a tree. */
export interface TreeView extends Tree {
  readonly uri: string;
  /** The document's name. */
  readonly name: string;
}

export const TABS = ["job", "pattern"] as const;
export type Tab = (typeof TABS)[number];

export type ToPage =
  | { readonly kind: "job"; readonly job: JobView; readonly comparison?: Comparison }
  | { readonly kind: "comparison"; readonly comparison: Comparison }
  | { readonly kind: "pattern"; readonly pattern: PatternView | undefined; readonly choice: Choice }
  | { readonly kind: "tree"; readonly tree: TreeView }
  | Light
  | { readonly kind: "tab"; readonly tab: Tab };

/** A hole lights up by its number wherever it is shown; without one, none does. */
export interface Light {
  readonly kind: "light";
  readonly hole: number | null;
}

/** What the buttons of a pattern ask for. */
export type PatternAction = "instantiate" | "writeTest" | "tree" | "copyReport";

export type FromPage =
  | { readonly kind: "ready" }
  | { readonly kind: "tab"; readonly tab: Tab }
  | { readonly kind: "cancel" }
  | { readonly kind: "show"; readonly step: number }
  | { readonly kind: "restore"; readonly step: number }
  | { readonly kind: "pattern"; readonly action: PatternAction }
  | Light
  | { readonly kind: "choose"; readonly pattern: number };
