/** Where the rows of a tree are drawn: children from left to right, each node centred above its own. */

import type { Row } from "../panel/messages";

export interface Spot {
  /** The index of the row. */
  readonly row: number;
  /** The index of its parent's row; -1 for the root. */
  readonly parent: number;
  /** The middle of the caption. */
  readonly x: number;
  readonly level: number;
}

/** The parent of each row, which stand in preorder. */
export function parents(rows: readonly Pick<Row, "level">[]): number[] {
  const path: number[] = [];
  return rows.map(({ level }, index) => {
    path[level] = index;
    return level > 0 ? (path[level - 1] ?? -1) : -1;
  });
}

/** The spots of all rows that no folded one is above, with the width of the picture; `widths` are those of captions. */
export function laidOut(rows: readonly Pick<Row, "level">[], widths: readonly number[], folded: ReadonlySet<number>): { spots: Spot[]; width: number } {
  const above = parents(rows);
  const shown: number[] = [];
  const isShown = rows.map(() => false);
  for (const [row, parent] of above.entries()) {
    if (parent < 0 || (isShown[parent] === true && !folded.has(parent))) {
      isShown[row] = true;
      shown.push(row);
    }
  }
  const inner = rows.map(() => 0);
  const needed = [...widths];
  // From the last to the first, so that a subtree's width is known when its parent's is needed.
  for (const row of [...shown].reverse()) {
    const width = Math.max(widths[row] ?? 0, inner[row] ?? 0);
    needed[row] = width;
    const parent = above[row] ?? -1;
    if (parent >= 0) {
      inner[parent] = (inner[parent] ?? 0) + width;
    }
  }
  const free = rows.map(() => 0);
  const spots = shown.map((row): Spot => {
    const parent = above[row] ?? -1;
    const width = needed[row] ?? 0;
    const start = parent < 0 ? 0 : (free[parent] ?? 0);
    if (parent >= 0) {
      free[parent] = start + width;
    }
    free[row] = start + (width - (inner[row] ?? 0)) / 2;
    return { row, parent, x: start + width / 2, level: rows[row]?.level ?? 0 };
  });
  return { spots, width: needed[0] ?? 0 };
}
