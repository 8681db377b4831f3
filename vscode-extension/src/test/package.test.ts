import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { forwarded, OWN_COMMANDS, PREVIEW_COMMANDS } from "../ownCommands";

interface Package {
  readonly version: string;
  readonly icon: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly description?: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string }[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope?: string }>> };
    readonly walkthroughs: readonly { readonly steps: readonly { readonly media: { readonly markdown: string } }[] }[];
  };
}

interface Locked {
  readonly dev?: boolean;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const pack = JSON.parse(readFileSync("package.json", "utf8")) as Package;
const readme = readFileSync("README.md", "utf8");
const protocol = readFileSync("../docs/protocol.md", "utf8");
const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { readonly packages: Readonly<Record<string, Locked>> };
/** What ends up in the bundles, and what only builds and tests them. */
const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== "" && dev !== true);
const PERMISSIVE = ["MIT", "ISC", "BSD-3-Clause", "BlueOak-1.0.0", "Apache-2.0"];
/** Those that have no place in a text's own menu. */
const ELSEWHERE = ["reduceFolder", "openSample", "reduceSample", "installLanguages", "restart", "showLog"];
const commands = pack.contributes.commands.map(({ command }) => command);

test("the extension has the version of the server that it carries", () => {
  assert.equal(/^version = "(.*)"$/m.exec(readFileSync("../pyproject.toml", "utf8"))?.[1], pack.version);
});

test("every command of the palette is registered, and no other", () => {
  const registered = [...OWN_COMMANDS, ...PREVIEW_COMMANDS, ...forwarded(pack.contributes.commands)];
  assert.deepEqual(registered.map((name) => `boildown.ui.${name}`).sort(), [...commands].sort());
});

test("every command that is handed to the server is one of the server's", () => {
  const documented = forwarded(pack.contributes.commands).filter((name) => protocol.includes(`\n### \`boildown.${name}\`\n`));
  assert.deepEqual(documented, forwarded(pack.contributes.commands));
});

test("every menu entry is a command", () => {
  const entries = Object.values(pack.contributes.menus).flat().flatMap(({ command }) => command ?? []);
  assert.deepEqual(entries.filter((entry) => !commands.includes(entry)), []);
});

test("every command about a text is in the menu of the text", () => {
  const menu = pack.contributes.menus["boildown.editor"]?.map(({ command }) => command) ?? [];
  const elsewhere = ELSEWHERE.map((name) => `boildown.ui.${name}`);
  assert.deepEqual([...menu, ...elsewhere].sort(), [...commands].sort());
});

test("every state that a menu asks for is kept by the extension", () => {
  const kept = ["state.ts", "status.ts"].map((name) => readFileSync(join("src", name), "utf8")).join("");
  const asked = Object.values(pack.contributes.menus).flat().flatMap(({ when = "" }) => when.match(/boildown\.\w+/g) ?? []);
  assert.ok(asked.length > 0);
  assert.deepEqual(asked.filter((name) => !kept.includes(`"${name}"`)), []);
});

test("every command is told of in the README", () => {
  assert.ok(readme.includes("\n<!-- commands -->\n"));
  const silent = pack.contributes.commands.filter(({ description = "" }) => !description.endsWith("."));
  assert.deepEqual(silent, []);
});

test("every setting has a scope and is told of in the README", () => {
  for (const [name, { scope }] of Object.entries(pack.contributes.configuration.properties)) {
    assert.ok(scope, `${name} has no scope`);
    assert.ok(readme.includes(`| \`${name}\` |`), `${name} is not in README.md`);
  }
});

test("the pictures and pages that the package names are there", () => {
  const pages = pack.contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown));
  const pictures = readme.match(/(?<=\]\()\.\.[^)]+/g) ?? [];
  assert.ok(pictures.length > 0);
  assert.deepEqual([pack.icon, ...pages, ...pictures].filter((path) => !existsSync(path)), []);
});

test("nothing that is shipped is built on the user's machine, or comes under a licence that asks much", () => {
  for (const [path, { hasInstallScript, dependencies = {}, license = "" }] of shipped) {
    assert.notEqual(hasInstallScript, true, `${path} runs a script when it is installed`);
    assert.deepEqual(Object.keys(dependencies).filter((name) => /gyp|node-addon-api|prebuild|bindings/.test(name)), [], path);
    assert.ok(PERMISSIVE.includes(license), `${path} comes under ${license}`);
  }
});

test("what is in the bundles is listed with its licence, is not too much, and holds no native code", () => {
  const listed = Array.from(readFileSync("out/NOTICE.txt", "utf8").matchAll(/^[@\w./-]+(?= [\d.]+: )/gm), ([name]) => name);
  assert.ok(listed.includes("diff") && listed.includes("vscode-languageclient"));
  const names = shipped.map(([path]) => path.replace(/^.*node_modules\//, ""));
  assert.deepEqual(listed.filter((name) => !names.includes(name)), []);
  const bundles = ["extension.js", "panel.js", "panel.css"].map((name) => join("out", name));
  assert.ok(bundles.reduce((size, path) => size + statSync(path).size, 0) < 2_000_000);
  assert.deepEqual(bundles.filter((path) => /require\("[^"]*\.node"\)/.test(readFileSync(path, "utf8"))), []);
});
