import assert from "node:assert/strict";
import { test } from "node:test";
import { abridged, difference } from "../panel/difference";

test("what was removed and what is new is told apart", () => {
  const parts = difference("keep drop keep", "keep new keep") ?? [];
  assert.deepEqual(
    parts.map(({ value, added, removed }) => [value, added, removed]),
    [["keep ", false, false], ["drop", false, true], ["new", true, false], [" keep", false, false]],
  );
});

test("texts that would take too long are not compared", () => {
  assert.equal(difference("x".repeat(60_001), "x"), undefined);
});

test("a long removed part is shown by its ends", () => {
  assert.equal(abridged("x".repeat(80)), "x".repeat(80));
  assert.equal(abridged("a".repeat(20) + "b".repeat(2000) + "c".repeat(20)), `${"a".repeat(20)}⋯ 2,000 characters ⋯${"c".repeat(20)}`);
});
