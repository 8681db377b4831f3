/** The documentation as `make docs` builds it, on a phone: every page at 360 pixels, light and dark. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, suite, test } from "node:test";
import { startBrowser } from "./editor.mjs";

const SITE = resolve(import.meta.dirname, "../../build/docs");
const PAGES = readdirSync(SITE, { recursive: true }).filter((name) => name.endsWith(".html"));
/** The least contrast of text with what is behind it, by WCAG 2.1, level AA. */
const CONTRAST = 4.5;

/** What of a page is wider than the screen, and which of its texts can hardly be read. */
function amiss(least) {
  const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = (colour) => {
    const [red, green, blue] = channels(colour).map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if ((channels(colour)[3] ?? 1) === 1) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = [...document.querySelectorAll("article p, article li, article td, article th, article pre span, h1, h2, h3")]
    .filter((element) => element.checkVisibility() && element.textContent.trim())
    .filter((element) => {
      const [text, ground] = [light(getComputedStyle(element).color), light(behind(element))];
      return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05) < least;
    });
  // Code and tables scroll in boxes of their own; nothing else may reach beyond the screen.
  const scrolls = (element) => element.closest("pre, .highlight, .table-wrapper") !== null;
  const wider = [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !scrolls(element.parentElement))
    .filter((element) => !element.closest(".sidebar-drawer, .toc-drawer, .visually-hidden"))
    .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1);
  return {
    wider: wider.map((element) => `${element.localName} ${element.textContent.slice(0, 40)}`),
    faint: faint.map((element) => `${element.className} ${element.textContent.slice(0, 40)}`),
  };
}

suite("the documentation on a phone", () => {
  let browser;
  before(async () => (browser = await startBrowser()));
  after(() => browser?.close());

  for (const colorScheme of ["light", "dark"]) {
    test(`fits into 360 pixels and can be read, ${colorScheme}`, async () => {
      assert.ok(PAGES.length > 20);
      const context = await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme, offline: true });
      const page = await context.newPage();
      const found = {};
      for (const name of PAGES) {
        await page.goto(pathToFileURL(join(SITE, name)).href);
        const { wider, faint } = await page.evaluate(amiss, CONTRAST);
        if (wider.length || faint.length) found[name] = { wider, faint };
      }
      assert.deepEqual(found, {});
      await context.close();
    });
  }

  test("is searched without a network", async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${pathToFileURL(join(SITE, "search.html")).href}?q=certificate`);
    await page.locator("#search-results a", { hasText: "What a certificate means" }).first().waitFor();
    assert.deepEqual(asked.filter((url) => !url.startsWith("file:")), []);
  });
});
