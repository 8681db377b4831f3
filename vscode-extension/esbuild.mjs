// Bundles the extension and the panel's page into one file each, or (--tests) the unit tests.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const common = { bundle: true, outdir: "out", logLevel: "warning", metafile: true };
const node = { ...common, platform: "node", target: "node20", format: "cjs" };

if (process.argv.includes("--tests")) {
  const tests = readdirSync("src/test").filter((name) => name.endsWith(".test.ts"));
  await build({ ...node, entryPoints: tests.map((name) => `src/test/${name}`), outdir: "out/test" });
} else {
  const extension = await build({ ...node, entryPoints: ["src/extension.ts"], external: ["vscode"], minify: true });
  const page = await build({
    ...common,
    entryPoints: { panel: "src/webview/main.ts", tree: "src/webview/tree.ts" },
    platform: "browser",
    target: "es2022",
    format: "iife",
    minify: true,
  });
  writeFileSync("out/NOTICE.txt", notices([extension, page]));
}

/** The packages whose code is in the bundles, each with its licence. */
function notices(builds) {
  const inputs = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const packages = new Set(inputs.flatMap((path) => path.match(/.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []));
  const entries = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) {
      throw new Error(`${name} comes without the text of its licence`);
    }
    return `${name} ${version}: ${license}\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
  });
  return `Its JavaScript contains code of these packages:\n\n${entries.join("\n\n")}`;
}
