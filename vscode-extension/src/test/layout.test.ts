import assert from "node:assert/strict";
import { test } from "node:test";
import { linear, logarithmic, rounded } from "../webview/axis";
import { laidOut, parents } from "../webview/layout";

const ROWS = [0, 1, 2, 2, 1].map((level) => ({ level }));
const WIDTHS = [10, 20, 30, 40, 50];

test("each row of a preorder has the parent that stands above it", () => {
  assert.deepEqual(parents(ROWS), [-1, 0, 1, 1, 0]);
});

test("nodes are centred above their children, which stand beside each other", () => {
  const { spots, width } = laidOut(ROWS, WIDTHS, new Set());
  assert.equal(width, 120);
  assert.deepEqual(spots.map(({ row, x, level }) => [row, x, level]), [[0, 60, 0], [1, 35, 1], [2, 15, 2], [3, 50, 2], [4, 95, 1]]);
});

test("what is below a folded row is not drawn and takes no room", () => {
  const { spots, width } = laidOut(ROWS, WIDTHS, new Set([1]));
  assert.equal(width, 70);
  assert.deepEqual(spots.map(({ row, parent, x }) => [row, parent, x]), [[0, -1, 35], [1, 0, 10], [4, 0, 45]]);
});

test("the marks of an axis of sizes are round and have room", () => {
  const marks = (length: number): number[] => logarithmic(10, 5000, length, 18).map(({ value }) => value);
  assert.deepEqual(marks(300), [10, 20, 50, 100, 200, 500, 1000, 2000, 5000]);
  assert.deepEqual(marks(80), [10, 100, 1000]);
  assert.deepEqual(marks(40), [100]);
  for (let length = 30; length < 400; length += 7) {
    const places = logarithmic(1, 5_000_000, length, 18).map(({ at }) => at);
    assert.ok(places.length > 0 && places.every((at, index) => index === 0 || at - (places[index - 1] ?? 0) >= 18));
  }
});

test("the marks of an axis of runs are round and have room", () => {
  assert.deepEqual(linear(161, 322, 50).map(({ value, at }) => [value, at]), [[0, 0], [50, 100], [100, 200], [150, 300]]);
  assert.deepEqual(linear(1, 100, 30).map(({ value }) => value), [0, 1]);
});

test("a range begins and ends at a round number", () => {
  assert.deepEqual([1, 34, 99, 1578].map((number) => [rounded(number, false), rounded(number, true)]), [[1, 1], [20, 50], [50, 100], [1000, 2000]]);
});
