import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, count, duration } from "../panel/counts";

test("there is one of a thing, or several", () => {
  assert.deepEqual([0, 1, 2, 1578].map((number) => count(number, "byte")), ["0 bytes", "1 byte", "2 bytes", "1,578 bytes"]);
});

test("sizes have two or three figures", () => {
  const sizes = { 1: "1 byte", 999: "999 bytes", 1000: "1.0 kB", 1578: "1.6 kB", 99_949: "99.9 kB", 99_950: "100 kB", 999_499: "999 kB", 999_500: "1.0 MB", 5_600_000: "5.6 MB", 2.5e9: "2.5 GB" };
  assert.deepEqual(Object.keys(sizes).map((number) => bytes(Number(number))), Object.values(sizes));
});

test("times are told in the two largest units", () => {
  assert.deepEqual([0.4, 59.4, 59.6, 252, 7500].map(duration), ["0 s", "59 s", "1 min 0 s", "4 min 12 s", "2 h 5 min"]);
});
