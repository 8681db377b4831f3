/** A derivation tree in an editor of its own. */

import * as vscode from "vscode";
import type { FromPage, Light, TreeView } from "./messages";
import { label } from "./inert";
import { page } from "./page";

export class TreeTab implements vscode.Disposable {
  private tab: vscode.WebviewPanel | undefined;
  private tree: TreeView | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly light: (uri: string, message: Light) => void,
  ) {}

  /** Shows a tree; one that is open already makes place for it. */
  show(tree: TreeView): void {
    this.tree = tree;
    this.tab ??= this.create();
    this.tab.title = label(`Tree of ${tree.name}`);
    this.tab.reveal(undefined, false);
    this.post();
  }

  /** Lights up a hole, if the tree is of this document. */
  lit(uri: string, message: Light): void {
    if (this.tree?.uri === uri) {
      void this.tab?.webview.postMessage(message);
    }
  }

  dispose(): void {
    this.tab?.dispose();
  }

  private create(): vscode.WebviewPanel {
    const out = vscode.Uri.joinPath(this.extension, "out");
    const tab = vscode.window.createWebviewPanel("boildown.tree", "Tree", vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [out],
      retainContextWhenHidden: true,
    });
    tab.webview.onDidReceiveMessage((message: FromPage) => {
      if (message.kind === "ready") {
        this.post();
      } else if (message.kind === "light" && this.tree !== undefined) {
        this.light(this.tree.uri, message);
      }
    });
    tab.onDidDispose(() => (this.tab = undefined));
    const [script, style] = ["tree.js", "panel.css"].map((name) => vscode.Uri.joinPath(out, name)) as [vscode.Uri, vscode.Uri];
    tab.webview.html = page(tab.webview, script, style, "tree");
    return tab;
  }

  private post(): void {
    if (this.tree !== undefined) {
      void this.tab?.webview.postMessage({ kind: "tree", tree: this.tree });
    }
  }
}
