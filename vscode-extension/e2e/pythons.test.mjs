/** What the extension does about a Python that lacks something. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, suite, test } from "node:test";
import { AT_NIGHT, builtVsix, startEditor } from "./editor.mjs";

const BIN = resolve(process.env.BIN ?? "../.venv/bin");
const PYTHON = join(BIN, "python");

suite("a Python without tree-sitter", () => {
  const home = mkdtempSync(join(tmpdir(), "e2e-python-"));
  const python = join(home, "bin/python");
  let editor;
  before(async () => {
    execFileSync(PYTHON, ["-m", "venv", home]);
    editor = await startEditor({ vsix: builtVsix(), settings: { "boildown.interpreter": [python] } });
  });
  after(async () => {
    await editor?.close();
    rmSync(home, { recursive: true, force: true });
  });

  test("sees only brackets and lines, and gets what it lacks when the user says so", () =>
    editor.inWindow("c", async (window) => {
      const { page } = window;
      await window.openFile("crash.c");
      const status = await window.languageStatus();
      await status.getByText("C: brackets and lines only").waitFor();
      await status.getByText("Install", { exact: true }).click();
      await page.locator(".monaco-dialog-box", { hasText: "environment of " }).getByRole("button", { name: "Install" }).click();
      await window.toast("installing languages").waitFor();
      await window.toast("installing languages").waitFor({ state: "detached", timeout: 300_000 });
      await status.getByText("C: brackets and lines only").waitFor({ state: "detached" });
      execFileSync(python, ["-c", "import tree_sitter_c"]);
    }));
});

suite("a test that imports what its Python lacks", () => {
  let editor;
  before(async () => (editor = await startEditor({ vsix: builtVsix() })));
  after(() => editor?.close());

  /** Two environments with pytest, of which only the second has the module `spices`. */
  function prepare(folder) {
    symlinkSync(dirname(BIN), join(folder, ".venv"));
    const other = join(folder, ".tox/py3");
    execFileSync(PYTHON, ["-m", "venv", "--without-pip", other]);
    const packages = (python) => execFileSync(python, ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], { encoding: "utf8" }).trim();
    const own = packages(join(other, "bin/python"));
    // With the folder of Boildown's plugin of pytest, which an installation for development names in a file of its own.
    writeFileSync(join(own, "more.pth"), [packages(PYTHON), resolve("../server")].join("\n"));
    writeFileSync(join(own, "spices.py"), "");
    // A short string, so that there is little to wait for.
    const lines = ["import spices", "from menu import cheapest", "", "", "def test_it():", '    assert cheapest("Salad:") == ""', ""];
    writeFileSync(join(folder, "test_menu.py"), lines.join("\n"));
  }

  test("is run with the next Python that has it, if the user says so", AT_NIGHT, () =>
    editor.inWindow("pytest", async (window) => {
      await window.openFile("test_menu.py");
      await window.click("Salad");
      await window.run("Boildown: Reduce Failing Input");
      const offer = await window.ended(".tox/py3/bin/python has the module 'spices'");
      await window.answer(offer, "Run Tests With It");
      await window.ended("Reduced 6 → 1 byte: ");
      await window.page.locator(".tab.dirty", { hasText: "test_menu.py" }).waitFor();
    }, { prepare }));
});
