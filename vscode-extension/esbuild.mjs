// Bundles the extension into one file, or (--tests) each unit test into one file of its own.
import { readdirSync } from "node:fs";
import { build } from "esbuild";

const common = { bundle: true, platform: "node", target: "node20", format: "cjs", logLevel: "warning" };

if (process.argv.includes("--tests")) {
  const tests = readdirSync("src/test").filter((name) => name.endsWith(".test.ts"));
  await build({ ...common, entryPoints: tests.map((name) => `src/test/${name}`), outdir: "out/test" });
} else {
  await build({ ...common, entryPoints: ["src/extension.ts"], outdir: "out", external: ["vscode"], minify: true });
}
