import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { AT_NIGHT, addSettings, builtVsix, startEditor, until } from "./editor.mjs";

/** Takes the test command away, and has the panel wait until it is asked for. */
function withoutCommand(folder) {
  rmSync(join(folder, "boildown.toml"));
  addSettings(folder, { "boildown.revealPanel": false });
}

suite("someone who starts with Boildown", () => {
  let editor;
  before(async () => (editor = await startEditor({ vsix: builtVsix() })));
  after(() => editor?.close());

  test("reduces, is asked for the command that fails, and pastes it", () =>
    editor.inWindow("crash", async (window) => {
      const { page, input } = window;
      await window.openFile("crash.json");
      await window.run("Boildown: Reduce Failing Input");
      await page.locator(".quick-input-title", { hasText: "Test command for crash.json" }).waitFor();
      assert.equal(await page.locator(".notification-toast").count(), 0, "what the box asks for is no warning beside it");
      await input.fill("python3 prices.py crash.json");
      await page.keyboard.press("Enter");
      await window.toast('boildown.toml has now: files = ["crash.json"]').getByRole("button", { name: "Undo" }).waitFor();
      const ended = await window.ended("Reduced 1,578 → 34 bytes: exit 1: ZeroDivisionError in ");
      assert.equal(await page.locator(".notification-toast").count(), 1, "one message is shown at a time");
      await window.answer(ended, "Show Details");
      await window.panel.locator("#claim", { hasText: "no single character of it can be left out" }).waitFor();
      assert.equal(
        readFileSync(join(window.folder, "boildown.toml"), "utf8"),
        '[[input]]\nfiles = ["crash.json"]\ncommand = "python3 prices.py crash.json"\n',
      );
    }, { prepare: withoutCommand }));

  test("is asked where to keep an input that was never saved", () =>
    editor.inWindow("crash", async (window) => {
      const { page, input } = window;
      await page.locator(".editor-group-container.empty").dblclick();
      await page.locator(".editor-instance .view-line").first().waitFor();
      await page.keyboard.type("[0]");
      await window.run("Boildown: Set Test Command");
      await page.locator(".quick-input-title", { hasText: "Save As" }).waitFor();
      // The dialogue fills in the folder later, over what was typed before.
      await until(async () => (await input.inputValue()).includes("crash"), async () => `the dialogue proposes ${await input.inputValue()}`);
      await input.fill(join(window.folder, "kept.json"));
      await page.keyboard.press("Enter");
      await page.locator(".quick-input-title", { hasText: "Test command for kept.json" }).waitFor();
      await input.fill("grep -q 0 kept.json");
      await page.keyboard.press("Enter");
      const entry = 'files = ["kept.json"]\ncommand = "grep -q 0 kept.json"\n';
      const config = () => readFileSync(join(window.folder, "boildown.toml"), "utf8");
      await until(() => config().includes(entry), () => `boildown.toml is ${config()}`);
    }));

  test("sees its pictures on the extension's page", () =>
    editor.inWindow("crash", async (window) => {
      const { page } = window;
      await page.keyboard.press("Control+Shift+x");
      await page.locator(".extension-list-item", { hasText: "Boildown" }).first().click();
      const pictures = window.editorPage.locator("img[alt]");
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

  test("is shown a sample by the walkthrough", AT_NIGHT, () =>
    editor.inWindow("crash", async (window) => {
      const { page } = window;
      await window.hideSidebar();
      await window.run("Welcome: Open Walkthrough...");
      await window.input.fill("Boil down");
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "Boil down a failing input" }).first().waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Reduce the Sample" }).waitFor();
      await page.frameLocator("iframe.webview").frameLocator("iframe#active-frame").getByText("What happens").waitFor();
      await window.picture("walkthrough-light");
      await page.getByRole("button", { name: "Reduce the Sample" }).click();
      await window.ended("Reduced ");
      await window.tab("orders.json (reduced)").waitFor();
    }));
});
