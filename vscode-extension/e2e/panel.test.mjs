/** The panel's page by itself, in the browser: what it does with what it is sent. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, suite, test } from "node:test";
import { build } from "esbuild";
import { startBrowser } from "./editor.mjs";

const EXTENSION = resolve(import.meta.dirname, "..");
const ORIGIN = "http://panel.test";
const EVIDENCE = { trials: 100, reproduced: 97, invalid: 2, timeouts: 1, lower_bound: 0.93 };
const PATTERN = {
  name: "crash.json", failure: "exit 1: ZeroDivisionError", language: "json", sampler: "random texts of json",
  runs: 224, seconds: 5.5, finished: true, parts: ['{"a":', 0, ',"b":', 1, "}"], joint: EVIDENCE,
  holes: [
    { name: "value", before: "", mark: "⟨value⟩¹", sketch: "⟨value⟩¹ is true", after: "", text: "0", counterexample: '{"a":[]}', ...EVIDENCE },
    { name: "NUMBER", before: "[", mark: "⟨number⟩²", sketch: "⟨number⟩²", after: ",", text: "", counterexample: null, ...EVIDENCE, trials: 50, reproduced: 50 },
  ],
  instances: ['{"a":true,"b":1}', "<img src=x onerror=alert(1)>"], isKnown: true, recall: null, law: null,
};
const LAW = {
  law: '//a = "<img src=x onerror=alert(1)>"', trials: 60, reproduced: 60, lower_bound: 0.951, near: 30, near_passed: 30,
  failing: 44, explained: 41, excepted: [],
};
const CHOICE = { labels: ["crash.json: now", "crash.json: <b>earlier</b>"], chosen: 0 };

/** The page's HTML, as the extension makes it. */
async function html() {
  const { outputFiles } = await build({
    entryPoints: [join(EXTENSION, "src/panel/page.ts")], bundle: true, format: "esm", platform: "node", write: false,
  });
  const { page } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const webview = { cspSource: ORIGIN, asWebviewUri: (uri) => uri };
  return page(webview, `${ORIGIN}/panel.js`, `${ORIGIN}/panel.css`);
}

