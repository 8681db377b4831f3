/** The settings of the extension. */

import * as vscode from "vscode";
import { message as inert } from "./panel/inert";

/** Opens a setting that belongs to the machine, which may be another one than the user's. */
export async function openSetting(id: string): Promise<void> {
  const which = vscode.env.remoteName === undefined ? "openSettings" : "openRemoteSettings";
  await vscode.commands.executeCommand(`workbench.action.${which}`, { query: `@id:${id}` });
}

/** The value of one of the extension's settings, all of which have a default. */
export function setting(name: string): unknown {
  return vscode.workspace.getConfiguration("boildown").get(name);
}

/** Says what is wrong with the chosen Python, with the ways out; returns the one that is not ours. */
export async function chooseOrLog(message: string, log: vscode.LogOutputChannel, ...more: string[]): Promise<string | undefined> {
  const answer = await vscode.window.showErrorMessage(inert(message), ...more, "Choose Python", "Show Log");
  if (answer === "Choose Python") {
    await openSetting("boildown.interpreter");
  } else if (answer === "Show Log") {
    log.show();
  } else {
    return answer;
  }
  return undefined;
}
