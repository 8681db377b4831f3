import assert from "node:assert/strict";
import { test } from "node:test";
import { entry, withEntry } from "../testCommand";

test("a command is kept as it was pasted", () => {
  assert.equal(
    entry("crashes/big.json", '  python -m tool "crashes/big.json" '),
    '[[input]]\nfiles = ["crashes/big.json"]\ncommand = "python -m tool \\"crashes/big.json\\""\n',
  );
});

test("a command in the language of the shell is given to a shell", () => {
  for (const command of ["a | b", "a < b", "cd sub && a", "X=$Y a", "a; b", "cd sub"]) {
    assert.equal(entry("d/f", command), `[[input]]\nfiles = ["d/f"]\ncommand = ["sh", "-c", "${command}"]\n`);
  }
});

test("the glob stands for the one file only", () => {
  assert.match(entry("crash.json", "x"), /files = \["\.\/crash\.json"\]/);
  assert.match(entry("a/[1]*?.json", "x"), /files = \["a\/\[\[\]1\]\[\*\]\[\?\]\.json"\]/);
});

test("an entry comes before those that are there", () => {
  assert.equal(withEntry("", "[[input]]\nnew\n"), "[[input]]\nnew\n");
  assert.equal(withEntry("# notes\n", "[[input]]\nnew\n"), "# notes\n\n[[input]]\nnew\n");
  assert.equal(
    withEntry("# notes\n\n[[input]]\nold\n", "[[input]]\nnew\n"),
    "# notes\n\n[[input]]\nnew\n\n[[input]]\nold\n",
  );
});
