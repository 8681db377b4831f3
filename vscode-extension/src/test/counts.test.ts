import assert from "node:assert/strict";
import { test } from "node:test";
import { count } from "../panel/counts";

test("there is one of a thing, or several", () => {
  assert.deepEqual([0, 1, 2, 1578].map((number) => count(number, "byte")), ["0 bytes", "1 byte", "2 bytes", "1,578 bytes"]);
});
