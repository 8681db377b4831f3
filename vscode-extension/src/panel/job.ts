/** What is remembered of a job while it runs and after. */

import type { Comparison, JobOutcome, JobProgress, JobView, Step } from "./messages";
import { nameOf } from "./names";

/** More points than the picture has pixels would be wasted, and a job may last for hours. */
const MOST_POINTS = 800;
const MOST_STEPS = 100;

interface KeptStep extends Step {
  readonly text: string;
}

export class Job {
  private curve: Step[] = [];
  private steps: KeptStep[] = [];
  private ended = false;
  private outcome: JobOutcome | undefined;

  constructor(private latest: JobProgress) {
    this.add(latest);
  }

  get token(): string | number {
    return this.latest.token;
  }

  get uri(): string {
    return this.latest.uri;
  }

  add(progress: JobProgress): void {
    this.latest = progress;
    const { runs, bytes, text } = progress;
    this.curve.push({ runs, bytes });
    if (this.curve.length > MOST_POINTS) {
      this.curve = thinned(this.curve);
    }
    if (text !== undefined && text !== this.steps.at(-1)?.text) {
      this.steps.push({ runs, bytes, text });
      if (this.steps.length > MOST_STEPS) {
        this.steps = thinned(this.steps);
      }
    }
  }

  end(outcome?: JobOutcome): void {
    this.ended = true;
    this.outcome = outcome ?? this.outcome;
  }

  /** A step beside the first text, which is the failing input; the last step by default. */
  compare(step = this.steps.length - 1): Comparison | undefined {
    const [before, after] = [this.steps[0]?.text, this.steps[step]?.text];
    return before === undefined || after === undefined ? undefined : { before, after, step };
  }

  view(): JobView {
    const { uri, doing, step, runs, runsLeft, bytes, bytesBefore, seconds, secondsLeft, failures, outcomes, files } = this.latest;
    return {
      name: nameOf(uri),
      running: !this.ended,
      doing,
      step,
      runs,
      runsLeft,
      bytes,
      bytesBefore,
      seconds,
      secondsLeft,
      failures,
      outcomes,
      curve: this.curve,
      steps: this.steps.map(({ runs, bytes }) => ({ runs, bytes })),
      outcome: this.outcome,
      files: files ?? undefined,
    };
  }
}

/** Every other item, and always the first and the last. */
export function thinned<T>(items: readonly T[]): T[] {
  return items.filter((_, index) => index % 2 === 0 || index === items.length - 1);
}
