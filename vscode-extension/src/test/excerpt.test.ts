import assert from "node:assert/strict";
import { test } from "node:test";
import { excerpt, isLong } from "../excerpt";

test("of a long text its head and its tail are shown, with what is missing between them", () => {
  const short = "x".repeat(200_000);
  assert.deepEqual([isLong(short), excerpt(short)], [false, short]);
  const [head, tail] = ["a".repeat(20_000), "c".repeat(20_000)];
  assert.equal(excerpt(head + "b".repeat(161_234) + tail), `${head}\n\n⋯ 161,234 characters not shown ⋯\n\n${tail}`);
});
