import assert from "node:assert/strict";
import { test } from "node:test";
import { Job, thinned } from "../panel/job";
import type { JobProgress } from "../panel/messages";

function progress(runs: number, bytes: number, text?: string): JobProgress {
  return {
    token: "boildown-1",
    uri: "file:///home/ada/my%20crash.json",
    doing: "reducing",
    step: "leaving parts out",
    runs,
    runsLeft: null,
    bytes,
    bytesBefore: 100,
    secondsLeft: 300 - runs / 4,
    failures: ["exit 1", "exit 2"],
    outcomes: { reproduced: 1, passed: runs - 1 },
    seconds: runs / 4,
    ...(text === undefined ? {} : { text }),
  };
}

test("a job is shown with its curve, its outcomes and its speed", () => {
  const job = new Job(progress(1, 100, "long"));
  job.add(progress(5, 60));
  assert.deepEqual(job.view(), {
    name: "my crash.json",
    running: true,
    doing: "reducing",
    step: "leaving parts out",
    runs: 5,
    runsLeft: null,
    bytes: 60,
    bytesBefore: 100,
    seconds: 1.25,
    secondsLeft: 298.75,
    failures: ["exit 1", "exit 2"],
    outcomes: { reproduced: 1, passed: 4 },
    curve: [{ runs: 1, bytes: 100 }, { runs: 5, bytes: 60 }],
    steps: [{ runs: 1, bytes: 100 }],
    outcome: undefined,
    files: undefined,
  });
  job.end({ failed: true, message: "It passes." });
  job.end();
  assert.equal(job.view().running, false);
  assert.deepEqual(job.view().outcome, { failed: true, message: "It passes." });
});

test("a step is kept for each new text, and compared with the failing input", () => {
  const job = new Job(progress(1, 4, "long"));
  job.add(progress(2, 3, "lon"));
  job.add(progress(3, 3, "lon"));
  job.add(progress(4, 2, "ln"));
  assert.deepEqual(job.view().steps.map(({ runs }) => runs), [1, 2, 4]);
  assert.deepEqual(job.compare(), { before: "long", after: "ln", step: 2 });
  assert.deepEqual(job.compare(1), { before: "long", after: "lon", step: 1 });
  assert.equal(job.compare(3), undefined);
});

test("without a text there is nothing to compare", () => {
  assert.equal(new Job(progress(1, 100)).compare(), undefined);
});

test("a long job keeps its beginning, its end and a bounded number of points", () => {
  const job = new Job(progress(0, 100_000, "text 0"));
  for (let run = 1; run <= 50_000; run++) {
    job.add(progress(run, 100_000 - run, `text ${run}`));
  }
  const { curve, steps } = job.view();
  assert.ok(curve.length <= 800 && steps.length <= 100);
  assert.deepEqual([curve[0]?.runs, curve.at(-1)?.runs], [0, 50_000]);
  assert.deepEqual(job.compare(), { before: "text 0", after: "text 50000", step: steps.length - 1 });
});

test("thinning keeps the first and the last", () => {
  assert.deepEqual(thinned([1, 2, 3, 4]), [1, 3, 4]);
  assert.deepEqual(thinned([1, 2, 3]), [1, 3]);
  assert.deepEqual(thinned([1]), [1]);
});

test("a job on a folder is shown with the files that are left", () => {
  const files = [{ path: "a.py", bytes: 6 }];
  assert.deepEqual(new Job({ ...progress(1, 6, "text"), files }).view().files, files);
  assert.equal(new Job({ ...progress(1, 6, "text"), files: null }).view().files, undefined);
});
