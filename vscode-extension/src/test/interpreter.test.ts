import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { choose, complaint, judge, probe, projectPythons } from "../interpreter";

test("a version is read from the interpreter's answer", () => {
  assert.deepEqual(judge(["python3"], "3 11\n"), { argv: ["python3"], version: [3, 11] });
  assert.deepEqual(judge(["python3"], "3 10\n"), { argv: ["python3"], version: [3, 10] });
  assert.deepEqual(judge(["python3"], "4 0\n"), { argv: ["python3"], version: [4, 0] });
});

test("what can't run the server is rejected with a reason", () => {
  assert.deepEqual(judge(["old"], "3 9\n"), { argv: ["old"], reason: "is Python 3.9" });
  assert.deepEqual(judge(["old"], "2 7\n"), { argv: ["old"], reason: "is Python 2.7" });
  assert.deepEqual(judge(["ls"], "usage: ls\n"), { argv: ["ls"], reason: "is not a Python interpreter" });
  assert.deepEqual(judge(["true"], ""), { argv: ["true"], reason: "is not a Python interpreter" });
});

test("probing tells a missing program from a failing one", async () => {
  assert.deepEqual(await probe(["/nowhere/python"]), { argv: ["/nowhere/python"], reason: "was not found" });
  assert.deepEqual(await probe(["false"]), { argv: ["false"], reason: "could not be run" });
  assert.deepEqual(await probe([]), { argv: [], reason: "is empty" });
});

test("the first interpreter that is new enough is chosen, and no later one is run", async () => {
  const asked: string[] = [];
  const answers = new Map([["a", "3 8"], ["b", "3 12"], ["c", "3 13"]]);
  const ask = (argv: readonly string[]) => {
    asked.push(argv[0] ?? "");
    return Promise.resolve(judge(argv, answers.get(argv[0] ?? "") ?? ""));
  };
  assert.deepEqual(await choose([["a"], ["b"], ["c"]], ask), { argv: ["b"], version: [3, 12] });
  assert.deepEqual(asked, ["a", "b"]);
});

test("without any, each candidate is named with what is wrong with it", async () => {
  const rejected = await choose([["a"], ["b", "-E"]], (argv) => Promise.resolve({ argv, reason: "was not found" }));
  assert.ok(Array.isArray(rejected));
  assert.equal(
    complaint(rejected),
    "Boildown needs Python 3.10 or later. a was not found; b -E was not found. " +
      "Set boildown.interpreter to one that is new enough.",
  );
});

test("a project's environments are found in order", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "boildown-"));
  context.after(() => { rmSync(folder, { recursive: true }); });
  for (const environment of [".tox/py312", ".tox/py310", ".venv"]) {
    mkdirSync(join(folder, environment, "bin"), { recursive: true });
    writeFileSync(join(folder, environment, "bin", "python"), "");
  }
  mkdirSync(join(folder, ".tox", "log"));
  assert.deepEqual(
    projectPythons(folder).map((path) => path.slice(folder.length)),
    ["/.venv/bin/python", "/.tox/py310/bin/python", "/.tox/py312/bin/python"],
  );
});

test("a folder without environments has none", () => {
  assert.deepEqual(projectPythons("/nowhere"), []);
});
