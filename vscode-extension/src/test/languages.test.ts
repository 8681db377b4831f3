import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { installComplaint, requirements, selector } from "../languages";

test("the documents of a language are found by name and by the editor's word", () => {
  const language = { name: "typescript", title: "TypeScript", files: ["*.ts", ".tsrc"], ids: ["tsx"], missing: "tree-sitter" };
  assert.deepEqual(selector(language), [
    { pattern: "**/*.ts" }, { pattern: "**/.tsrc" }, { language: "typescript" }, { language: "tsx" },
  ]);
});

test("the languages' packages are read from the metadata, and no others", () => {
  const metadata = [
    "Name: boildown",
    "Requires-Dist: lark<2,>=1.2",
    "Requires-Dist: tree-sitter-c>=0.24; extra == 'dev'",
    "Requires-Dist: tree-sitter>=0.25",
    "Requires-Dist: tree-sitter-go<1,>=0.24 ",
  ].join("\n");
  assert.deepEqual(requirements(metadata), ["tree-sitter>=0.25", "tree-sitter-go<1,>=0.24"]);
});

test("the server's metadata names tree-sitter and its languages", () => {
  const declared = readFileSync("../pyproject.toml", "utf8").matchAll(/^ *"(tree-sitter[^"]*)",/gm);
  assert.ok([...declared].length > 10);
});

test("what pip says is turned into what to do", () => {
  assert.match(installComplaint("/usr/bin/python3", "error: externally-managed-environment\n\nSee PEP 668"), /belongs to the system.*virtual environment/);
  assert.match(installComplaint("p", "p: No module named pip\n"), /p has no pip/);
  assert.equal(
    installComplaint("p", "Looking\nERROR: No matching distribution\n\n"),
    "pip could not install the languages into the environment of p: ERROR: No matching distribution",
  );
});
