import assert from "node:assert/strict";
import { test } from "node:test";
import type { PatternFound } from "../panel/messages";
import { Patterns } from "../panel/patterns";

const EVIDENCE = { trials: 100, reproduced: 100, invalid: 0, timeouts: 0, lower_bound: 0.97 };

function found(name: string, text: string, line = 0): PatternFound {
  const place = { line, character: 0 };
  const pattern = {
    text, language: "json", sampler: "random texts", holes: [], anywhere: null, card: [], joint: EVIDENCE, runs: 7, seconds: 1.5, finished: true, failure: "exit 1", recall: null, law: null,
  };
  return { uri: `file:///${name}`, pattern, instances: [], start: place, end: place };
}

function seen({ view, choice, place }: Patterns): object {
  return { text: view?.parts[0], isKnown: view?.isKnown, labels: choice.labels, chosen: choice.chosen, line: place?.start.line };
}

test("an earlier pattern can be looked at again, and is of no use once there is a newer one of its document", () => {
  const patterns = new Patterns();
  assert.equal(patterns.view, undefined);
  for (const each of [found("a.json", "1"), found("b.json", "2"), found("a.json", "3")]) {
    assert.equal(patterns.take(each), true);
  }
  const labels = ["a.json: 3", "b.json: 2", "a.json: 1"];
  assert.deepEqual(seen(patterns), { text: "3", isKnown: true, labels, chosen: 0, line: 0 });
  patterns.choose(1);
  assert.deepEqual(seen(patterns), { text: "2", isKnown: true, labels, chosen: 1, line: 0 });
  patterns.choose(2);
  assert.deepEqual(seen(patterns), { text: "1", isKnown: false, labels, chosen: 2, line: undefined });
  patterns.choose(3);
  assert.equal(patterns.choice.chosen, 2);
});

test("a pattern whose input moves is no new one, and one whose input has changed stays to be seen", () => {
  const patterns = new Patterns();
  patterns.take(found("a.json", "1"));
  assert.equal(patterns.take(found("a.json", "1", 5)), false);
  assert.equal(patterns.place?.start.line, 5);
  assert.equal(patterns.take({ uri: "file:///a.json", pattern: null }), false);
  assert.deepEqual(seen(patterns), { text: "1", isKnown: false, labels: ["a.json: 1"], chosen: 0, line: undefined });
  assert.equal(patterns.take({ uri: "file:///other.json", pattern: null }), false);
});
