/** The HTML of the panel's page. Nothing in it comes from outside the extension. */

import { randomBytes } from "node:crypto";
import type { Webview, Uri } from "vscode";

const OUTCOMES = { REPRODUCED: "reproduced", PASSED: "passed", INVALID: "invalid", TIMEOUT: "timed out" };

export function page(webview: Pick<Webview, "cspSource" | "asWebviewUri">, script: Uri, style: Uri): string {
  const nonce = randomBytes(16).toString("hex");
  const bars = Object.keys(OUTCOMES).map((name) => `<span id="bar-${name}" class="${name}"></span>`);
  const counts = Object.entries(OUTCOMES).map(
    ([name, label]) => `<li class="${name}"><span id="count-${name}">0</span> ${label}</li>`,
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; font-src ${webview.cspSource}; script-src 'nonce-${nonce}'">
<link rel="stylesheet" href="${webview.asWebviewUri(style).toString()}">
<title>Boildown</title>
</head>
<body>
<p id="empty">Nothing has been reduced yet. Open a failing input and run “Boildown: Reduce Failing Input”.</p>
<p id="announcement" role="status"></p>
<header>
  <h2 id="name"></h2>
  <span id="size"></span>
  <span id="runs"></span>
  <span id="rate"></span>
  <span id="phase"></span>
  <span class="buttons">
    <button id="stop" class="secondary" title="End the job and ask what to do with the best so far">Stop</button>
    <button id="keep" title="End the job and put the best so far into the document">Keep This</button>
  </span>
</header>
<main>
  <section aria-label="Size over runs">
    <div id="curve" role="img"></div>
    <div id="outcomes">
      <div id="bars" aria-hidden="true">${bars.join("")}</div>
      <ul aria-label="Outcomes of the runs">${counts.join("")}</ul>
    </div>
  </section>
  <section aria-label="Best text">
    <div class="tools">
      <label for="steps">Best text</label>
      <select id="steps"></select>
      <button id="restore" class="secondary" title="Put the text shown here into the document, when the job has ended">Restore This</button>
    </div>
    <pre id="text" tabindex="0" aria-label="The best text, with what was removed struck through"></pre>
  </section>
</main>
<script nonce="${nonce}" src="${webview.asWebviewUri(script).toString()}"></script>
</body>
</html>`;
}
