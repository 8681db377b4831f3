/** Every screen in the editor itself, in three themes and two widths: asserted, and kept as pictures. */

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { suite, test } from "node:test";
import { builtVsix, startEditor, until } from "./editor.mjs";
import { faults, SCREENS, TREES } from "./screens.mjs";

const PICTURES = resolve(import.meta.dirname, "../.e2e/screens");
const THEMES = { light: "Default Light Modern", dark: "Default Dark Modern", contrast: "Default High Contrast" };
/** A usual window, and a small one whose panel has 200 pixels. */
const SIZES = [{ width: 1280, height: 800 }, { width: 700, height: 600 }];

/** Tells a page in a webview what the extension would. */
async function show(page, messages) {
  for (const message of messages) {
    await page.locator("body").evaluate((_, data) => { window.dispatchEvent(new MessageEvent("message", { data })); }, message);
  }
  // A picture that is as large as its place is drawn when that has its size.
  await page.locator("body").evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

suite("the screens of the extension", () => {
  for (const [theme, name] of Object.entries(THEMES)) {
    test(`look right in the ${theme} theme`, async () => {
      const editor = await startEditor({ vsix: builtVsix(), settings: { "workbench.colorTheme": name, "window.autoDetectColorScheme": false } });
      try {
        await editor.inWindow("crash", async (window) => {
          mkdirSync(PICTURES, { recursive: true });
          const picture = (screen, width) => window.page.screenshot({ path: join(PICTURES, `${screen}-${theme}-${width}.png`) });
          const check = async (page, screens) => {
            const found = {};
            for (const [screen, messages] of Object.entries(screens)) {
              for (const size of SIZES) {
                await window.page.setViewportSize(size);
                const inner = () => page.locator("body").evaluate(() => window.innerWidth);
                await until(async () => Math.abs(size.width - 50 - (await inner())) < 50, () => `the page does not get ${size.width} wide`);
                await show(page, messages);
                await picture(screen, size.width);
                const wrong = await page.locator("body").evaluate(faults);
                if (wrong.length > 0) {
                  found[`${screen}, ${size.width} wide`] = wrong;
                }
              }
            }
            assert.deepEqual(found, {});
          };
          await window.openFile("crash.json");
          await window.hideSidebar();
          await window.run("Boildown: Focus on Boildown View");
          await window.panel.locator("#tabs").waitFor();
          await check(window.panel, SCREENS);
          await window.page.setViewportSize(SIZES[0]);
          await window.run("View: Toggle Panel Visibility");
          await window.run("Boildown: Show Derivation Tree");
          await window.editorPage.locator("#picture text").first().waitFor();
          await check(window.editorPage, TREES);
        });
      } finally {
        await editor.close();
      }
    });
  }
});
