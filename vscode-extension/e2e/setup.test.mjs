import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { builtVsix, startEditor } from "./editor.mjs";

suite("someone who starts with Boildown", () => {
  let editor;
  before(async () => (editor = await startEditor({ vsix: builtVsix() })));
  after(() => editor?.close());

  test("pastes the command that fails, and reduces", () =>
    editor.inWindow("crash", async (window) => {
      const { page, input } = window;
      await window.openFile("crash.json");
      await window.run("Boildown: Set Test Command");
      await page.locator(".quick-input-title", { hasText: "Test command for crash.json" }).waitFor();
      await input.fill("python3 prices.py crash.json");
      await page.keyboard.press("Enter");
      await window.ended("Reduced: 1,578 → 34 bytes");
      assert.equal(
        readFileSync(join(window.folder, "boildown.toml"), "utf8"),
        '[[input]]\nfiles = ["crash.json"]\ncommand = "python3 prices.py crash.json"\n',
      );
    }, { prepare: (folder) => rmSync(join(folder, "boildown.toml")) }));

  test("does not wait for it when the editor starts", (context) =>
    editor.inWindow("crash", async (window) => {
      await window.run("Developer: Show Running Extensions");
      const row = window.page.locator(".runtime-extensions-editor .extension", { hasText: "Boildown" });
      const time = row.locator(".activation-time", { hasText: /Activation: \d+ms/ });
      await time.waitFor();
      // A figure to look at: on a busy machine it says nothing.
      context.diagnostic(`Boildown: ${await time.innerText()}`);
    }));

  test("is shown a sample by the walkthrough", () =>
    editor.inWindow("crash", async (window) => {
      const { page } = window;
      await window.run("Welcome: Open Walkthrough...");
      await window.input.fill("Boil down");
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "Boil down a failing input" }).first().waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Reduce the Sample" }).waitFor();
      await window.picture("walkthrough-light");
      await page.getByRole("button", { name: "Reduce the Sample" }).click();
      await window.ended("Reduced:");
      await window.tab("orders.json (reduced)").waitFor();
    }));
});
