import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { builtVsix, startEditor, until } from "./editor.mjs";

suite("someone who starts with Boildown", () => {
  let editor;
  before(async () => (editor = await startEditor({ vsix: builtVsix() })));
  after(() => editor?.close());

  test("reduces, is asked for the command that fails, and pastes it", () =>
    editor.inWindow("crash", async (window) => {
      const { page, input } = window;
      await window.openFile("crash.json");
      await window.run("Boildown: Reduce Failing Input");
      await window.toast("No test command is configured for crash.json").waitFor();
      await page.locator(".quick-input-title", { hasText: "Test command for crash.json" }).waitFor();
      await input.fill("python3 prices.py crash.json");
      await page.keyboard.press("Enter");
      await window.ended("Reduced: 1,578 → 34 bytes");
      assert.equal(
        readFileSync(join(window.folder, "boildown.toml"), "utf8"),
        '[[input]]\nfiles = ["crash.json"]\ncommand = "python3 prices.py crash.json"\n',
      );
    }, { prepare: (folder) => rmSync(join(folder, "boildown.toml")) }));

  test("sees its pictures on the extension's page", () =>
    editor.inWindow("crash", async (window) => {
      const { page } = window;
      await page.keyboard.press("Control+Shift+x");
      await page.locator(".extension-list-item", { hasText: "Boildown" }).first().click();
      const pictures = window.panel.locator("img[alt]");
      await pictures.first().waitFor();
      const widths = () => pictures.evaluateAll((all) => all.map((each) => each.naturalWidth));
      await until(async () => (await widths()).length === 4 && (await widths()).every((width) => width === 1280), async () => `the widths of the pictures are ${await widths()}`);
    }));

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
      await window.hideSidebar();
      await window.run("Welcome: Open Walkthrough...");
      await window.input.fill("Boil down");
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "Boil down a failing input" }).first().waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Reduce the Sample" }).waitFor();
      await window.panel.getByText("What happens").waitFor();
      await window.picture("walkthrough-light");
      await page.getByRole("button", { name: "Reduce the Sample" }).click();
      await window.ended("Reduced:");
      await window.tab("orders.json (reduced)").waitFor();
    }));
});
