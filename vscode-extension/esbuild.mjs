// Bundles the extension and the panel's page into one file each, or (--tests) the unit tests.
import { readdirSync } from "node:fs";
import { build } from "esbuild";

const common = { bundle: true, outdir: "out", logLevel: "warning" };
const node = { ...common, platform: "node", target: "node20", format: "cjs" };

if (process.argv.includes("--tests")) {
  const tests = readdirSync("src/test").filter((name) => name.endsWith(".test.ts"));
  await build({ ...node, entryPoints: tests.map((name) => `src/test/${name}`), outdir: "out/test" });
} else {
  await build({ ...node, entryPoints: ["src/extension.ts"], external: ["vscode"], minify: true });
  await build({
    ...common,
    entryPoints: { panel: "src/webview/main.ts" },
    platform: "browser",
    target: "es2022",
    format: "iife",
    minify: true,
  });
}
