import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Uri } from "vscode";
import { label, message, visible } from "../panel/inert";
import { page } from "../panel/page";

test("what cannot be seen is shown as an escape", () => {
  assert.equal(visible("a\x00\x1b[1m\x9b"), "a\\x00\\x1b[1m\\x9b");
  assert.equal(visible("\u202ecba\u2066\u200b\ufeff\xad\xa0"), "\\u202ecba\\u2066\\u200b\\ufeff\\xad\\xa0");
  assert.equal(visible("\u3164\ufe0f\u{e0041}\ud8ff"), "\\u3164\\ufe0f\\U000e0041\\ud8ff");
  assert.equal(visible("\udc89PNG\udcff"), "\\x89PNG\\xff");
  assert.equal(visible("häßlich 日本 😀 e\u0301"), "häßlich 日本 😀 e\u0301");
});

test("lines stay where there are lines", () => {
  assert.equal(visible("a\r\n\tb\rc\u2028"), "a\n\tb\\rc\\u2028");
  assert.equal(visible("a\r\n\tb", ""), "a\\r\\n\\tb");
});

test("nothing in a message is a link", () => {
  assert.equal(message("see [x](command:y) and ![x](https:z)"), "see [x] (command:y) and ![x] (https:z)");
  assert.equal(message("<https://x.org> <a@x.org>"), "< https://x.org> < a@x.org>");
  assert.equal(message("[<value>,<value>]: f(x)"), "[<value>,<value>]: f(x)");
});

test("nothing in a label is an icon", () => {
  assert.equal(label("$(sync~spin) $(a b) $(zap)\n"), "\\$(sync~spin) $(a b) \\$(zap)\\n");
});

test("the panel's page runs our script alone, and no text becomes HTML", () => {
  const made = { cspSource: "https://ours", asWebviewUri: (uri: Uri) => uri };
  const html = page(made, "script.js" as unknown as Uri, "style.css" as unknown as Uri);
  const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  assert.match(policy, /^default-src 'none'; style-src https:\/\/ours; font-src https:\/\/ours; script-src 'nonce-[0-9a-f]{32}'$/);
  assert.equal(html.match(/<script/g)?.length, 1);
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => /^(?!test).*\.ts$/.test(name));
  assert.ok(sources.includes("webview/main.ts"));
  for (const name of sources) {
    const source = readFileSync(join("src", name), "utf8");
    assert.doesNotMatch(source, /(inner|outer)HTML|insertAdjacentHTML|document\.write|createContextualFragment|new Function|\beval\(/, name);
    assert.doesNotMatch(source, /isTrusted: true|supportHtml: true|enableCommandUris/, name);
  }
});
