/** From a failing input to the debugger that stops at the first suspect, on the smallest input. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { AT_NIGHT, builtVsix, startEditor, until } from "./editor.mjs";

const PROGRAM = `import json
import sys


def average(order):
    if not order["prices"]:
        raise ValueError("an order without prices")
    return sum(order["prices"]) / len(order["prices"])


print([average(order) for order in json.load(open(sys.argv[1]))])
`;
const TITLE = "Boildown: debug the smallest input";

/** A program in which a suspect can be told, and an input that is small already. */
function prepare(folder) {
  writeFileSync(join(folder, "prices.py"), PROGRAM);
  writeFileSync(join(folder, "crash.json"), '[{"prices":[]}]');
}

/** Asks why the input fails, and waits for the suspects. */
async function locate(window) {
  await window.openFile("crash.json");
  await window.run("Boildown: Why Does It Fail?");
  await window.ended("The bug may be in ");
}

suite("an input whose suspects are known", () => {
  let editor;
  before(async () => (editor = await startEditor({ vsix: builtVsix() })));
  after(() => editor?.close());

  test("is debugged by Node, which stops at the first suspect", () =>
    editor.inWindow("node", async (window) => {
      const { page } = window;
      await locate(window);
      await window.codeAction(TITLE);
      await window.tab("prices.js").waitFor();
      await page.locator(".debug-top-stack-frame-column, .debug-top-stack-frame-line").first().waitFor({ state: "attached" });
      await page.locator(".debug-toolbar").waitFor();
      const breakpoints = page.locator(".glyph-margin-widgets [class*=codicon-debug-breakpoint], .glyph-margin-widgets .codicon-debug-stackframe");
      await breakpoints.first().waitFor();
      await window.picture("debug-light");
      await page.keyboard.press("Shift+F5");
      await page.locator(".debug-toolbar").waitFor({ state: "hidden" });
    }));

  test("has its configuration shown where there is no debugger of Python", AT_NIGHT, () =>
    editor.inWindow("crash", async (window) => {
      await locate(window);
      await window.run("Boildown: Debug Smallest Input");
      const offer = window.toast("To debug Python, install the extension ms-python.debugpy").first();
      await offer.waitFor();
      await window.answer(offer, "Show Configuration");
      let shown = {};
      await until(async () => {
        const text = await window.text();
        shown = text.startsWith('{\n  "version"') ? JSON.parse(text).configurations[0] : {};
        return shown.type !== undefined;
      }, async () => `the editor shows ${await window.text()}`);
      assert.deepEqual([shown.type, shown.program, shown.args.length], ["debugpy", join(window.folder, "prices.py"), 1]);
    }, { prepare }));
});
