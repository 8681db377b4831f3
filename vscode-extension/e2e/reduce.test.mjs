import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { AT_NIGHT, addSettings, builtVsix, startEditor, until } from "./editor.mjs";

const REDUCED = '{"orders":[{"price":0,"count":0}]}';

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Makes every run slow enough for something to happen in the meantime, until there is a file `quick`. */
function slowDown(folder) {
  const command = `["sh", "-c", "echo run >> '${folder}.log'; test -e '${folder}.quick' || sleep 0.3; exec python3 prices.py $0", "{file}"]`;
  writeFileSync(join(folder, "boildown.toml"), `[[input]]\nfiles = ["*.json"]\ncommand = ${command}\n`);
}

/** How often the test command was run. */
function runs(folder) {
  const log = `${folder}.log`;
  return existsSync(log) ? readFileSync(log, "utf8").length / "run\n".length : 0;
}

/** Opens the menu of the text, and returns what Boildown offers in it. */
async function contextMenu(window) {
  const { page } = window;
  const ours = page.locator(".monaco-menu .action-item", { hasText: /^Boildown$/ });
  const entries = page.locator(".monaco-submenu .action-label");
  await until(async () => {
    await page.keyboard.press("Escape");
    await page.locator(".editor-instance .view-line").first().click({ button: "right" });
    await ours.hover({ timeout: 3000 }).catch(() => {});
    return entries.first().waitFor({ timeout: 3000 }).then(() => true, () => false);
  }, () => "the menu does not open");
  const found = await entries.allInnerTexts();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  return found.map((each) => each.trim()).filter((each) => each !== "");
}

/** Waits until the menu offers what it should now. */
async function waitForMenu(window, expected) {
  let found = [];
  await until(async () => (found = await contextMenu(window)).join() === expected.join(), () => `the menu offers ${found.join(", ")}`);
}

const FIRST = ["Reduce Failing Input", "Generalize Failing Input"];
const LAST = ["Show Derivation Tree", "Check Test Command", "Show All Actions"];

async function reduceSlowly(window) {
  await window.openFile("crash.json");
  await window.run("Boildown: Reduce Failing Input");
  const progress = window.toast("reducing");
  await progress.filter({ hasText: /[1-9]\d* runs/ }).waitFor();
  return progress;
}

