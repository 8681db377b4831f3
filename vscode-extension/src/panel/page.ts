/** The HTML of the panel's page. Nothing in it comes from outside the extension. */

import { randomBytes } from "node:crypto";
import type { Uri, Webview } from "vscode";
import { OUTCOMES, type Outcome } from "./messages";

const LABELS: Readonly<Record<Outcome, string>> = {
  reproduced: "failed alike",
  passed: "did not",
  invalid: "invalid",
  timeout: "timed out",
};

/** The page of the panel, or that of a tree in an editor. */
export function page(webview: Pick<Webview, "cspSource" | "asWebviewUri">, script: Uri, style: Uri, shows: "panel" | "tree" = "panel"): string {
  const nonce = randomBytes(16).toString("hex");
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<link rel="stylesheet" href="${webview.asWebviewUri(style).toString()}">
<title>Boildown</title>
</head>
<body>
${shows === "panel" ? PANEL : TREE}
<script nonce="${nonce}" src="${webview.asWebviewUri(script).toString()}"></script>
</body>
</html>`;
}

const BARS = OUTCOMES.map((name) => `<span id="bar-${name}" class="${name}"></span>`).join("");
const COUNTS = OUTCOMES.map(
  (name) => `<li class="${name}"><span id="count-${name}">0</span> ${LABELS[name]}</li>`,
).join("");

const JOB = `<div id="job" role="tabpanel" aria-labelledby="tab-job" data-empty>
<p class="empty">Nothing has been reduced yet. Open a failing input and run “Boildown: Reduce Failing Input”.</p>
<p id="outcome" tabindex="0" hidden></p>
<dl id="pair" hidden>
  <dt>Fails</dt><dd><pre id="failing" class="code" tabindex="0"></pre></dd>
  <dt id="passes">Passes</dt><dd><pre id="passing" class="code" tabindex="0"></pre></dd>
</dl>
<main id="job-main">
  <section id="best" aria-label="Best text">
    <pre id="text" class="code" tabindex="0" aria-label="The best text, with what was removed struck through"></pre>
    <div class="tools">
      <label for="steps">Best text</label>
      <select id="steps"></select>
      <button id="restore" class="secondary" title="Put the text shown here into the document, when the job has ended">Restore This</button>
    </div>
  </section>
  <header>
    <h2 id="name"></h2>
    <span class="buttons">
      <button id="cancel" class="secondary" title="End the job; the best so far is the result">Cancel</button>
    </span>
    <span id="size"></span>
  </header>
  <section id="facts" aria-label="Progress">
    <p id="phase"></p>
    <p id="runs" class="quiet"></p>
    <p id="left" class="quiet"></p>
    <p id="claim" class="quiet"></p>
    <dl id="failures"></dl>
    <div id="outcomes">
      <div id="bars" aria-hidden="true">${BARS}</div>
      <ul aria-label="Outcomes of the runs">${COUNTS}</ul>
    </div>
    <ul id="files-left" aria-label="Files that are left" hidden></ul>
  </section>
  <div id="curve" role="img"></div>
</main>
</div>`;

const PATTERN = `<div id="pattern" role="tabpanel" aria-labelledby="tab-pattern" data-empty hidden>
<p class="empty">No pattern is known here. Open a failing input and run “Boildown: Generalize Failing Input”.</p>
<header>
  <h2 id="pattern-name"></h2>
  <span id="pattern-runs" class="quiet"></span>
  <span class="buttons">
    <select id="patterns" aria-label="Patterns that were found" title="Look at another pattern that was found"></select>
    <button id="writeTest" title="Write a test that fails now and keeps the bug from coming back">Write Test</button>
    <button id="instantiate" class="secondary" title="Write more inputs of this pattern into a new file">More Inputs</button>
    <button id="show-tree" class="secondary" title="Show the derivation tree, with its holes">Show Tree</button>
    <button id="copyReport" class="secondary" title="Put a report of this bug on the clipboard">Copy Report</button>
  </span>
</header>
<p id="outdated" hidden>The input has changed since this pattern was found.</p>
<main>
  <section aria-label="Pattern">
    <pre id="card" class="code" tabindex="0" aria-label="What the failure needs" hidden></pre>
    <div id="law" hidden>
      <h3>It fails if</h3>
      <code id="law-text"></code>
      <p id="law-evidence" class="quiet"></p>
    </div>
    <h3>What has to stand there, and what may be something else</h3>
    <div id="pattern-text" class="code" role="group" aria-label="The text with its holes"></div>
  </section>
  <section id="examples" aria-label="Examples">
    <h3>For example</h3>
    <ol id="instances" aria-label="Inputs of this pattern"></ol>
  </section>
  <section id="evidence" aria-live="polite" aria-label="Evidence"></section>
</main>
<p id="pattern-failure"></p>
</div>`;

const PANEL = `<p id="announcement" role="status"></p>
<div id="tabs" role="tablist" aria-label="What to show">
  <button id="tab-job" role="tab" aria-controls="job" aria-selected="true">Reduction</button>
  <button id="tab-pattern" role="tab" aria-controls="pattern" aria-selected="false" tabindex="-1">Pattern</button>
</div>
${JOB}
${PATTERN}`;

const TREE = `<div id="tree">
<header>
  <h2 id="tree-name"></h2>
  <span id="tree-language" class="quiet"></span>
  <ul id="legend" aria-label="Colours" hidden>
    <li class="essential">has to be there</li>
    <li class="hole">may be something else</li>
  </ul>
  <span class="buttons">
    <button id="smaller" class="secondary" title="Draw the tree smaller" aria-label="Smaller">−</button>
    <button id="larger" class="secondary" title="Draw the tree larger" aria-label="Larger">+</button>
    <button id="unfold" class="secondary" title="Show what is folded">Unfold All</button>
    <button id="as-text" class="secondary" aria-pressed="false" title="Show the tree as indented text">As Text</button>
  </span>
</header>
<div id="picture" class="code" tabindex="0" role="group" aria-label="The tree as a picture; a node folds what is below it"></div>
<pre id="tree-text" class="code" tabindex="0" aria-label="The tree, a line for each node" hidden></pre>
</div>`;
