import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, suite, test } from "node:test";
import { builtVsix, startEditor, until } from "./editor.mjs";

const REDUCED = `{"orders":[{"price":0,"count":0}]}`;

suite("a JSON file with a test command", () => {
  let editor;
  let window;

  before(async () => (editor = await startEditor({ vsix: builtVsix() })));
  after(() => editor?.close());
  beforeEach(async () => {
    window = await editor.open("crash");
    await window.openFile("crash.json");
  });
  afterEach(async (context) => {
    await window.keepEvidence(context.name.replaceAll(/\W+/g, "-"));
    await window.close();
  });

  test("is reduced from the palette, compared, and replaced by Apply", async () => {
    await window.run("Boildown: Reduce Failing Input");
    const question = window.toast("Reduced:");
    await question.waitFor();
    await window.page.locator(".tab.active", { hasText: "crash.json (reduced)" }).waitFor();
    await window.answer(question, "Apply");
    await window.waitForText(REDUCED);
  });
});
