/** The HTML of the panel's page. Nothing in it comes from outside the extension. */

import { randomBytes } from "node:crypto";
import type { Uri, Webview } from "vscode";
import { OUTCOMES, type Outcome } from "./messages";

const LABELS: Readonly<Record<Outcome, string>> = {
  reproduced: "reproduced",
  passed: "passed",
  invalid: "invalid",
  timeout: "timed out",
};

export function page(webview: Pick<Webview, "cspSource" | "asWebviewUri">, script: Uri, style: Uri): string {
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
<p id="announcement" role="status"></p>
<div id="tabs" role="tablist" aria-label="What to show">
  <button id="tab-job" role="tab" aria-controls="job" aria-selected="true">Reduction</button>
  <button id="tab-pattern" role="tab" aria-controls="pattern" aria-selected="false" tabindex="-1">Pattern</button>
  <button id="tab-tree" role="tab" aria-controls="tree" aria-selected="false" tabindex="-1">Tree</button>
</div>
${JOB}
${PATTERN}
${TREE}
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
<header>
  <h2 id="name"></h2>
  <span id="size"></span>
  <span id="runs" class="quiet"></span>
  <span id="rate" class="quiet"></span>
  <span id="phase" class="quiet"></span>
  <span class="buttons">
    <button id="stop" class="secondary" title="End the job and ask what to do with the best so far">Stop</button>
    <button id="keep" title="End the job and put the best so far into the document">Keep This</button>
  </span>
</header>
<p id="outcome" hidden></p>
<main>
  <section aria-label="Size over runs">
    <div id="curve" role="img"></div>
    <div id="outcomes">
      <div id="bars" aria-hidden="true">${BARS}</div>
      <ul aria-label="Outcomes of the runs">${COUNTS}</ul>
    </div>
  </section>
  <section id="left" aria-label="Files that are left" hidden>
    <ul id="files"></ul>
  </section>
  <section aria-label="Best text">
    <div class="tools">
      <label for="steps">Best text</label>
      <select id="steps"></select>
      <button id="restore" class="secondary" title="Put the text shown here into the document, when the job has ended">Restore This</button>
    </div>
    <pre id="text" class="code" tabindex="0" aria-label="The best text, with what was removed struck through"></pre>
  </section>
</main>
</div>`;

const PATTERN = `<div id="pattern" role="tabpanel" aria-labelledby="tab-pattern" data-empty hidden>
<p class="empty">No pattern is known here. Open a failing input and run “Boildown: Generalize Failing Input”.</p>
<header>
  <h2 id="pattern-name"></h2>
  <span id="pattern-failure"></span>
  <span id="pattern-runs" class="quiet"></span>
  <span class="buttons">
    <select id="patterns" aria-label="Patterns that were found" title="Look at another pattern that was found"></select>
    <button id="instantiate" class="secondary" title="Write more inputs of this pattern into a new file">More Inputs</button>
    <button id="writeTest" class="secondary" title="Write a test that fails now and keeps the bug from coming back">Write Test</button>
    <button id="show-tree" class="secondary" title="Show the derivation tree, with its holes">Show Tree</button>
    <button id="copyReport" title="Put a report of this bug on the clipboard">Copy Report</button>
  </span>
</header>
<main>
  <section aria-label="Pattern">
    <p id="outdated" hidden>The input has changed since this pattern was found.</p>
    <div id="law" hidden>
      <h3>It fails if</h3>
      <code id="law-text"></code>
      <p id="law-evidence" class="quiet"></p>
    </div>
    <h3>What has to stand there, and what may be something else</h3>
    <div id="pattern-text" class="code" role="group" aria-label="The text with its holes"></div>
    <h3>For example</h3>
    <ul id="instances" aria-label="Inputs of this pattern"></ul>
  </section>
  <section id="evidence" aria-live="polite" aria-label="Evidence"></section>
</main>
</div>`;

const TREE = `<div id="tree" role="tabpanel" aria-labelledby="tab-tree" data-empty hidden>
<p class="empty">No tree has been asked for. Open a failing input and run “Boildown: Show Derivation Tree”.</p>
<header>
  <h2 id="tree-name"></h2>
  <span id="tree-language" class="quiet"></span>
  <ul id="legend" aria-label="Colours">
    <li class="essential">has to be there</li>
    <li class="hole">may be something else</li>
  </ul>
  <span class="buttons">
    <button id="smaller" class="secondary" title="Draw the tree smaller" aria-label="Smaller">−</button>
    <button id="larger" class="secondary" title="Draw the tree larger" aria-label="Larger">+</button>
    <button id="as-text" class="secondary" aria-pressed="false" title="Show the tree as indented text">As Text</button>
  </span>
</header>
<div id="picture" class="code" tabindex="0" role="region" aria-label="The tree as a picture"></div>
<pre id="tree-text" class="code" tabindex="0" aria-label="The tree, a line for each node" hidden></pre>
</div>`;
