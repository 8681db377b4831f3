/** A test controller as those of Python's extensions: each function of a test is an item, which has failed. */

const vscode = require("vscode");

exports.activate = async (context) => {
  const controller = vscode.tests.createTestController("harness", "Harness");
  context.subscriptions.push(controller);
  const request = new vscode.TestRunRequest();
  const run = controller.createTestRun(request);
  for (const uri of await vscode.workspace.findFiles("test_*.py")) {
    const document = await vscode.workspace.openTextDocument(uri);
    for (const found of document.getText().matchAll(/^def (test_\w+)/gm)) {
      const start = document.positionAt(found.index);
      const item = controller.createTestItem(`${uri}::${found[1]}`, found[1], uri);
      item.range = new vscode.Range(start, document.lineAt(start).range.end);
      controller.items.add(item);
      const message = new vscode.TestMessage(`${found[1]} has failed.`);
      message.location = new vscode.Location(uri, item.range);
      run.failed(item, message);
    }
  }
  run.end();
};
