/** From a test that failed, in the Testing view, to its reduced input or project: every click and key is counted. */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, suite, test } from "node:test";
import { createVSIX } from "@vscode/vsce";
import { AT_NIGHT, addSettings, builtVsix, startEditor, until } from "./editor.mjs";

const MENU = "Reduce Input of Failing Test";
/** Where each input stands, what is shown of it at the end, and the clicks that this takes from the row of its test. */
const INPUTS = [
  { name: "literal", tab: "test_shop.py", shown: 'check("<")', clicks: 1 },
  { name: "parameter", tab: "test_shop.py", shown: '"["])', clicks: 1 },
  { options: AT_NIGHT, name: "data", tab: "test_shop.py", shown: 'orders = [{"shipping": 4, "items": 0}]', clicks: 1 },
  { options: AT_NIGHT, name: "given", tab: "test_given.py", shown: "@example(sign='<')", clicks: 1 },
  { name: "file", tab: "orders.json", shown: '[{"shipping":0,"items":0}]', clicks: 2 },
];

/** What is done with tests while somebody types, how each tells of its end, and the editors that are open then. */
const FLOWS = [
  { name: "test_file", entry: MENU, told: "Reduced ", tabs: ["notes.txt"] },
  { name: "test_several", entry: MENU, told: "2 inputs of the failing test may matter", tabs: ["notes.txt"] },
  { name: "test_several", entry: "Minimal Reproduction", told: "files are left", tabs: ["notes.txt"] },
  // The editor itself has a tab for what is not saved, behind the others.
  { name: "TestSigns", entry: MENU, told: "Reduced 4 → 1 byte", tabs: ["notes.txt", "test_shop.py"] },
];
/** A project of few lines, since each of its characters takes a run of pytest or two. */
const SHOP = `def check(sign):
    if "<" in sign:
        raise ValueError
`;
const TESTS = `from shop import check
def test_file():
    check(open("sign.txt").read())
def test_several():
    first = "<a"
    second = "<b"
    check(first + second)
class TestSigns:
    def test_open(self):
        check("a<")
    def test_closed(self):
        check("abc<")
`;

/** Gives a project its own environment, and what pytest leaves behind where tests of a class have failed. */
function addEnvironment(folder) {
  const cache = join(folder, ".pytest_cache/v/cache");
  mkdirSync(cache, { recursive: true });
  const failed = ["open", "closed"].map((name) => [`test_shop.py::TestSigns::test_${name}`, true]);
  writeFileSync(join(cache, "lastfailed"), JSON.stringify(Object.fromEntries(failed)));
  symlinkSync(dirname(resolve(process.env.BIN ?? "../.venv/bin")), join(folder, ".venv"));
}

/** Adds a file to write in, without suggestions that would add to what is typed. */
function addNotes(folder) {
  addEnvironment(folder);
  rmSync(join(folder, "test_given.py"));
  const files = { "notes.txt": "Notes:", "shop.py": SHOP, "test_shop.py": TESTS, "sign.txt": "a sign with <" };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
  }
  addSettings(folder, { "editor.wordWrap": "on", "editor.wordBasedSuggestions": "off" });
}

/** Leaves a few lines of each module, since each of their characters takes a run of pytest or two. */
function shorten(folder) {
  addEnvironment(folder);
  rmSync(join(folder, "test_given.py"));
  writeFileSync(join(folder, "shop.py"), "def check(sign):\n    raise ValueError\n");
  writeFileSync(join(folder, "test_shop.py"), "from shop import check\ndef test_literal():\n    check(1)\n");
}

/** Counts what the user does from now on. */
function countSteps(page) {
  return page.evaluate(() => {
    window.steps = { clicks: 0, keys: 0 };
    window.addEventListener("mousedown", () => (window.steps.clicks += 1), true);
    window.addEventListener("keydown", () => (window.steps.keys += 1), true);
  });
}

/** Opens the Testing view and returns the row of a test that failed there. */
async function failedTest(window, name) {
  await window.run("Testing: Focus on Test Explorer View");
  const row = window.page.locator(".test-explorer .monaco-list-row", { hasText: name }).first();
  await row.locator(".codicon-testing-failed-icon").waitFor();
  return row;
}

/** Clicks an entry of a context menu, which takes no notice of a click in its first tenth of a second. */
async function chooseInMenu(page, title, picture) {
  const entry = page.locator(".monaco-menu .action-item", { hasText: title }).first();
  await entry.waitFor();
  await picture();
  await entry.hover();
  // A timer of the page, so that it ends after the menu's own, however slow the machine is.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
  await entry.click();
}

