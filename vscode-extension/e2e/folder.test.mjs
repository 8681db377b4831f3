import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { builtVsix, startEditor, until } from "./editor.mjs";

/** Slow enough for the panel to open by itself. */
const COMMAND = "sleep 0.2; grep needle data/b.txt";

/** Puts a project into a folder of the workspace. */
function makeProject(folder) {
  const files = { "data/a.txt": "hay\n".repeat(20), "data/b.txt": "hay\na needle here\n", "notes.txt": "nothing\n" };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, "project/data"), { recursive: true });
    writeFileSync(join(folder, "project", path), text);
  }
}

suite("a folder of the explorer", () => {
  let editor;
  before(async () => (editor = await startEditor({ vsix: builtVsix() })));
  after(() => editor?.close());

  test("is reduced by the command that is asked for, and the files that are left are compared", () =>
    editor.inWindow("crash", async (window) => {
      const row = window.page.locator(".explorer-folders-view .monaco-list-row", { hasText: "project" }).first();
      const entry = window.page.locator(".monaco-menu").getByText("Reduce Folder…");
      // A menu that opens before the extension is known goes without it.
      await until(async () => {
        await window.page.keyboard.press("Escape");
        await row.click({ button: "right" });
        return entry.waitFor({ timeout: 5000 }).then(() => true, () => false);
      }, () => "the folder's menu has no such entry");
      // Nor does a menu heed a click as soon as it opens.
      await until(async () => {
        await entry.click();
        return entry.waitFor({ state: "hidden", timeout: 2000 }).then(() => true, () => false);
      }, () => "the menu stays open");
      const title = window.page.getByText("The command that fails in project");
      await title.waitFor();
      await window.input.fill(`sh -c '${COMMAND} && exit 3; exit 0'`);
      await window.page.keyboard.press("Enter");
      const offer = await window.ended("1 of 3 files are left");
      await offer.getByRole("button", { name: "Open Folder" }).waitFor();
      await window.page.locator(".tab.active", { hasText: "project.reduced" }).waitFor();
      assert.equal(readFileSync(join(window.folder, "project.reduced/data/b.txt"), "utf8"), "needle");
      assert.match(readFileSync(join(window.folder, "project.reduced.md"), "utf8"), /cd project\.reduced/);
      assert.equal(readFileSync(join(window.folder, "project/notes.txt"), "utf8"), "nothing\n");
      await window.panel.locator("#files-left li", { hasText: "data/b.txt  6 bytes" }).waitFor();
    }, { prepare: makeProject }));
});
