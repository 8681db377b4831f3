/**
 * A test controller as those of Python's extensions: each file is an item, and each function of a test is one that has
 * failed. A function with parameters has its cases below it, and no range, as there.
 */

const vscode = require("vscode");

exports.activate = async (context) => {
  const controller = vscode.tests.createTestController("harness", "Harness");
  context.subscriptions.push(controller);
  const request = new vscode.TestRunRequest();
  const run = controller.createTestRun(request);
  for (const uri of await vscode.workspace.findFiles("test_*.py")) {
    const document = await vscode.workspace.openTextDocument(uri);
    for (const [whole, parameters, name] of document.getText().matchAll(/(@pytest\.mark\.parametrize.*\n)?^def (test_\w+)/gm)) {
      const start = document.positionAt(document.getText().indexOf(whole) + (parameters ?? "").length);
      const range = new vscode.Range(start, document.lineAt(start).range.end);
      const item = controller.createTestItem(`${uri.fsPath}::${name}`, name, uri);
      controller.items.add(item);
      const test = parameters === undefined ? item : controller.createTestItem(`${item.id}[0]`, `${name}[0]`, uri);
      if (test !== item) {
        item.children.add(test);
      }
      test.range = range;
      const message = new vscode.TestMessage(`${name} has failed.`);
      message.location = new vscode.Location(uri, range);
      run.failed(test, message);
    }
  }
  run.end();
};
