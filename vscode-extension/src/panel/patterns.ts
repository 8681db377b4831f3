/** The patterns that were found since the editor started. */

import type { Choice, PatternFound, PatternPlace, PatternView } from "./messages";
import { patternView, spans } from "./pattern";

/** Nobody looks further back. */
const MOST = 50;
const LABEL = 60;

interface Entry {
  readonly uri: string;
  /** Undefined once the input has changed. */
  place: PatternPlace | undefined;
  readonly shown: Omit<PatternView, "isKnown">;
}

export class Patterns {
  /** Newest first. */
  private entries: Entry[] = [];
  private chosen = 0;

  /** Takes what the server tells; says whether there is a new pattern to be seen. */
  take(found: PatternFound): boolean {
    const before = this.entries.find(({ uri, place }) => uri === found.uri && place !== undefined);
    if (found.pattern === null) {
      this.outdate(before);
      return false;
    }
    const shown = patternView(found.uri, found.pattern, found.instances);
    // It is told again whenever the input moves, which is nothing to be seen here.
    if (before !== undefined && JSON.stringify(before.shown) === JSON.stringify(shown)) {
      before.place = found;
      return false;
    }
    this.outdate(before);
    this.entries = [{ uri: found.uri, place: found, shown }, ...this.entries].slice(0, MOST);
    this.chosen = 0;
    return true;
  }

  choose(index: number): void {
    if (index in this.entries) {
      this.chosen = index;
    }
  }

  /** Where the input of the pattern is that is looked at. */
  get place(): PatternPlace | undefined {
    return this.entries[this.chosen]?.place;
  }

  /** The pattern that is looked at with its text, while its input is in its document. */
  get placed(): ({ readonly place: PatternPlace } & ReturnType<typeof spans>) | undefined {
    const entry = this.entries[this.chosen];
    return entry?.place === undefined ? undefined : { place: entry.place, ...spans(entry.shown) };
  }

  get view(): PatternView | undefined {
    const entry = this.entries[this.chosen];
    return entry === undefined ? undefined : { ...entry.shown, isKnown: entry.place !== undefined };
  }

  get choice(): Choice {
    return { labels: this.entries.map(({ shown }) => label(shown)), chosen: this.chosen };
  }

  /** The server forgets the pattern of an input that has changed; here it can still be looked at. */
  private outdate(entry: Entry | undefined): void {
    if (entry !== undefined) {
      entry.place = undefined;
    }
  }
}

/** The document with the beginning of the pattern. */
function label({ name, parts, holes }: Omit<PatternView, "isKnown">): string {
  const text = parts
    .map((part) => (typeof part === "string" ? part : (holes[part]?.before ?? "") + (holes[part]?.mark ?? "") + (holes[part]?.after ?? "")))
    .join("")
    .replace(/\s+/g, " ");
  return `${name}: ${text.length > LABEL ? `${text.slice(0, LABEL)}…` : text}`;
}
