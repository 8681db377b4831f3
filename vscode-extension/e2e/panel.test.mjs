/** The panel's page by itself, in the browser: what it does with what it is sent. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, suite, test } from "node:test";
import { build } from "esbuild";
import { startBrowser } from "./editor.mjs";
import { EVIDENCE, faults, FOUND, job, pattern, SCREENS, TREE, TREES } from "./screens.mjs";

const EXTENSION = resolve(import.meta.dirname, "..");
const ORIGIN = "http://panel.test";
const PATTERN = pattern({
  parts: ['{"a":', 0, ',"b":', 1, "}"], anywhere: null, card: ["passes: '{}', 1 character away"], recall: null,
  holes: [
    { name: "value", before: "", mark: "⟨value⟩¹", sketch: "⟨value⟩¹ is true", after: "", text: "0", counterexample: '{"a":[]}', ...EVIDENCE },
    { name: "NUMBER", before: "[", mark: "⟨number⟩²", sketch: "⟨number⟩²", after: ",", text: "", counterexample: null, ...EVIDENCE, trials: 50, reproduced: 50 },
  ],
  instances: ["<img src=x onerror=alert(1)>", '{"a":true}'],
});
const LAW = {
  law: '//a = "<img src=x onerror=alert(1)>"', trials: 60, reproduced: 60, lower_bound: 0.951, near: 30, near_passed: 30,
  failing: 44, explained: 41, excepted: [],
};
const CHOICE = { labels: ["crash.json: now", "crash.json: <b>earlier</b>"], chosen: 0 };

/** The HTML of the panel's page, or of a tree's, as the extension makes it. */
async function html(shows) {
  const { outputFiles } = await build({
    entryPoints: [join(EXTENSION, "src/panel/page.ts")], bundle: true, format: "esm", platform: "node", write: false,
  });
  const { page } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const webview = { cspSource: ORIGIN, asWebviewUri: (uri) => uri };
  return page(webview, `${ORIGIN}/${shows}.js`, `${ORIGIN}/panel.css`, shows);
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
    const files = { "/": ["text/html", await html("panel")], "/tree": ["text/html", await html("tree")] };
    for (const [name, type] of [["panel.js", "text/javascript"], ["tree.js", "text/javascript"], ["panel.css", "text/css"]]) {
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

  // A picture is drawn again in the frame after its place has got another size.
  const show = (message) => page.evaluate((data) => {
    window.dispatchEvent(new MessageEvent("message", { data }));
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, message);
  const sent = () => page.evaluate(() => window.sent.splice(0));

  test("says that it is ready, and what there is to do", async () => {
    assert.deepEqual(await sent(), [{ kind: "ready" }]);
    assert.match(await page.getByRole("tabpanel").innerText(), /Reduce Failing Input/);
  });

  test("changes between tabs by arrow keys", async () => {
    await page.getByRole("tab", { name: "Reduction" }).press("ArrowRight");
    assert.equal(await page.getByRole("tab", { selected: true }).innerText(), "Pattern");
    assert.match(await page.getByRole("tabpanel").innerText(), /Generalize Failing Input/);
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await sent(), ["pattern", "job"].map((tab) => ({ kind: "tab", tab })));
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
    assert.deepEqual(await page.locator("#instances li").allInnerTexts(), PATTERN.instances.toReversed());
  });

  test("has a number for each hole, by which it lights up with others of it elsewhere", async () => {
    const holes = page.locator("#pattern-text .hole");
    assert.deepEqual(await holes.allInnerTexts(), ["⟨value⟩¹", "[⟨number⟩²,"]);
    await holes.first().focus();
    await holes.last().hover();
    await sent();
    await page.locator("#pattern-name").hover();
    await holes.first().hover();
    assert.deepEqual(await sent(), [{ kind: "light", hole: null }, { kind: "light", hole: 1 }]);
    await show({ kind: "light", hole: 2 });
    assert.deepEqual(await page.locator(".lit").allInnerTexts(), ["[⟨number⟩²,"]);
    await show({ kind: "light", hole: null });
    assert.equal(await page.locator(".lit").count(), 0);
  });

  test("has Write Test for its first button, and the shortest example in sight", async () => {
    await page.setViewportSize({ width: 1280, height: 180 });
    const primary = page.locator("#pattern .buttons button:not(.secondary)");
    assert.deepEqual(await primary.allInnerTexts(), ["Write Test"]);
    const { y, height } = await page.locator("#instances li").first().boundingBox();
    assert.ok(y + height <= 180);
    await page.setViewportSize({ width: 1280, height: 300 });
  });

  test("has its buttons at the end of a line with room for them, and else at the beginning of the next", async () => {
    await show({ kind: "pattern", pattern: PATTERN, choice: CHOICE });
    await show({ kind: "tab", tab: "pattern" });
    const box = (selector) => page.locator(`#pattern ${selector}`).first().boundingBox();
    for (const [width, isBeside] of [[1280, true], [640, false], [320, false]]) {
      await page.setViewportSize({ width, height: 300 });
      const [header, name, buttons] = await Promise.all(["header", "h2", ".buttons"].map(box));
      assert.equal(buttons.y < name.y + name.height, isBeside, `at ${width}`);
      assert.equal(Math.round(isBeside ? buttons.x + buttons.width : buttons.x), Math.round(isBeside ? header.x + header.width : name.x), `at ${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 300 });
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
    for (const name of ["Write Test", "More Inputs", "Show Tree", "Copy Report"]) {
      await page.getByRole("button", { name }).press("Enter");
    }
    const actions = ["writeTest", "instantiate", "tree", "copyReport"];
    const asked = (await sent()).filter(({ kind }) => kind === "pattern");
    assert.deepEqual(asked, actions.map((action) => ({ kind: "pattern", action })));
  });

  test("has marks around a pattern that may stand anywhere in an input", async () => {
    await show({ kind: "pattern", pattern: { ...PATTERN, anywhere: [0, 4], parts: ["null"], holes: [], numbers: [] }, choice: CHOICE });
    assert.equal(await page.locator("#pattern-text").innerText(), "… null …");
    const evidence = await page.locator("#evidence").innerText();
    assert.match(evidence, /^As a part of other inputs/i);
    assert.doesNotMatch(evidence, /Nothing more general/);
    await show({ kind: "pattern", pattern: PATTERN, choice: CHOICE });
    await sent();
  });

  test("goes back to an earlier pattern, of which nothing more can be made", async () => {
    const patterns = page.getByRole("combobox", { name: "Patterns that were found" });
    assert.deepEqual(await patterns.locator("option").allInnerTexts(), CHOICE.labels);
    await patterns.selectOption({ index: 1 });
    assert.deepEqual(await sent(), [{ kind: "choose", pattern: 1 }]);
    await show({ kind: "pattern", pattern: { ...PATTERN, isKnown: false, parts: ["null"], holes: [], numbers: [] }, choice: { ...CHOICE, chosen: 1 } });
    assert.equal(await patterns.inputValue(), CHOICE.labels[1]);
    assert.equal(await page.locator("#pattern-text").innerText(), "null");
    await page.getByText("The input has changed since").waitFor();
    for (const name of ["More Inputs", "Write Test", "Show Tree", "Copy Report"]) {
      assert.equal(await page.getByRole("button", { name }).isDisabled(), true);
    }
  });

  test("shows how far a job is, without a share of what nobody knows", async () => {
    await show({ kind: "job", job: job({ runs: 10, bytes: 50, bytesBefore: 1578, seconds: 2, outcomes: { reproduced: 6, passed: 3, timeout: 1 }, runsLeft: 20, failures: ["exit 1: A\nmore", "exit 1: B"] }) });
    await show({ kind: "tab", tab: "job" });
    assert.deepEqual(
      await page.getByRole("list", { name: "Outcomes of the runs" }).getByRole("listitem").allInnerTexts(),
      ["6 failed alike", "3 did not", "0 invalid", "1 timed out"],
    );
    const said = (id) => page.locator(`#${id}`).innerText();
    assert.equal(await said("size"), "1.6 kB → 50 bytes (−96 %)");
    assert.equal(await said("phase"), "Leaving parts out");
    assert.equal(await said("runs"), "10 runs in 2 s, 5.0 a second");
    assert.equal(await said("left"), "About 20 runs, 4 s left of this step. It ends in 4 min 48 s at the latest.");
    assert.equal(await said("failures"), "The original fails\nexit 1: A\nThe best fails\nexit 1: B");
    await show({ kind: "job", job: job({ runsLeft: null, secondsLeft: null, failures: ["exit 1", "exit 1"] }) });
    assert.equal(await said("left"), "");
    assert.equal(await said("failures"), "Both fail\nexit 1");
    assert.deepEqual(await page.locator("#job button:visible").allInnerTexts(), ["Restore This", "Cancel"]);
    assert.equal(await page.locator("#outcome").isVisible(), false);
    await show({ kind: "job", job: job({ doing: "generalizing" }) });
    assert.deepEqual(await page.locator("#job button:visible").allInnerTexts(), ["Cancel"]);
  });

  test("shows the result, the closest input that passes and one set of figures first, however low and narrow it is", async () => {
    for (const [width, height] of [[320, 180], [700, 180], [1280, 180], [1280, 600]]) {
      await page.setViewportSize({ width, height });
      await show({ kind: "tab", tab: "job" });
      await show({ kind: "job", job: job({ running: false, outcome: FOUND }) });
      const pair = page.locator("#pair pre");
      assert.deepEqual(await pair.allInnerTexts(), [FOUND.found.text, FOUND.found.passing.text]);
      for (const { y, height: tall } of await pair.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()))) {
        assert.ok(y >= 0 && y + tall <= height, `at ${width}×${height}`);
      }
      const said = (await page.locator("#job p:visible").allInnerTexts()).join("\n");
      assert.equal(said.match(/\b161 runs/g)?.length, 1, said);
      assert.ok(said.includes(FOUND.found.claim));
      await show({ kind: "job", job: job() });
      assert.equal(await page.locator("#pair").isVisible(), false);
      const { y } = await page.locator("#text").boundingBox();
      assert.ok(y < 60, `the best text is at ${y} of ${width}×${height}`);
    }
    await page.setViewportSize({ width: 1280, height: 300 });
  });

  test("says so where the closest input that passes is empty, and no line is lower for it", async () => {
    const passing = { text: "", distance: 34 };
    await show({ kind: "job", job: job({ running: false, outcome: { ...FOUND, found: { ...FOUND.found, passing } } }) });
    const said = await page.locator("#passing").evaluate((each) => getComputedStyle(each, "::before").content);
    assert.equal(said, '"the empty input"');
    const [failing, empty] = await Promise.all(["#failing", "#passing"].map((each) => page.locator(each).boundingBox()));
    assert.equal(empty.height, failing.height);
  });

  test("shows the whole of a message, and nothing beside it where nothing was run", async () => {
    const outcome = { failed: true, message: `It does not fail. It printed:\n    <i>\n${"more\n".repeat(40)}the end` };
    await show({ kind: "job", job: job({ running: false, outcome }) });
    assert.equal(await page.locator("#outcome.failed").innerText(), outcome.message);
    assert.equal(await page.locator("#curve").isVisible(), true);
    await show({ kind: "job", job: job({ running: false, runs: 0, outcome }) });
    assert.equal(await page.locator("#curve").isVisible(), false);
  });

  test("shows bytes that are no text in hexadecimal", async () => {
    await show({ kind: "job", job: job(), comparison: { before: "\udc89PNG", after: "\udc89PNG\0\0", step: 11 } });
    assert.match(await page.locator("#text.hex").innerText(), /^000000 {2}89 50 4e 47 00 00 +·PNG··$/);
    await show({ kind: "job", job: job(), comparison: { before: "a", after: "a", step: 11 } });
    assert.equal(await page.locator("#text:not(.hex)").innerText(), "a");
  });

  test("shows head and tail of what is long, be it removed or left", async () => {
    const [head, tail] = ["h".repeat(10_000), "t".repeat(10_000)];
    await show({ kind: "job", job: job(), comparison: { before: `[${"a".repeat(20)}${"b".repeat(2000)}${"c".repeat(20)}]`, after: "[]", step: 11 } });
    assert.equal(await page.locator("#text").innerText(), `[${"a".repeat(20)} ⋯ 2,000 characters ⋯ ${"c".repeat(20)}]`);
    const long = `${head}${"m".repeat(1_000_000)}${tail}`;
    await show({ kind: "job", job: job(), comparison: { before: `${long}x`, after: long, step: 11 } });
    assert.equal(await page.locator("#text").innerText(), `${head} ⋯ 1,000,000 characters ⋯ ${tail}`);
    await show({ kind: "job", job: job(), comparison: { before: "a", after: "a", step: 11 } });
  });

  for (const width of [320, 640, 1280]) {
    test(`has a curve of a useful height in a panel of ${width}×180, whose labels have room`, async () => {
      await page.setViewportSize({ width, height: 180 });
      await show({ kind: "tab", tab: "job" });
      for (const [bytesBefore, bytes, runs] of [[1578, 34, 161], [5_612_345, 1, 123_456], [50, 49, 1], [1000, 0, 7]]) {
        await show({ kind: "job", job: job({ bytesBefore, bytes, runs }) });
        const box = await page.locator("#curve svg").boundingBox();
        assert.ok(box.height >= 90 && box.width >= 250, `${box.width}×${box.height}`);
        const labels = await page.locator("#curve text").evaluateAll((all) => all.map((each) => ({ text: each.textContent, ...each.getBoundingClientRect().toJSON() })));
        assert.ok(labels.length >= 3, "an axis has no marks");
        for (const [index, one] of labels.entries()) {
          assert.ok(one.left >= box.x && one.right <= box.x + box.width + 1 && one.top >= box.y && one.bottom <= box.y + box.height, `${one.text} is cut`);
          for (const other of labels.slice(index + 1)) {
            const isApart = one.right < other.left || other.right < one.left || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
            assert.ok(isApart, `${one.text} overlaps ${other.text}`);
          }
        }
      }
    });

    test(`shows no text that overlaps or is cut, and nothing blank, at a width of ${width}`, async () => {
      for (const height of [180, 300]) {
        await page.setViewportSize({ width, height });
        for (const [name, messages] of Object.entries(SCREENS)) {
          await page.goto(ORIGIN);
          for (const message of messages) {
            await show(message);
          }
          assert.deepEqual(await page.evaluate(faults), [], `${name} at ${width}×${height}`);
        }
      }
    });
  }

  test("draws a tree of text alone, with the numbers of its holes", async () => {
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.goto(`${ORIGIN}/tree`);
    assert.deepEqual(await sent(), [{ kind: "ready" }]);
    const rows = [{ level: 0, caption: "start", sort: "rule", hole: null, gaps: [2] }, { level: 1, caption: '<img src="x" onerror="alert(1)">', sort: "token", hole: 1, gaps: [] }];
    await show({ kind: "tree", tree: { ...TREE, rows } });
    assert.deepEqual(await page.locator("#picture text").allTextContents(), ["start2", '<img src="x" onerror="alert(1)">1']);
    assert.equal(await page.locator("#picture .hole title").textContent(), TREE.holes[0]);
    assert.equal(await page.locator("#legend").isVisible(), true);
    await page.locator("#picture .token text").hover();
    assert.deepEqual(await sent(), [{ kind: "light", hole: 1 }]);
    await show({ kind: "light", hole: 1 });
    assert.equal(await page.locator("#picture .lit").count(), 1);
    await page.getByRole("button", { name: "As Text" }).press("Enter");
    assert.equal(await page.locator("#tree-text").innerText(), TREE.text);
    assert.equal(await page.locator("#picture").isVisible(), false);
    await page.getByRole("button", { name: "As Text" }).press("Enter");
  });

  test("folds what is below a node, by the mouse and by the keyboard", async () => {
    await show({ kind: "tree", tree: TREE });
    const shown = () => page.locator("#picture text").count();
    assert.equal(await shown(), TREE.rows.length);
    const array = page.getByRole("button", { name: "array" });
    await array.click();
    assert.equal(await shown(), TREE.rows.length - 8);
    assert.equal(await array.getAttribute("aria-expanded"), "false");
    await array.press("Enter");
    assert.equal(await shown(), TREE.rows.length);
    await array.press("Space");
    await page.getByRole("button", { name: "Unfold All" }).click();
    assert.equal(await shown(), TREE.rows.length);
  });

  test("shows all of a tree at any size of the editor, and folds a large one at first", async () => {
    for (const width of [320, 640, 1280]) {
      await page.setViewportSize({ width, height: 400 });
      for (const [name, messages] of Object.entries(TREES)) {
        await show(messages[0]);
        assert.deepEqual(await page.evaluate(faults), [], `${name} at ${width}`);
        const place = page.locator("#picture");
        if (await place.isVisible()) {
          const [inside, scrollable] = await place.evaluate((each) => [each.firstChild.getBoundingClientRect().width, each.scrollWidth]);
          assert.ok(inside <= scrollable);
        }
      }
    }
    const many = Array.from({ length: 900 }, (_, row) => ({ level: row === 0 ? 0 : row % 9 === 1 ? 1 : 2, caption: `node ${row}`, sort: "rule", hole: null, gaps: [] }));
    await show({ kind: "tree", tree: { ...TREE, rows: many, holes: [] } });
    assert.equal(await page.locator("#picture text").count(), 101);
    assert.equal(await page.locator("#legend").isVisible(), false);
    await show({ kind: "tree", tree: { ...TREE, rows: null } });
    assert.equal(await page.locator("#tree-text").isVisible(), true);
  });

  test("has loaded nothing, run nothing and broken no rule of its policy", () => assert.deepEqual(problems, []));
});