suite("a JSON file with a test command", () => {
  let editor;
  before(async () => (editor = await startEditor({ vsix: builtVsix() })));
  after(() => editor?.close());

  test("is reduced from the palette, compared, and replaced by Apply", () =>
    editor.inWindow("crash", async (window) => {
      await window.openFile("crash.json");
      const original = readFileSync(join(window.folder, "crash.json"), "utf8");
      await window.run("Boildown: Reduce Failing Input");
      const question = await window.ended("Reduced 1,578 → 34 bytes");
      await window.tab("crash.json (reduced)").waitFor();
      await window.answer(question, "Apply");
      await window.tab("crash.json").waitFor();
      await window.waitForText(REDUCED);
      assert.equal(await window.tab("crash.json (reduced)").count(), 0);
      await window.page.keyboard.press("Control+z");
      await until(async () => (await window.text()).startsWith('{\n'), () => "Undo does not bring the input back");
      assert.equal(readFileSync(join(window.folder, "crash.json"), "utf8"), original);
    }));

  test("has a menu of what makes sense now, and Undo for what went into it", () =>
    editor.inWindow("crash", async (window) => {
      await window.openFile("crash.json");
      await waitForMenu(window, [...FIRST, ...LAST]);
      await window.run("Boildown: Reduce Failing Input");
      await window.answer(await window.ended("Reduced 1,578 → 34 bytes: exit 1: ZeroDivisionError in "), "Undo");
      await until(async () => (await window.text()).startsWith('{\n  "shop"'), () => "Undo does not bring the input back");
      await window.run("Boildown: Reduce Failing Input");
      await window.waitForText(REDUCED);
      await waitForMenu(window, [...FIRST, "Copy Bug Report", "Undo Reduction", "Why Does It Fail?", "Try Without This", "Show History", ...LAST]);
      await window.run("Boildown: Show All Actions");
      await window.page.locator(".action-widget").getByText("Boildown: try without this").waitFor();
      await window.picture("actions-light");
      await window.page.keyboard.press("Escape");
    }, { prepare: (folder) => {
      addSettings(folder, { "boildown.applyResult": "edit" });
      // An input that was reduced before would have a bug report from the start.
      const file = join(folder, "crash.json");
      writeFileSync(file, readFileSync(file, "utf8").replace("Lisbon", "London"));
    } }));

  test("has its size in the status bar while it is reduced, and the panel behind that", AT_NIGHT, () =>
    editor.inWindow("crash", async (window) => {
      await reduceSlowly(window);
      await window.run("View: Hide Panel");
      await window.page.locator(".part.panel").waitFor({ state: "hidden" });
      const item = window.page.locator('[id="boildown.boildown.job"]', { hasText: /1,578 → [\d,]+ bytes/ });
      await item.locator("a").first().click();
      await window.panel.locator("#size").waitFor();
      await window.run("Boildown: Cancel");
      await item.waitFor({ state: "hidden" });
    }, { prepare: slowDown }));

  test("is left alone by Discard", () =>
    editor.inWindow("crash", async (window) => {
      await window.openFile("crash.json");
      await window.run("Boildown: Reduce Failing Input");
      await window.ended("Reduced ");
      await window.tab("crash.json (reduced)").waitFor();
      await window.page.getByRole("button", { name: "Discard Reduced Input" }).click();
      await window.tab("crash.json").waitFor();
      assert.ok((await window.text()).startsWith('{\n  "shop": "Corner Store",\n'));
      assert.equal(await window.page.locator(".tab.dirty").count(), 0);
      assert.equal(await window.page.getByText("crash.json (reduced)").count(), 0);
    }));

  test("is reduced as far as it got when the job is cancelled", () =>
    editor.inWindow("crash", async (window) => {
      const progress = await reduceSlowly(window);
      await window.answer(progress, "Cancel");
      await window.toast("stopped early").waitFor();
      await window.tab("crash.json (reduced)").waitFor();
      const count = runs(window.folder);
      await window.page.waitForTimeout(1500);
      assert.equal(runs(window.folder), count, "a cancelled job goes on running the test command");
    }, { prepare: slowDown }));

  test("stays as it is when it changed meanwhile", () =>
    editor.inWindow("crash", async (window) => {
      const progress = await reduceSlowly(window);
      await window.page.locator(".editor-instance .view-line").first().click();
      await window.page.keyboard.press("Control+Home");
      await window.page.keyboard.type(" ");
      await window.run("Boildown: Cancel");
      await progress.waitFor({ state: "detached" });
      await window.toast("The document has changed meanwhile and stays as it is").waitFor();
      // It is opened beside only where nobody types any more.
      await until(() => existsSync(join(window.folder, "crash.reduced.json")), () => "no file beside");
      await window.page.getByRole("tab", { name: "crash.json" }).click();
      await window.tab("crash.json").waitFor();
      assert.ok((await window.text()).startsWith(" {\n"));
    }, { prepare: slowDown }));

  test("is shown in the panel while it is reduced, and Cancel offers the best so far", () =>
    editor.inWindow("crash", async (window) => {
      await reduceSlowly(window);
      const { panel } = window;
      await panel.locator("#curve svg").waitFor();
      await until(async () => /1\.6 kB → \d{1,3} bytes/.test(await panel.locator("#size").innerText()), () => "no size");
      await panel.getByRole("button", { name: "Cancel" }).click();
      await window.answer(await window.ended("stopped early"), "Apply");
      await window.page.locator(".tab.dirty", { hasText: "crash.json" }).waitFor();
      // The text comes a moment after the mark of a change.
      await until(async () => isJson(await window.text()), async () => `no JSON: ${await window.text()}`);
      assert.ok((await window.text()).length < 1000);
      assert.equal(await panel.locator("#phase").innerText(), "Ended");
    }, { prepare: slowDown }));

  test("is applied and taken back by the lenses above it, after the toast is gone", () =>
    editor.inWindow("crash", async (window) => {
      const { page } = window;
      await window.openFile("crash.json");
      await window.run("Boildown: Reduce Failing Input");
      await window.ended("Reduced ");
      await window.tab("crash.json (reduced)").waitFor();
      await page.getByRole("tab", { name: "crash.json", exact: true }).click();
      await window.hideToasts();
      const lens = (title) => page.locator(".codelens-decoration a", { hasText: title });
      // The editor keeps the first line where it is, so what comes above it is scrolled to.
      await window.click('"shop"');
      await page.mouse.wheel(0, -500);
      await lens("Boildown: discard").waitFor();
      await window.picture("lenses-light");
      await lens("Boildown: apply").click();
      await window.waitForText(REDUCED);
      await page.getByRole("tab", { name: "crash.json (reduced)" }).waitFor({ state: "detached" });
      await lens("Boildown: undo").click();
      await until(async () => (await window.text()).startsWith("{\n"), () => "the original is not back");
      await lens("Boildown: discard").click();
      await lens("Boildown:").first().waitFor({ state: "detached" });
    }));

  test("gets back an earlier text, from the history and from the panel", AT_NIGHT, () =>
    editor.inWindow("crash", async (window) => {
      const { page, panel } = window;
      await window.openFile("crash.json");
      await window.run("Boildown: Reduce Failing Input");
      await window.answer(await window.ended("Reduced "), "Apply");
      await window.waitForText(REDUCED);
      await window.run("Boildown: Show History");
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "1,578 bytes" }).click();
      await until(async () => (await window.text()).startsWith("{\n"), () => "the original is not back");
      await window.run("Boildown: Focus on Boildown View");
      await panel.locator("#phase", { hasText: "Ended" }).waitFor();
      await panel.getByRole("button", { name: "Restore This" }).click();
      await window.waitForText(REDUCED);
    }));

  test("has its test command checked, and nothing else", () =>
    editor.inWindow("crash", async (window) => {
      await window.openFile("crash.json");
      await window.run("Boildown: Check Test Command");
      await window.ended("It fails: exit 1: ZeroDivisionError in crash/prices.py");
      assert.equal(await window.page.locator(".tab.dirty").count(), 0);
      assert.ok(runs(window.folder) <= 5, "a check runs the test command more often than it must");
    }, { prepare: slowDown }));

  test("tells of each part why it can't go", () =>
    editor.inWindow("crash", async (window) => {
      await window.openFile("crash.json");
      await window.click('"orders"');
      await window.run("Boildown: Try Without This");
      const hover = window.page.locator(".monaco-hover:visible", { hasText: 'Without "orders" it' });
      await window.ended("Nothing can be left out");
      await hover.first().waitFor();
    }, { prepare: (folder) => writeFileSync(join(folder, "crash.json"), REDUCED) }));

  for (const dark of [false, true]) {
    test(`looks right in the ${dark ? "dark" : "light"} theme`, dark ? AT_NIGHT : {}, () =>
      editor.inWindow("crash", async (window) => {
        const theme = dark ? "dark" : "light";
        await reduceSlowly(window);
        await window.panel.locator("#runs", { hasText: /^[1-9] runs?\b/ }).waitFor();
        await window.run("View: Hide Panel");
        await window.page.locator(".part.panel").waitFor({ state: "hidden" });
        await window.notifications(() => window.picture(`progress-${theme}`));
        await window.run("Boildown: Focus on Boildown View");
        await window.makeRoom();
        await window.panel.locator("#runs", { hasText: /^[2-9]\d runs/ }).waitFor();
        await window.hideToasts();
        await window.picture(`panel-${theme}`);
        await window.run("View: Hide Panel");
        await window.page.locator(".part.panel").waitFor({ state: "hidden" });
        writeFileSync(`${window.folder}.quick`, "");
        await window.ended("Reduced ");
        await window.tab("crash.json (reduced)").waitFor();
        await window.picture(`diff-${theme}`);
        await window.run("Boildown: Focus on Boildown View");
        await window.panel.locator("#failing", { hasText: "orders" }).waitFor();
      }, { dark, prepare: slowDown }));
  }
});

