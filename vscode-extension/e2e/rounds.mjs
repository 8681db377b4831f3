/**
 * Runs the browser tests in rounds, and says which of them are flaky: they fail now and then.
 *
 * `rounds.mjs` runs all of them ROUNDS times, and fails when one test has failed once. `rounds.mjs --again` runs all of
 * them once and those files again in which one has failed: it fails when a test has failed both times. An editor in a
 * browser on a busy machine loses a key now and then, which says nothing of the extension.
 *
 * Tests for the night run with NIGHTLY alone.
 */

import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { run } from "node:test";

const HERE = import.meta.dirname;
const again = process.argv.includes("--again");
const rounds = again ? 2 : Number(process.env.ROUNDS ?? 5);
const all = readdirSync(HERE).filter((name) => name.endsWith(".test.mjs")).map((name) => join(HERE, name));
/** Of each test, by its file and name: its results, a message for a failure. */
const results = new Map();

/** The files in which the last result of a test is a failure. */
const broken = () => [...new Set([...results.values()].filter(({ said }) => said.at(-1) !== "").map(({ file }) => file))];

for (let round = 1; round <= rounds; round++) {
  const files = again && round > 1 ? broken() : all;
  if (files.length === 0) {
    break;
  }
  for await (const { type, data } of run({ files, concurrency: 1 })) {
    const name = `${basename(data.file ?? "")}: ${data.name}`;
    // A suite says only that a test in it has failed, unless what it does before or after them has.
    const itself = data.details?.type !== "suite" || data.details.error?.failureType === "hookFailed" || results.has(name);
    if (type === "test:pass" && data.skip !== undefined) {
      console.log(`- ${name}: ${data.skip}`);
    } else if ((type === "test:pass" || type === "test:fail") && itself) {
      const said = type === "test:pass" ? "" : data.details.error.cause?.stack ?? String(data.details.error);
      const known = results.get(name) ?? { file: data.file, said: [] };
      results.set(name, { ...known, said: [...known.said, said] });
      console.log(`${said === "" ? "✔" : "✖"} ${name} (${Math.round(data.details.duration_ms)} ms)${said && `\n${said}`}`);
    }
  }
  console.log(`round ${round}: ${results.size} tests so far`);
}
const failed = [...results].map(([name, { said }]) => [name, said.filter(Boolean).length, said.length]).filter(([, times]) => times > 0);
for (const [name, times, runs] of failed) {
  console.log(`failed ${times} of ${runs} times: ${name}`);
}
const flaky = failed.filter(([, times, runs]) => times < runs);
console.log(`${flaky.length} of ${results.size} tests are flaky, ${failed.length - flaky.length} fail every time`);
process.exitCode = results.size > 0 && failed.length === (again ? flaky.length : 0) ? 0 : 1;
