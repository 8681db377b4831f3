/** Runs the browser tests again and again, and says which of them are flaky: they fail now and then. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const HERE = import.meta.dirname;
const files = readdirSync(HERE).filter((name) => name.endsWith(".test.mjs")).map((name) => join(HERE, name));
/** How often each test has failed, by its file and name. */
const failed = new Map();

for (let round = 1; round <= ROUNDS; round++) {
  for await (const { type, data } of run({ files, concurrency: 1 })) {
    if ((type === "test:pass" || type === "test:fail") && data.details.type !== "suite") {
      const name = `${data.file}: ${data.name}`;
      failed.set(name, (failed.get(name) ?? 0) + (type === "test:fail" ? 1 : 0));
    }
  }
  console.log(`round ${round} of ${ROUNDS}: ${failed.size} tests`);
}
const wrong = [...failed].filter(([, times]) => times > 0);
for (const [name, times] of wrong) {
  console.log(`failed ${times} of ${ROUNDS} times: ${name}`);
}
const flaky = wrong.filter(([, times]) => times < ROUNDS);
console.log(`${flaky.length} of ${failed.size} tests are flaky, ${wrong.length - flaky.length} fail every time`);
process.exitCode = wrong.length === 0 && failed.size > 0 ? 0 : 1;
