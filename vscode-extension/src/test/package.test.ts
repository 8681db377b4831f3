import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

interface Package {
  readonly version: string;
  readonly icon: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string }[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope?: string }>> };
    readonly walkthroughs: readonly { readonly steps: readonly { readonly media: { readonly markdown: string } }[] }[];
  };
}

const pack = JSON.parse(readFileSync("package.json", "utf8")) as Package;
const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.startsWith("test"))
  .map((name) => readFileSync(join("src", name), "utf8"))
  .join("\n");
const commands = pack.contributes.commands.map(({ command }) => command);

test("the extension has the version of the server that it carries", () => {
  assert.equal(/^version = "(.*)"$/m.exec(readFileSync("../pyproject.toml", "utf8"))?.[1], pack.version);
});

test("every command of the palette is registered, and no other", () => {
  const registered = new Set(sources.match(/(?<=registerCommand\(")boildown\.ui\.\w+|(?<=^ {2}")boildown\.ui\.\w+(?=": ")/gm));
  assert.deepEqual([...registered].sort(), [...commands].sort());
});

test("every menu entry is a command", () => {
  const entries = Object.values(pack.contributes.menus).flat().flatMap(({ command }) => command ?? []);
  assert.deepEqual(entries.filter((entry) => !commands.includes(entry)), []);
});

test("every setting has a scope and is told of in the README", () => {
  const readme = readFileSync("README.md", "utf8");
  for (const [name, { scope }] of Object.entries(pack.contributes.configuration.properties)) {
    assert.ok(scope, `${name} has no scope`);
    assert.ok(readme.includes(`| \`${name}\` |`), `${name} is not in README.md`);
  }
});

test("the pictures and pages that the package names are there", () => {
  const pages = pack.contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown));
  const pictures = readFileSync("README.md", "utf8").match(/(?<=\]\()\.\.[^)]+/g) ?? [];
  assert.ok(pictures.length > 0);
  assert.deepEqual([pack.icon, ...pages, ...pictures].filter((path) => !existsSync(path)), []);
});
