/** Messages with buttons below them, one at a time. */

import * as vscode from "vscode";
import { message as inert } from "./panel/inert";

/** The server's `boildown/message` notification. */
export interface Told {
  /** What it is about. */
  readonly uri: string;
  /** As the protocol counts them: 1 is an error, 2 a warning. */
  readonly type: number;
  readonly message: string;
  /** All that is known, where that is more. */
  readonly details: string | null;
  /** What the server can do now. */
  readonly choices: readonly string[];
  /** What is missing. */
  readonly needs: string | null;
}

/** Does what the server has offered in a message about a document. */
export type Choose = (uri: string, choice: string) => unknown;

const DETAILS = "Show Details";
const TRUST = "Manage Trust";
/** Milliseconds for which the editor leaves a message where it came up. */
const SHOWN = 15_000;
const KINDS = [vscode.window.showInformationMessage, vscode.window.showErrorMessage, vscode.window.showWarningMessage] as const;

let latest = 0;

/** Shows a message in the place of an earlier one that is still there; returns the button that was pressed. */
export async function ask(text: string, buttons: readonly string[], type = 3): Promise<string | undefined> {
  if (Date.now() - latest < SHOWN) {
    // The earlier one stays in the list of notifications.
    await vscode.commands.executeCommand("notifications.hideToasts");
  }
  const mine = (latest = Date.now());
  const answer = await (KINDS[type] ?? KINDS[0])(inert(text), ...buttons);
  latest = latest === mine ? 0 : latest;
  return answer;
}

/** Shows what the server tells, and does what the user chooses. */
export async function tell(told: Told, choose: Choose): Promise<void> {
  const buttons = [...told.choices, ...(told.needs === "trust" ? [TRUST] : []), ...(told.details === null ? [] : [DETAILS])];
  await act(await ask(told.message, buttons, told.type), told, choose);
}

/** The buttons of a message about a result, beside those of its own. */
export function further(choices: readonly string[]): string[] {
  return [...choices, DETAILS];
}

/** Does what a button says that is no one's own. */
export async function act(answer: string | undefined, { uri, choices }: Pick<Told, "uri" | "choices">, choose: Choose): Promise<void> {
  if (answer === DETAILS) {
    await vscode.commands.executeCommand("boildown.panel.focus");
  } else if (answer === TRUST) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  } else if (answer !== undefined && choices.includes(answer)) {
    await choose(uri, answer);
  }
}
