/** Says of which documents only brackets and lines are seen, and installs what is missing for more. */

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { promisify } from "node:util";
import * as vscode from "vscode";
import type { Interpreter } from "./interpreter";
import { installComplaint, type Language, requirements, selector } from "./languages";
import { label } from "./panel/inert";
import { chooseOrLog, setting } from "./settings";

const run = promisify(execFile);

export class LanguageStatus implements vscode.Disposable {
  private items: vscode.LanguageStatusItem[] = [];
  private python: Interpreter | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly installed: () => void,
  ) {}

  /** Finds out what an interpreter lacks. */
  async look(python: Interpreter): Promise<void> {
    this.python = python;
    const [command, ...args] = python.argv as [string, ...string[]];
    const script = this.context.asAbsolutePath("launch.py");
    try {
      const { stdout } = await run(
        command,
        [...args, script, setting("importStrategy") as string, "grammar", "list", "--json"],
        { cwd: homedir() },
      );
      this.show((JSON.parse(stdout) as Language[]).filter(({ missing }) => missing !== ""));
    } catch (error) {
      this.log.warn(`The languages could not be listed: ${String(error)}`);
    }
  }

  /** Installs the missing languages into the interpreter's environment, if the user agrees. */
  async install(): Promise<void> {
    if (this.python === undefined || !vscode.workspace.isTrusted) {
      void vscode.window.showInformationMessage("The Boildown server is not running, or this workspace is not trusted.");
      return;
    }
    const { argv } = this.python;
    const packages = requirements(await this.metadata());
    const answer = await vscode.window.showInformationMessage(
      "Install the parsers of more languages?",
      { modal: true, detail: `pip installs tree-sitter and ${packages.length - 1} languages into the environment of ${argv.join(" ")}.` },
      "Install",
    );
    if (answer !== "Install") {
      return;
    }
    const title = "Boildown: installing languages";
    const complaint = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
      this.pip(argv, packages),
    );
    if (complaint === undefined) {
      this.installed();
    } else {
      await chooseOrLog(complaint, this.log);
    }
  }

  dispose(): void {
    this.show([]);
  }

  private show(missing: readonly Language[]): void {
    vscode.Disposable.from(...this.items).dispose();
    this.items = missing.map((language) => {
      const item = vscode.languages.createLanguageStatusItem(`boildown.language.${language.name}`, selector(language));
      item.name = `Boildown: ${language.title}`;
      item.text = label(`${language.title}: brackets and lines only`);
      if (vscode.workspace.isTrusted) {
        item.command = { command: "boildown.ui.installLanguages", title: "Install" };
      }
      return item;
    });
  }

  private async metadata(): Promise<string> {
    const { version } = this.context.extension.packageJSON as { version: string };
    return readFile(this.context.asAbsolutePath(`bundled/libs/boildown-${version}.dist-info/METADATA`), "utf8");
  }

  /** Runs pip; returns what went wrong, if something did. */
  private async pip([command, ...args]: readonly string[], packages: readonly string[]): Promise<string | undefined> {
    const call = [...args, "-m", "pip", "install", "--disable-pip-version-check", ...packages];
    this.log.info([command, ...call].join(" "));
    try {
      const { stdout } = await run(command ?? "", call, { cwd: homedir() });
      this.log.info(stdout);
      return undefined;
    } catch (error) {
      const { stdout = "", stderr = String(error) } = error as { stdout?: string; stderr?: string };
      this.log.error(stdout + stderr);
      return installComplaint([command, ...args].join(" "), stderr);
    }
  }
}
