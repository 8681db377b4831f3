import assert from "node:assert/strict";
import { test } from "node:test";
import { withExpected } from "../expected";

const argument = { uri: "file:///test_it.py", form: "pytest" };

function answering(answer: string | undefined, asked: string[] = []): (question: string) => Promise<string | undefined> {
  return async (question) => {
    asked.push(question);
    return Promise.resolve(answer);
  };
}

test("the server gets the value that the user gives to its question", async () => {
  const asked: string[] = [];
  assert.deepEqual(await withExpected(argument, "Which value?", answering("0", asked)), { ...argument, expected: "0" });
  assert.deepEqual(asked, ["Which value?"]);
});

test("an empty answer is sent, so that the server does not ask again", async () => {
  assert.deepEqual(await withExpected(argument, "Which value?", answering("")), { ...argument, expected: "" });
});

test("no test is written where the user closes the question", async () => {
  assert.equal(await withExpected(argument, "Which value?", answering(undefined)), undefined);
});
