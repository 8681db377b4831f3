import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { hasModules, missingModule, pythonWith } from "../testPython";

/** Sentences of the server that are read here; its own tests compare them with what it says. */
const messages = JSON.parse(readFileSync("src/test/messages.json", "utf8")) as { readonly missingModule: string };

test("the missing module is read from the server's words", () => {
  assert.equal(missingModule(`It ended. ${messages.missingModule}`), "nowhere");
  assert.equal(missingModule("It ended. The module 'yaml.nodes' is missing: is this the project's own?"), "yaml.nodes");
  assert.equal(missingModule("The test passes."), undefined);
});

test("the first interpreter that has the module and pytest is offered, each asked once", async () => {
  const asked: string[] = [];
  const has = (python: string, modules: readonly string[]) => {
    asked.push(`${python}: ${modules.join(" ")}`);
    return Promise.resolve(python === "b");
  };
  assert.equal(await pythonWith("yaml.nodes", ["a", "a", "b", "c"], has), "b");
  assert.deepEqual(asked, ["a: pytest yaml", "b: pytest yaml"]);
  assert.equal(await pythonWith("yaml", ["a"], has), undefined);
});

test("an interpreter is asked for its modules", async () => {
  assert.equal(await hasModules("python3", ["json", "os"]), true);
  assert.equal(await hasModules("python3", ["json", "no_such_module"]), false);
  assert.equal(await hasModules("/nowhere/python", ["json"]), false);
});