suite("a workspace that is not trusted", () => {
  let editor;
  before(async () => (editor = await startEditor({
    vsix: builtVsix(),
    settings: { "security.workspace.trust.enabled": true },
  })));
  after(() => editor?.close());

  test("has nothing run", () =>
    editor.inWindow("crash", async (window) => {
      await window.openFile("crash.json");
      await window.run("Boildown: Reduce Failing Input");
      const refusal = window.toast("not trusted");
      await refusal.waitFor();
      await window.answer(refusal, "Manage Trust");
      await window.page.locator(".workspace-trust-editor").waitFor();
      // This editor takes the focus again and again, which closes the list of files before anything is chosen.
      await window.page.locator('.tab[data-resource-name="crash.json"]').click();
      await window.tab("crash.json").waitFor();
      await window.run("Boildown: Show All Actions");
      await window.page.locator(".action-widget .option-disabled", { hasText: "Boildown: reduce" }).waitFor();
      await window.picture("untrusted-light");
      assert.equal(runs(window.folder), 0);
    }, { prepare: slowDown }));
});

suite("a Python that can't run the server", () => {
  let editor;
  before(async () => (editor = await startEditor({
    vsix: builtVsix(),
    settings: { "boildown.interpreter": ["/nowhere/python"] },
  })));
  after(() => editor?.close());

  test("is named, with a way to choose another", () =>
    editor.inWindow("crash", async (window) => {
      const complaint = window.toast("/nowhere/python was not found");
      await complaint.waitFor();
      await window.answer(complaint, "Choose Python");
      await window.page.locator(".settings-editor", { hasText: "Boildown: Interpreter" }).waitFor();
    }));
});
