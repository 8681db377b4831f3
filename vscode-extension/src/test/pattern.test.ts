import assert from "node:assert/strict";
import { test } from "node:test";
import type { Hole, Pattern } from "../panel/messages";
import { cut, lawSentence, numbers, patternView, recallSentence, sentence, spans } from "../panel/pattern";

const EVIDENCE = { trials: 100, reproduced: 100, invalid: 0, timeouts: 0, lower_bound: 0.9704869 };
const LAW = {
  law: "//price < 0", trials: 60, reproduced: 60, lower_bound: 0.9512936, near: 60, near_passed: 58, unjudged: 0, failing: 12, explained: 11, excepted: [],
};

function hole(start: number, end: number, text: string): Hole {
  return { name: `value_${start}`, mark: "⟨value⟩", sketch: "⟨value⟩", before: "", after: "", start, end, text, counterexample: null, ...EVIDENCE };
}

test("a text is cut at its holes, and nothing of it is lost", () => {
  const text = '{"a":1,"b":2}';
  const holes = [hole(5, 6, "1"), hole(11, 12, "2")];
  const parts = cut(text, holes);
  assert.deepEqual(parts, ['{"a":', 0, ',"b":', 1, "}"]);
  assert.equal(parts.map((part) => (typeof part === "string" ? part : holes[part]?.text)).join(""), text);
});

test("holes are counted in code points, not in the units of JavaScript", () => {
  assert.deepEqual(cut("😀😀=1😀", [hole(3, 4, "1")]), ["😀😀=", 0, "😀"]);
});

test("holes side by side, at the ends, and where nothing stands", () => {
  assert.deepEqual(cut("ab", [hole(0, 1, "a"), hole(1, 1, ""), hole(1, 2, "b")]), [0, 1, 2]);
  assert.deepEqual(cut("ab", []), ["ab"]);
});

test("holes are numbered in the order of the text, those of one name alike", () => {
  assert.deepEqual(numbers(["a", "$b", "c", "$b", "d"].map((name) => ({ name }))), [1, 2, 3, 2, 4]);
});

test("holes are found in the text in the units of JavaScript", () => {
  const holes = [hole(1, 3, "12"), hole(4, 4, "")];
  assert.deepEqual(spans({ parts: cut("😀12=", holes), holes, numbers: [1, 2] }), {
    text: "😀12=",
    spans: [{ hole: 1, start: 2, end: 4 }, { hole: 2, start: 5, end: 5 }],
  });
});

test("a pattern is shown with the name of its document", () => {
  const pattern: Pattern = {
    text: "a", language: "json", sampler: "random texts", holes: [], anywhere: null, card: [], joint: EVIDENCE,
    runs: 7, seconds: 1.5, finished: true, failure: "exit 1", recall: null, law: LAW,
  };
  const view = patternView("file:///home/ada/my%20crash.json", pattern, ["b"]);
  assert.deepEqual([view.name, view.parts, view.instances, view.runs, view.law], ["my crash.json", ["a"], ["b"], 7, LAW]);
});

test("evidence is said with its bound, and with the runs that say nothing", () => {
  assert.equal(sentence(EVIDENCE), "100 of 100 random texts failed alike, so at least 97.0 % of all do (95 % confidence).");
  assert.match(sentence({ ...EVIDENCE, invalid: 2, timeouts: 1 }), /; 3 more say nothing\.$/);
  assert.equal(sentence({ ...EVIDENCE, trials: 0, reproduced: 0 }), "No random text was tried.");
});

test("a law is said with its bound on mutants, with what it explains, and with its exceptions", () => {
  const line =
    "60 of 60 fresh mutants of this job's inputs for which it holds failed alike, so at least 95.1 % of all such do (95 % confidence); " +
    "58 of 60 for which it does not hold passed. It explains 11 of 12 failing inputs.";
  assert.equal(lawSentence(LAW), line);
  assert.equal(lawSentence({ ...LAW, excepted: ["1"] }), `${line} 1 input passes although it holds.`);
  assert.equal(lawSentence({ ...LAW, excepted: ["1", "2"] }), `${line} 2 inputs pass although it holds.`);
  assert.match(lawSentence({ ...LAW, unjudged: 7 }), /58 of 60 [^.]*\. Left out, for they failed in another way or were invalid: 7\. It explains/);
});

test("the failing inputs that a pattern matches are counted, and one that it does not match is named", () => {
  const all = { failing: 44, explained: 44, original: true, missed: null, part: false };
  assert.equal(recallSentence(all), "It matches 44 of 44 failing inputs met before.");
  const some = { failing: 44, explained: 41, original: false, missed: "[1]", part: false };
  assert.equal(recallSentence(some), 'It matches 41 of 44 failing inputs met before, but not the original; "[1]" is none.');
  assert.equal(recallSentence({ ...some, missed: null, part: true }), "It matches 41 of 44 failing inputs met before, but of the original only a part.");
});