suite("the Testing view", () => {
  let editor, folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "e2e-harness-"));
    const packagePath = join(folder, "harness.vsix");
    const cwd = join(import.meta.dirname, "harness");
    await createVSIX({ cwd, packagePath, dependencies: false, skipLicense: true, allowMissingRepository: true });
    editor = await startEditor({ vsix: [builtVsix(), packagePath] });
  });
  after(async () => {
    await editor?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const { options = {}, name, tab, shown, clicks } of INPUTS) {
    test(`has the ${name} of a failed test reduced by ${clicks} ${clicks === 1 ? "click" : "clicks"}`, options, () =>
      editor.inWindow("testing", async (window) => {
        const { page } = window;
        const row = await failedTest(window, `test_${name}`);
        await countSteps(page);
        await row.hover();
        await window.picture(`testing-${name}-1`, { mouse: true });
        await row.getByRole("button", { name: MENU }).click();
        const toast = await window.ended("Reduced ");
        await window.picture(`testing-${name}-2`);
        if (clicks > 1) {
          await window.answer(toast, "Apply");
        }
        await page.locator(".tab.active.dirty", { hasText: tab }).waitFor();
        await until(async () => (await window.text()).includes(shown), async () => `the editor shows ${await window.text()}`);
        assert.deepEqual(await page.evaluate(() => window.steps), { clicks, keys: 0 });
        await window.picture(`testing-${name}-3`);
      }, { prepare: addEnvironment }));
  }

  test("has the failed tests of a class reduced one after the other by 2 clicks, and offers nothing for one that passed", () =>
    editor.inWindow("testing", async (window) => {
      const { page } = window;
      await failedTest(window, "test_literal");
      const menu = page.locator(".monaco-menu .action-item", { hasText: "Boildown" }).or(page.locator(".monaco-menu .action-item", { hasText: MENU }));
      await page.locator(".test-explorer .monaco-list-row", { hasText: "test_passes" }).click({ button: "right" });
      await page.locator(".monaco-menu .action-item").first().waitFor();
      assert.equal(await menu.count(), 0);
      await page.keyboard.press("Escape");
      const row = await failedTest(window, "TestSigns");
      await countSteps(page);
      await row.click({ button: "right" });
      await chooseInMenu(page, MENU, () => window.picture("testing-class"));
      const shown = ['    def test_open(self):\n        check("<")', '    def test_closed(self):\n        check("[")'];
      await until(async () => (await window.text()).includes(shown.join("\n\n")), async () => `the editor shows ${await window.text()}`, 300);
      assert.deepEqual(await page.evaluate(() => window.steps), { clicks: 2, keys: 0 });
    }, { prepare: (folder) => {
      addEnvironment(folder);
      // Both tests are to be in sight.
      addSettings(folder, { "boildown.revealPanel": false });
    } }));

  test("takes no keystroke of who types on elsewhere, and opens nothing, whatever is done with a test", AT_NIGHT, () =>
    editor.inWindow("testing", async (window) => {
      const { page } = window;
      await window.openFile("notes.txt");
      let typed = "";
      for (const { name, entry, told, tabs } of FLOWS) {
        const row = await failedTest(window, name);
        await row.click({ button: "right" });
        await chooseInMenu(page, entry, async () => {});
        await page.locator(".editor-instance .view-line").first().click();
        await page.keyboard.press("Control+End");
        const toast = window.toast(told).first();
        const end = Date.now() + 300_000;
        // The editor hides a notification after ten seconds, in which a busy machine may not type twenty letters.
        let seen = false;
        for (let after = 0; after < 20 && Date.now() < end; after += seen ? 1 : 0) {
          const letter = "abcdefghij"[typed.length % 10];
          await page.keyboard.type(letter);
          typed += letter;
          await page.waitForTimeout(100);
          seen ||= await toast.isVisible();
        }
        assert.ok(seen, `${entry} of ${name} ends`);
        await window.tab("notes.txt").waitFor();
        const open = await page.locator(".tab").evaluateAll((all) => all.map((each) => each.dataset.resourceName));
        assert.deepEqual(open, tabs, `the editors after ${entry} of ${name}`);
        assert.equal(await page.locator(".part.panel").isVisible(), false, `${entry} of ${name} opens no panel`);
        const text = async () => (await window.text()).replaceAll("\n", "");
        await until(async () => (await text()) === `Notes:${typed}`, async () => `typed ${typed}, found ${await text()}`);
        await window.run("Notifications: Clear All Notifications");
      }
    }, { prepare: addNotes }));

  test("has the project of a failed test made into a minimal reproduction by 2 clicks", AT_NIGHT, () =>
    editor.inWindow("testing", async (window) => {
      const { page, folder } = window;
      const original = readFileSync(join(folder, "test_shop.py"), "utf8");
      const row = await failedTest(window, "test_literal");
      await countSteps(page);
      await row.click({ button: "right" });
      await chooseInMenu(page, "Minimal Reproduction", () => window.picture("testing-project-1"));
      const offer = await window.ended("testing.reduced: 1 of 3 files are left");
      await offer.getByRole("button", { name: "Open Folder" }).waitFor();
      await page.locator(".tab.active", { hasText: "testing.reduced" }).waitFor();
      await page.locator(".multiDiffEditor", { hasText: "test_literal" }).waitFor();
      await window.panel.locator("#files-left li", { hasText: /^test_shop\.py  \d+ bytes$/ }).waitFor();
      assert.deepEqual(await page.evaluate(() => window.steps), { clicks: 2, keys: 0 });
      await window.picture("testing-project-2");
      assert.deepEqual(readdirSync(`${folder}.reduced`), ["test_shop.py"]);
      const left = readFileSync(`${folder}.reduced/test_shop.py`, "utf8");
      assert.equal(left, "def check():\n raise ValueError\ndef test_literal():check()");
      assert.match(readFileSync(`${folder}.reduced.md`, "utf8"), /pytest test_shop\.py::test_literal/);
      assert.equal(readFileSync(join(folder, "test_shop.py"), "utf8"), original);
    }, { prepare: shorten }));

  test("has the command on the message of a failure, too", () =>
    editor.inWindow("testing", async (window) => {
      const { page } = window;
      await failedTest(window, "test_literal");
      await window.run("Test Results: Focus on Test Results View");
      const message = page.locator(".test-output-peek-tree .monaco-list-row", { hasText: "test_literal has failed" }).first();
      await message.click({ button: "right" });
      await chooseInMenu(page, MENU, () => window.picture("testing-message"));
      await window.ended("Reduced ");
      await page.locator(".tab.active.dirty", { hasText: "test_shop.py" }).waitFor();
      await until(async () => (await window.text()).includes('check("<")'), async () => `the editor shows ${await window.text()}`);
    }, { prepare: addEnvironment }));
});
