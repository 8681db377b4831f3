import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { after, before, suite, test } from "node:test";
import { builtVsix, startEditor } from "./editor.mjs";

/** A project's own environment, in which pytest is installed. */
function addEnvironment(folder) {
  symlinkSync(dirname(resolve(process.env.BIN ?? "../.venv/bin")), join(folder, ".venv"));
}

/** What pytest leaves behind when the test has failed. */
function addFailure(folder) {
  addEnvironment(folder);
  const cache = join(folder, ".pytest_cache", "v", "cache");
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, "lastfailed"), '{"test_menu.py::test_the_cheapest_dish_is_found": true}');
}

suite("a failing pytest file, without any configuration", () => {
  let editor;
  before(async () => (editor = await startEditor({ vsix: builtVsix() })));
  after(() => editor?.close());

  test("has the string at the cursor reduced from the menu of code actions", () =>
    editor.inWindow("pytest", async (window) => {
      await window.openFile("test_menu.py");
      const original = readFileSync(join(window.folder, "test_menu.py"), "utf8");
      await window.click("Salad");
      await window.codeAction("Boildown: reduce this string", "literal-light");
      await window.ended("Reduced 114 → 1 byte: ");
      await window.page.locator(".tab.dirty", { hasText: "test_menu.py" }).waitFor();
      const expected = original.replace(/"""[^]*"""/, '""":"""');
      await window.waitForText(expected);
    }, { prepare: addEnvironment }));

  test("has its input found and reduced by one click on the lens above the test", () =>
    editor.inWindow("pytest", async (window) => {
      await window.openFile("test_menu.py");
      const original = readFileSync(join(window.folder, "test_menu.py"), "utf8");
      await window.page.locator(".codelens-decoration a", { hasText: "Boildown: reduce its input" }).click();
      await window.ended("Reduced 114 → 1 byte: ");
      await window.waitForText(original.replace(/"""[^]*"""/, '""":"""'));
    }, { prepare: addFailure }));
});
