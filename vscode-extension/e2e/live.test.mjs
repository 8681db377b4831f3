import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { builtVsix, startEditor, until } from "./editor.mjs";

/** Lets no run end before there is a file `quick`, but the first ones. */
function standStill(folder) {
  const wait = `while test $(wc -l < '${folder}.log') -gt 8 && ! test -e '${folder}.quick'; do sleep 0.1; done`;
  const command = `["sh", "-c", "echo run >> '${folder}.log'; ${wait}; exec python3 prices.py $0", "{file}"]`;
  writeFileSync(join(folder, "boildown.toml"), `[[input]]\nfiles = ["*.json"]\ncommand = ${command}\n`);
}

function runs(folder) {
  const log = `${folder}.log`;
  return existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0;
}

/** Starts a reduction and opens its live document; returns the tab. */
async function openLive(window) {
  await window.openFile("crash.json");
  await window.run("Boildown: Reduce Failing Input");
  await until(() => runs(window.folder) > 8, () => `${runs(window.folder)} runs`);
  await window.run("Boildown: Edit Best Text So Far");
  const live = window.page.locator('.tab[data-resource-name="crash.live.json"]');
  await live.waitFor();
  return live;
}

/** Types a text in the place of all of a document, or before it, and saves it. */
async function write(window, tab, key, text) {
  await tab.click();
  await window.page.locator(".editor-group-container.active .view-line").first().waitFor();
  await window.page.keyboard.press(key);
  await window.page.keyboard.insertText(text);
  const dirty = window.page.locator('.tab.dirty[data-resource-name="crash.live.json"]');
  await dirty.waitFor();
  await window.page.keyboard.press("Control+s");
  await dirty.waitFor({ state: "detached" });
}

suite("a reduction that the user takes part in", () => {
  let editor;
  before(async () => (editor = await startEditor({ vsix: builtVsix(), settings: { "boildown.jobs": 1 } })));
  after(() => editor?.close());

  test("has its best text beside, tries what is saved there, and says why not", () =>
    editor.inWindow("crash", async (window) => {
      const live = await openLive(window);
      // The document that is reduced keeps the focus.
      const active = window.page.locator(".editor-group-container.active .tab.active");
      assert.equal(await active.getAttribute("data-resource-name"), "crash.json");
      await write(window, live, "Control+a", "nothing");
      writeFileSync(`${window.folder}.quick`, "");
      await window.page.locator(".squiggly-warning").first().waitFor();
      await window.picture("live-light");
    }, { prepare: standStill }));

  test("goes on from an edit that fails as before, and shows the end of it", () =>
    editor.inWindow("crash", async (window) => {
      const live = await openLive(window);
      await write(window, live, "Control+Home", "  ");
      writeFileSync(`${window.folder}.quick`, "");
      await window.ended("Reduced 1,578 → 34 bytes");
      // The editor has read the file again, as the job went on.
      const text = window.page.locator(".editor-instance", { hasText: '{"orders":[{"price":0,"count":0}]}' });
      await text.first().waitFor();
      assert.equal(await window.page.locator(".squiggly-warning").count(), 0);
    }, { prepare: standStill }));
});
