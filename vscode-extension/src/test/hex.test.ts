import assert from "node:assert/strict";
import { test } from "node:test";
import { dumped, isBinary } from "../panel/hex";

const PNG = "\udc89PNG\r\n\x1a\n\0\0\0\rIHDRä";

test("a text is binary if many of its characters are bytes that are no text", () => {
  assert.deepEqual(["", "a longer text\t\r\nä 😀\0", "\udc89PNG", "\0\0a", `\udc89${"x".repeat(20)}`].map(isBinary), [false, false, true, true, false]);
});

test("bytes are shown by offset, in hexadecimal, and as letters", () => {
  assert.equal(dumped(PNG), [
    "000000  89 50 4e 47 0d 0a 1a 0a  ·PNG····",
    "000008  00 00 00 0d 49 48 44 52  ····IHDR",
    `000010  c3 a4${" ".repeat(18)}  ··`,
  ].join("\n"));
  assert.match(dumped("x".repeat(5000)), /\n000ff8 .*\n⋯ 904 bytes more$/);
});