suite("the panel's page", () => {
  let browser, page, problems;
  before(async () => {
    browser = await startBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 300 } });
    page.setDefaultTimeout(60_000);
    problems = [];
    page.on("dialog", (dialog) => problems.push(dialog.message()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      // Even reading an evil picture has the browser say what in it the policy forbids.
      if (message.type() === "error" && !/inline .* violates/.test(message.text())) {
        problems.push(message.text());
      }
    });
    const files = { "/": ["text/html", await html()] };
    for (const [name, type] of [["panel.js", "text/javascript"], ["panel.css", "text/css"]]) {
      files[`/${name}`] = [type, readFileSync(join(EXTENSION, "out", name), "utf8")];
    }
    await page.route("**/*", (route) => {
      const [contentType, body] = files[new URL(route.request().url()).pathname] ?? [];
      problems.push(...(body === undefined ? [`loads ${route.request().url()}`] : []));
      return body === undefined ? route.abort() : route.fulfill({ contentType, body });
    });
    await page.addInitScript(() => {
      window.sent = [];
      window.acquireVsCodeApi = () => ({ postMessage: (message) => window.sent.push(message) });
    });
    await page.goto(ORIGIN);
  });
  after(() => browser?.close());

  const show = (message) => page.evaluate((data) => { window.dispatchEvent(new MessageEvent("message", { data })); }, message);
  const sent = () => page.evaluate(() => window.sent.splice(0));

  test("says that it is ready, and what there is to do", async () => {
    assert.deepEqual(await sent(), [{ kind: "ready" }]);
    assert.match(await page.getByRole("tabpanel").innerText(), /Reduce Failing Input/);
  });

  test("changes between tabs by arrow keys", async () => {
    await page.getByRole("tab", { name: "Reduction" }).press("ArrowRight");
    assert.equal(await page.getByRole("tab", { selected: true }).innerText(), "Pattern");
    assert.match(await page.getByRole("tabpanel").innerText(), /Generalize Failing Input/);
    await page.keyboard.press("End");
    assert.equal(await page.getByRole("tab", { selected: true }).innerText(), "Tree");
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await sent(), ["pattern", "tree", "job"].map((tab) => ({ kind: "tab", tab })));
  });

  test("shows the evidence of the hole that is chosen by the keyboard", async () => {
    await show({ kind: "pattern", pattern: PATTERN, choice: CHOICE });
    await show({ kind: "tab", tab: "pattern" });
    assert.equal(await page.locator("#pattern-text").innerText(), '{"a":⟨value⟩¹,"b":[⟨number⟩²,}');
    assert.match(await page.locator("#evidence").innerText(), /97 of 100 random texts.*at least 93.0 %.*3 more say nothing[^]*Stood there: 0[^]*because this passes: \{"a":\[\]\}/);
    await page.getByRole("button", { name: "⟨value⟩¹" }).press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("[aria-pressed=true]").innerText(), "[⟨number⟩²,");
    const said = await page.locator("#evidence").innerText();
    assert.match(said, /50 of 50 random texts[^]*Stood there: nothing/);
    assert.doesNotMatch(said, /this passes/);
    assert.deepEqual(await page.locator("#instances li").allInnerTexts(), PATTERN.instances);
  });

  test("shows the law of the failure above its pattern, where there is one", async () => {
    const law = page.locator("#law");
    assert.equal(await law.isVisible(), false);
    await show({ kind: "pattern", pattern: { ...PATTERN, law: LAW }, choice: CHOICE });
    assert.equal(await page.locator("#law-text").innerText(), LAW.law);
    assert.match(await page.locator("#law-evidence").innerText(), /60 of 60[^]*41 of 44/);
    const [above, below] = [await law.boundingBox(), await page.locator("#pattern-text").boundingBox()];
    assert.ok(above.y + above.height <= below.y);
    await show({ kind: "pattern", pattern: PATTERN, choice: CHOICE });
    assert.equal(await law.isVisible(), false);
  });

  test("asks for what the buttons of a pattern say", async () => {
    await sent();
    for (const name of ["More Inputs", "Write Test", "Show Tree", "Copy Report"]) {
      await page.getByRole("button", { name }).press("Enter");
    }
    const actions = ["instantiate", "writeTest", "tree", "copyReport"];
    assert.deepEqual(await sent(), actions.map((action) => ({ kind: "pattern", action })));
  });

  test("goes back to an earlier pattern, of which nothing more can be made", async () => {
    const patterns = page.getByRole("combobox", { name: "Patterns that were found" });
    assert.deepEqual(await patterns.locator("option").allInnerTexts(), CHOICE.labels);
    await patterns.selectOption({ index: 1 });
    assert.deepEqual(await sent(), [{ kind: "choose", pattern: 1 }]);
    await show({ kind: "pattern", pattern: { ...PATTERN, isKnown: false, parts: ["null"], holes: [] }, choice: { ...CHOICE, chosen: 1 } });
    assert.equal(await patterns.inputValue(), CHOICE.labels[1]);
    assert.equal(await page.locator("#pattern-text").innerText(), "null");
    await page.getByText("The input has changed since").waitFor();
    for (const name of ["More Inputs", "Write Test", "Show Tree", "Copy Report"]) {
      assert.equal(await page.getByRole("button", { name }).isDisabled(), true);
    }
  });

  test("draws a tree without anything that could load, run or style something", async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100" viewBox="0 0 200 100" onload="alert(1)">
      <style>@import "${ORIGIN}/evil.css";</style><script>alert(2)</script>
      <image href="${ORIGIN}/evil.png" width="9" height="9"/><foreignObject><p>no</p></foreignObject>
      <line x1="1" y1="2" x2="3" y2="4" style="stroke: red"/>
      <text class="rule essential" x="50" y="20" onclick="alert(3)">start</text>
      <text class="token hole" x="50" y="60"><title>can be any value</title>"&lt;b&gt;"</text></svg>`;
    await show({ kind: "tree", tree: { name: "crash.json", language: "json", text: 'start\n  "<b>"\n', svg } });
    await show({ kind: "tab", tab: "tree" });
    assert.equal(
      await page.locator("#picture").evaluate((place) => place.innerHTML.replace(/\s*\n\s*/g, "")),
      '<svg width="200" height="100" viewBox="0 0 200 100"><line x1="1" y1="2" x2="3" y2="4"></line>' +
        '<text class="rule essential" x="50" y="20">start</text>' +
        '<text class="token hole" x="50" y="60"><title>can be any value</title>"&lt;b&gt;"</text></svg>',
    );
    assert.equal(await page.locator("#legend").isVisible(), true);
    await page.getByRole("button", { name: "As Text" }).press("Enter");
    assert.equal(await page.locator("#tree-text").innerText(), 'start\n  "<b>"\n');
    assert.equal(await page.locator("#picture").isVisible(), false);
  });

  test("shows the text of a tree that is too large, or no picture at all", async () => {
    for (const svg of [null, "<html/>", "no picture"]) {
      await show({ kind: "tree", tree: { name: "big.json", language: "json", text: "start\n", svg } });
      assert.equal(await page.locator("#tree-text").isVisible(), true);
      assert.equal(await page.locator("#legend").isVisible(), false);
    }
  });

  test("shows the outcomes of the runs", async () => {
    const job = {
      name: "crash.json", running: true, doing: "reducing", phase: "perses", runs: 10, cached: undefined, outcome: undefined, bytes: 50,
      bytesBefore: 100, seconds: 2, outcomes: { reproduced: 6, passed: 3, timeout: 1 },
      curve: [{ runs: 0, bytes: 100 }, { runs: 10, bytes: 50 }], steps: [{ runs: 0, bytes: 100 }],
    };
    await show({ kind: "job", job });
    await show({ kind: "tab", tab: "job" });
    assert.deepEqual(
      await page.getByRole("list", { name: "Outcomes of the runs" }).getByRole("listitem").allInnerTexts(),
      ["6 reproduced", "3 passed", "0 invalid", "1 timed out"],
    );
    assert.equal(await page.getByRole("button", { name: "Keep This" }).isVisible(), true);
    assert.equal(await page.locator("#outcome").isVisible(), false);
    const outcome = { failed: true, message: "It does not fail. It printed:\n    <i>" };
    await show({ kind: "job", job: { ...job, running: false, outcome } });
    assert.equal(await page.locator("#outcome.failed").innerText(), outcome.message);
    await show({ kind: "job", job: { ...job, doing: "generalizing" } });
    assert.equal(await page.getByRole("button", { name: "Keep This" }).isVisible(), false);
  });

  test("has loaded nothing, run nothing and broken no rule of its policy", () => assert.deepEqual(problems, []));
});
