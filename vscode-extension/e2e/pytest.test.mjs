import { readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { after, before, suite, test } from "node:test";
import { builtVsix, startEditor } from "./editor.mjs";

/** A project's own environment, in which pytest is installed. */
function addEnvironment(folder) {
  symlinkSync(dirname(resolve(process.env.BIN ?? "../.venv/bin")), join(folder, ".venv"));
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
      await window.ended("Reduced: 114 → 1 byte in ");
      await window.page.locator(".tab.dirty", { hasText: "test_menu.py" }).waitFor();
      const expected = original.replace(/"""[^]*"""/, '""":"""');
      await window.waitForText(expected);
    }, { prepare: addEnvironment }));
});
