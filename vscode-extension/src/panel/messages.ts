/** What goes to and fro between the extension and the panel's page. */

export type Outcome = "REPRODUCED" | "PASSED" | "INVALID" | "TIMEOUT";

/** The server's `boildown/progress` notification. */
export interface JobProgress {
  /** The job's progress token. */
  readonly token: string | number;
  readonly uri: string;
  /** The pass at work, or "preflight" or "verify". */
  readonly phase: string;
  readonly runs: number;
  /** Candidates that were answered without a run. */
  readonly cached?: number;
  /** Of the best text so far. */
  readonly bytes: number;
  readonly bytesBefore: number;
  /** Since the job began. */
  readonly seconds: number;
  /** How many runs gave each outcome. */
  readonly outcomes?: Readonly<Partial<Record<Outcome, number>>>;
  /** The best text so far, at least if it changed since the last notification. */
  readonly text?: string;
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
  readonly phase: string;
  readonly runs: number;
  readonly cached: number | undefined;
  readonly bytes: number;
  readonly bytesBefore: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>> | undefined;
  readonly seconds: number;
  /** The size of the best text over the runs, oldest first. */
  readonly curve: readonly Step[];
  /** The texts that can be looked at again, oldest first; the first is the failing input. */
  readonly steps: readonly Step[];
}

/** Texts to compare: the failing input and one of the steps. */
export interface Comparison {
  readonly before: string;
  readonly after: string;
  readonly step: number;
}

export type ToPage =
  | { readonly kind: "job"; readonly job: JobView; readonly comparison?: Comparison }
  | { readonly kind: "comparison"; readonly comparison: Comparison };

export type FromPage =
  | { readonly kind: "ready" }
  | { readonly kind: "stop" }
  | { readonly kind: "keep" }
  | { readonly kind: "show"; readonly step: number }
  | { readonly kind: "restore"; readonly step: number };
