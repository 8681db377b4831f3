import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, legible, type Part } from "../panel/difference";

const kept = (text: string): Part => ({ kind: "kept", text });
const removed = (text: string): Part => ({ kind: "removed", text });
const added = (text: string): Part => ({ kind: "added", text });

test("what was removed and what is new is told apart, by words and strings", () => {
  assert.deepEqual(difference("keep drop keep", "keep new keep"), [
    kept("keep "), removed("drop"), added("new"), kept(" keep"),
  ]);
  assert.deepEqual(difference('{"a": 1, "b c": 2}', '{"b c":2}'), [
    kept("{"), removed('"a": 1, '), kept('"b c":'), removed(" "), kept("2}"),
  ]);
});

test("texts that would take too long are not compared", () => {
  assert.equal(difference("x".repeat(60_001), "x"), undefined);
});

test("a long removed part is shown by its ends", () => {
  assert.deepEqual(legible([removed("x".repeat(80))]), [removed("x".repeat(80))]);
  assert.deepEqual(legible([kept("k".repeat(2040)), removed("a".repeat(20) + "b".repeat(2000) + "c".repeat(20))]), [
    kept("k".repeat(2040)),
    removed("a".repeat(20)),
    { kind: "omitted", text: " ⋯ 2,000 characters ⋯ " },
    removed("c".repeat(20)),
  ]);
});

test("of a long text that is left head and tail are shown", () => {
  const [head, tail] = ["h".repeat(10_000), "t".repeat(10_000)];
  assert.deepEqual(legible([kept(`${head}${"m".repeat(20_000)}${tail}`)]), [kept(`${head}${"m".repeat(20_000)}${tail}`)]);
  assert.deepEqual(legible([kept(`${head}${"m".repeat(20_001)}${tail}`)]), [
    kept(head), { kind: "omitted", text: " ⋯ 20,001 characters ⋯ " }, kept(tail),
  ]);
});

test("white space around lines is not struck through", () => {
  assert.deepEqual(legible([removed("\n  a b,\n  c\n")]), [
    kept("\n  "), removed("a b,"), kept("\n  "), removed("c"), kept("\n"),
  ]);
});
