/** VS Code in a real browser: code-server with the built extension in a fresh profile, and Chromium. */

import { spawn, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const HERE = import.meta.dirname;
const CODE_SERVER = resolve(HERE, "../.e2e/code-server/node_modules/.bin/code-server");
const FAILURES = resolve(HERE, "../.e2e/failures");
const IMAGES = resolve(HERE, "..", process.env.IMAGES || ".e2e/images");
const SIZE = { width: 1280, height: 800 };

/** Settings that keep everything away from the picture that isn't ours. */
const SETTINGS = {
  "security.workspace.trust.enabled": false,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.layoutControl.enabled": false,
  "chat.commandCenter.enabled": false,
  "chat.disableAIFeatures": true,
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "update.mode": "none",
  "editor.minimap.enabled": false,
  // Ports of programs that have nothing to do with it.
  "remote.autoForwardPorts": false,
  "window.autoDetectColorScheme": true,
  "editor.fontFamily": "'DejaVu Sans Mono'",
  "files.autoSave": "off",
  "files.hotExit": "off",
};

/** The options of a test that takes long and seldom breaks, or is the second one of its kind: it runs with NIGHTLY alone. */
export const AT_NIGHT = { skip: process.env.NIGHTLY ? false : "at night" };

/** Starts code-server on a free port with one VSIX or several installed; `settings` are the user's. */
export async function startEditor({ vsix, settings = {} }) {
  const home = mkdtempSync(join(tmpdir(), "e2e-boildown-"));
  const folders = ["--user-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions")];
  const config = ["--config", join(home, "config.yaml")];
  // The browser's user settings live in the browser; those on the machine hold for both.
  mkdirSync(join(home, "data/Machine"), { recursive: true });
  mkdirSync(join(home, "data/User"), { recursive: true });
  const text = JSON.stringify({ ...SETTINGS, ...settings });
  writeFileSync(join(home, "data/Machine/settings.json"), text);
  writeFileSync(join(home, "data/User/settings.json"), text);
  writeFileSync(join(home, "config.yaml"), "auth: none\ncert: false\n");
  const installs = [vsix].flat().flatMap((path) => ["--install-extension", path]);
  execFileSync(CODE_SERVER, [...config, ...folders, ...installs], { stdio: "pipe" });

  const port = await freePort();
  const process_ = spawn(
    CODE_SERVER,
    [...config, ...folders, "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry",
      "--disable-update-check", "--disable-getting-started-override"],
    // Past reductions are found by their text, also those of other tests.
    { stdio: "pipe", env: { ...process.env, XDG_STATE_HOME: join(home, "state") } },
  );
  let output = "";
  for (const stream of [process_.stdout, process_.stderr]) {
    stream.on("data", (data) => (output += data));
  }
  const address = `http://127.0.0.1:${port}/`;
  const up = until(() => fetch(address).then((answer) => answer.ok, () => false), () => `code-server is not up: ${output}`, 180);
  const browser = await up.then(startBrowser).catch((error) => {
    process_.kill("SIGTERM");
    throw error;
  });

  return {
    /** The folder with the logs of all windows. */
    logs: join(home, "data/logs"),
    /** Opens a window on a copy of a fixture, prepared if need be, and closes it after `act`. */
    async inWindow(fixture, act, { dark = false, prepare = () => {} } = {}) {
      const folder = join(mkdtempSync(join(home, "workspace-")), fixture);
      cpSync(join(HERE, "fixtures", fixture), folder, { recursive: true });
      prepare(folder);
      const context = await browser.newContext({ viewport: SIZE, colorScheme: dark ? "dark" : "light", permissions: ["clipboard-read", "clipboard-write"] });
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      try {
        await page.goto(`${address}?folder=${folder}`);
        await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
        await act(new Window(page, folder));
      } catch (error) {
        mkdirSync(FAILURES, { recursive: true });
        const picture = join(FAILURES, `${Date.now()}.png`);
        await page.screenshot({ path: picture });
        page.setDefaultTimeout(10_000);
        const said = await new Window(page, folder).allNotifications().catch(String);
        error.message += ` (see ${picture})\nThe window said:\n${said}\nThe log ended with:\n${lastLog(home)}`;
        throw error;
      } finally {
        await context.close();
      }
    },
    async close() {
      await browser.close();
      const gone = new Promise((done) => process_.once("exit", done));
      process_.kill("SIGTERM");
      await gone;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export function startBrowser() {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}

/** One browser window with the workbench; its methods are what a user does. */
export class Window {
  constructor(page, folder) {
    this.page = page;
    this.folder = folder;
    this.input = page.locator(".quick-input-widget input");
  }

  async openFile(name) {
    const tab = this.page.locator(`.tab.active[data-resource-name="${name}"]`);
    // Nothing is opened when something else takes the focus between the choice and the key.
    await until(async () => {
      await this.pick("Control+p", name, name);
      return tab.waitFor({ timeout: 10000 }).then(() => true, () => false);
    }, () => `${name} does not open`);
    await this.tokenised();
  }

  /** Waits until the text in front is coloured: before that its words are no elements, and a click goes astray. */
  async tokenised() {
    const language = await this.page.locator("#status\\.editor\\.mode").innerText();
    const colour = language.trim() === "Plain Text" ? "" : ':not([class="mtk1"])';
    await this.page.locator(`.editor-instance .view-line span span[class^="mtk"]${colour}`).first().waitFor();
  }

  /** Runs a command of the palette by its full title. */
  async run(title) {
    await this.pick("F1", `>${title}`, title);
  }

  /** Picks an entry of a list that a key opens. */
  async pick(key, text, entry) {
    const row = this.page.locator(".quick-input-list .monaco-list-row", { hasText: entry }).first();
    const timeout = 5000;
    // The list is closed again when something else takes the focus while it opens.
    await until(async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press(key);
      return this.input.fill(text, { timeout }).then(() => row.waitFor({ timeout })).then(() => true, () => false);
    }, () => `nothing called ${entry} can be picked`);
    await this.page.keyboard.press("Enter");
  }

  /** Puts the cursor into a word of the editor in front. */
  async click(word) {
    await this.page.locator(".editor-instance .view-line span span", { hasText: word }).first().click();
  }

  /** Rests the mouse on a word of the editor in front. */
  async hover(word) {
    await this.page.locator(".editor-instance .view-line span span", { hasText: word }).first().hover();
  }

  /** Chooses a code action at the cursor; the menu is kept as a picture if that has a name. */
  async codeAction(title, picture) {
    const entry = this.page.locator(".action-widget").getByText(title).first();
    // The menu is closed again by what happens elsewhere while it opens.
    await until(async () => {
      await this.page.keyboard.press("Control+.");
      return entry.waitFor({ timeout: 3000 }).then(() => true, () => false);
    }, () => `no code action ${title}`);
    if (picture !== undefined) {
      await this.picture(picture);
    }
    // The menu takes no notice of a click without a movement before it.
    const { x, y } = await entry.boundingBox();
    await this.page.mouse.move(x + 5, y - 3);
    await this.page.mouse.move(x + 15, y + 8, { steps: 4 });
    await this.page.mouse.click(x + 15, y + 8);
  }

  /** Opens what extensions say of the document's language. */
  async languageStatus() {
    const items = this.page.locator(".hover-language-status").first();
    await until(async () => {
      await this.page.locator("#status\\.languageStatus a").click();
      return items.waitFor({ timeout: 3000 }).then(() => true, () => false);
    }, () => "the language status does not open");
    return this.page.locator(".monaco-hover", { has: items });
  }

  /** The tab in front, if it has this label. */
  tab(label) {
    return this.page.locator(".tab.active").filter({ has: this.page.getByText(label, { exact: true }) });
  }

  toast(text) {
    return this.page.locator(".notification-toast", { hasText: text });
  }

  /** Waits for what is said at the end of a job, which takes its time on a busy machine. */
  async ended(text) {
    const toast = this.toast(text).first();
    await toast.waitFor({ timeout: 300_000 });
    return toast;
  }

  /** Takes the notifications out of the picture, by opening and closing their list. */
  async hideToasts() {
    await this.notifications(async () => {});
  }

  /** Opens the list of notifications while something is done, and closes it. */
  async notifications(act) {
    const bell = this.page.locator("#status\\.notifications a");
    await bell.click();
    await this.page.locator(".notifications-center.visible").waitFor();
    await act();
    await bell.click();
    await this.page.locator(".notifications-center.visible").waitFor({ state: "hidden" });
  }

  /** What was said so far, also what is no longer, or was never, shown by itself. */
  async allNotifications() {
    let found = "";
    await this.notifications(async () => {
      found = await this.page.locator(".notifications-center").innerText();
    });
    return found;
  }

  async hideSidebar() {
    const sidebar = this.page.locator(".part.sidebar");
    const timeout = 5000;
    // A key that is pressed while a webview takes the focus may get lost.
    await until(async () => {
      await this.run("View: Toggle Primary Side Bar Visibility");
      return sidebar.waitFor({ state: "hidden", timeout }).then(() => true, () => false);
    }, () => "the side bar stays");
  }

  /** Gives the panel most of the window, as one does who wants to see it. */
  async makeRoom() {
    await this.hideSidebar();
    const { y } = await this.page.locator(".part.panel").boundingBox();
    await this.page.mouse.move(300, y);
    await this.page.mouse.down();
    await this.page.mouse.move(300, 300, { steps: 5 });
    await this.page.mouse.up();
  }

  /** Clicks a button of a notification. */
  async answer(toast, button) {
    await toast.hover();
    await toast.getByRole("button", { name: button }).click();
  }

  /** The visible text of an editor, the first by default. */
  async text(editor = 0) {
    const lines = this.page.locator(".editor-instance").nth(editor).locator(".view-line");
    const found = await lines.evaluateAll((all) =>
      all.map((line) => [line.getBoundingClientRect().top, line.textContent]),
    );
    return found
      .sort(([a], [b]) => a - b)
      .map(([, line]) => line.replaceAll("\u00a0", " "))
      .join("\n");
  }

  async waitForText(expected) {
    await until(async () => (await this.text()) === expected, async () =>
      `the editor shows ${JSON.stringify(await this.text())}, not ${JSON.stringify(expected)}`);
  }

  /** The document in the panel's webview. */
  get panel() {
    return this.page.frameLocator(":not([data-parent-flow-to-element-id]) > iframe.webview").frameLocator("iframe#active-frame");
  }

  /** The document in the webview that is an editor. */
  get editorPage() {
    return this.page.frameLocator("[data-parent-flow-to-element-id] > iframe.webview").frameLocator("iframe#active-frame");
  }

  /** Keeps a picture for the documentation; the mouse is moved out of the way unless it shows something. */
  async picture(name, { mouse = false } = {}) {
    if (!mouse) {
      await this.page.mouse.move(700, 300);
    }
    // What fades in has to be there; a caret blinks for ever.
    await this.page.waitForFunction(() =>
      document.getAnimations().every(({ playState, effect }) =>
        playState !== "running" || effect?.getComputedTiming().endTime === Infinity));
    mkdirSync(IMAGES, { recursive: true });
    await this.page.screenshot({ path: join(IMAGES, `${name}.png`) });
  }
}

/** Waits until a condition holds; a failure says what was there instead. */
export async function until(condition, complaint, seconds = 120) {
  const end = Date.now() + seconds * 1000;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(await complaint());
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** The end of what the extension has logged in the latest window. */
function lastLog(home) {
  const logs = join(home, "data/logs");
  const found = readdirSync(logs, { recursive: true })
    .filter((name) => name.endsWith("Boildown.log"))
    .map((name) => join(logs, name))
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
  const latest = found.at(-1);
  return latest === undefined ? "nothing" : readFileSync(latest, "utf8").split("\n").slice(-30).join("\n");
}

function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

/** Gives a workspace settings of its own. */
export function addSettings(folder, settings) {
  mkdirSync(join(folder, ".vscode"));
  writeFileSync(join(folder, ".vscode/settings.json"), JSON.stringify(settings));
}

/** The VSIX that the Makefile has just built. */
export function builtVsix() {
  const found = readdirSync(resolve(HERE, "..")).filter((name) => name.endsWith(".vsix"));
  if (found.length !== 1) {
    throw new Error(`there should be one .vsix, not ${found.length}: run make vsix`);
  }
  return resolve(HERE, "..", found[0]);
}
