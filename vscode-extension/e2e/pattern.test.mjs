import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { AT_NIGHT, builtVsix, startEditor, until } from "./editor.mjs";

const INPUT = '{"orders":[{"price":0,"count":0}]}';

/** The input is small already, so that there is little to wait for. */
function prepare(folder) {
  writeFileSync(join(folder, "crash.json"), INPUT);
}

/** The program prints what is no price, and the test command is judged by that. */
function prepareWrongOutput(folder) {
  prepare(folder);
  const program = readFileSync(join(folder, "prices.py"), "utf8");
  writeFileSync(join(folder, "prices.py"), program.replace(' / order["count"]', ' / order["count"] if order["count"] else "nan"'));
  const config = readFileSync(join(folder, "boildown.toml"), "utf8");
  writeFileSync(join(folder, "boildown.toml"), `${config}reproduces = { stdout = "nan" }\n`);
}

async function generalize(window) {
  await window.openFile("crash.json");
  await window.run("Boildown: Generalize Failing Input");
  const { panel } = window;
  await panel.locator("#pattern-text .hole").first().waitFor({ timeout: 300_000 });
  return panel;
}

suite("the pattern of a failing input", () => {
  let editor;
  before(async () => (editor = await startEditor({ vsix: builtVsix() })));
  after(() => editor?.close());

  for (const dark of [false, true]) {
    const theme = dark ? "dark" : "light";
    test(`is shown in the panel, in a hover and in the text, in the ${theme} theme`, dark ? AT_NIGHT : {}, () =>
      editor.inWindow("crash", async (window) => {
        const { page } = window;
        const panel = await generalize(window);
        await window.ended("It fails for");
        const hole = panel.locator("#pattern-text .hole", { hasText: "⟨value⟩" }).first();
        const [name, number] = [await hole.innerText(), await hole.getAttribute("data-number")];
        await hole.press("Enter");
        assert.equal(await hole.getAttribute("aria-pressed"), "true");
        assert.match(await panel.locator("#evidence").innerText(), /\d+ of \d+ random texts failed alike[^]*Stood there: 0/);
        assert.equal(await panel.locator("#instances li").count(), 3);

        await page.locator(".editor-instance .squiggly-inline-unnecessary", { hasText: "0" }).first().waitFor({ state: "attached" });
        await page.locator(".editor-instance .view-line", { hasText: `${name} is` }).first().waitFor();
        // What is pointed at in one place lights up in the others, at first in the panel.
        await window.hover('"orders"');
        await panel.locator("#pattern-text").and(panel.locator(":not(:has(.lit))")).waitFor();
        await page.locator(".editor-instance .squiggly-inline-unnecessary", { hasText: "0" }).first().hover({ force: true });
        await panel.locator(`#pattern-text .lit[data-number="${number}"]`).first().waitFor();
        await window.makeRoom();
        await window.hideToasts();
        await window.picture(`pattern-${theme}`);
        await panel.getByRole("button", { name: "Show Tree" }).click();
        await window.tab("Tree of crash.json").waitFor();
        const node = window.editorPage.locator(`#picture [data-number="${number}"]`).first();
        await node.waitFor();
        await hole.hover();
        await window.editorPage.locator("#picture .lit").first().waitFor();
        await window.run("View: Toggle Panel Visibility");
        await node.hover();
        await window.picture(`tree-${theme}`, { mouse: true });
        await page.locator('.tab[data-resource-name="crash.json"]').click();
        await window.tab("crash.json").waitFor();
        await window.hover('"orders"');
        await page.locator(".monaco-hover:visible", { hasText: name }).first().waitFor();
        await window.picture(`hover-${theme}`, { mouse: true });
      }, { dark, prepare }));
  }

  test("becomes a test, further inputs and a bug report, and is of no more use when the input changes", AT_NIGHT, () =>
    editor.inWindow("crash", async (window) => {
      const { page } = window;
      const panel = await generalize(window);
      await panel.getByRole("button", { name: "Write Test" }).click();
      await window.tab("test_crash_inputs.py").waitFor();
      const written = readFileSync(join(window.folder, "test_crash_inputs.py"), "utf8");
      assert.match(written, /^def test_/m);
      await panel.getByRole("button", { name: "More Inputs" }).click();
      await window.tab("crash.inputs.txt").waitFor();
      await panel.getByRole("button", { name: "Copy Report" }).click();
      await window.ended("The bug report is on the clipboard");
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^# `+exit 1: ZeroDivisionError[^]*```json\n\{"orders"/);
      await page.getByRole("tab", { name: "crash.json" }).click();
      await window.tab("crash.json").waitFor();
      await page.locator(".editor-instance .view-line").first().click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("[");
      await panel.getByText("The input has changed since this pattern was found").waitFor();
      assert.equal(await panel.getByRole("button", { name: "Copy Report" }).isDisabled(), true);
    }, { prepare }));

  test("becomes a test of the right output, for which the user is asked where it was wrong", () =>
    editor.inWindow("crash", async (window) => {
      const { page, input } = window;
      const panel = await generalize(window);
      await panel.getByRole("button", { name: "Write Test" }).click();
      await page.locator(".quick-input-title", { hasText: "Write Regression Test" }).waitFor();
      await page.locator(".quick-input-message", { hasText: "What should the program print for the reduced input?" }).waitFor();
      await input.fill("0.0");
      await window.picture("expected");
      await page.keyboard.press("Enter");
      await window.tab("test_crash_inputs.py").waitFor();
      const written = readFileSync(join(window.folder, "test_crash_inputs.py"), "utf8");
      assert.match(written, /\ndef test_output\(\):\n {4}done = run\(INPUTS\[0\]\)\n.* == '0\.0'\n$/);
    }, { prepare: prepareWrongOutput }));
});
