/**
 * A test controller as those of Python's extensions: each function of a test is an item that has failed, but those that
 * are named so. A function with parameters and a class have others below them, and no range, as there.
 */

const vscode = require("vscode");

exports.activate = async (context) => {
  const controller = vscode.tests.createTestController("harness", "Harness");
  context.subscriptions.push(controller);
  const request = new vscode.TestRunRequest();
  const run = controller.createTestRun(request);
  for (const uri of await vscode.workspace.findFiles("test_*.py")) {
    const document = await vscode.workspace.openTextDocument(uri);
    let group;
    for (const [whole, parameters, indent, name] of document.getText().matchAll(/(@pytest\.mark\.parametrize.*\n)?^( *)(?:def|class) (\w+)/gm)) {
      const start = document.positionAt(document.getText().indexOf(whole) + (parameters ?? "").length);
      const range = new vscode.Range(start, document.lineAt(start).range.end);
      const above = indent === "" ? { id: uri.fsPath, children: controller.items } : group;
      const item = controller.createTestItem(`${above.id}::${name}`, name, uri);
      above.children.add(item);
      if (!name.startsWith("test_")) {
        group = item;
        continue;
      }
      const test = parameters === undefined ? item : controller.createTestItem(`${item.id}[0]`, `${name}[0]`, uri);
      if (test !== item) {
        item.children.add(test);
      }
      test.range = range;
      if (name === "test_passes") {
        run.passed(test);
        continue;
      }
      const message = new vscode.TestMessage(`${name} has failed.`);
      message.location = new vscode.Location(uri, range);
      run.failed(test, message);
    }
  }
  run.end();
};
