import assert from "node:assert/strict";
import { test } from "node:test";
import { serverCommands } from "../serverCommands";

test("the commands that the server tells of are found by their names", () => {
  const reduce = { name: "boildown.reduce", job: true, shown: true };
  assert.deepEqual(serverCommands({ boildown: { commands: [reduce] } }).get("boildown.reduce"), reduce);
});

test("a server that tells of no commands has none to wait for", () => {
  for (const experimental of [undefined, null, {}, { boildown: {} }]) {
    assert.equal(serverCommands(experimental).size, 0);
  }
});
