/** The steps of a past reduction: listed, and restored. */

import * as vscode from "vscode";
import type { Server } from "./server";
import { count } from "./panel/counts";
import { label } from "./panel/inert";
import type { Place } from "./place";

interface Step {
  readonly run: number;
  readonly bytes: number;
  readonly text: string;
  readonly isCurrent: boolean;
}

/** Lets the user choose among the steps that led to the failing input at a place, or away from it. */
export async function showHistory(server: Server, place: Place): Promise<void> {
  const steps = await stepsAt(server, place);
  if (steps === undefined) {
    return;
  }
  const items = steps.map(({ run, bytes, text, isCurrent }, step) => ({
    label: count(bytes, "byte"),
    description: [step === 0 ? "the original" : `after ${count(run, "run")}`, ...(isCurrent ? ["in the document"] : [])].join(", "),
    detail: label(text.replace(/\s+/g, " ").slice(0, 120)),
    step,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Steps of the reduction",
    placeHolder: "Choose the text to put in the place of the failing input",
    matchOnDetail: true,
  });
  if (chosen !== undefined) {
    await server.execute("boildown.history", { ...place, step: chosen.step });
  }
}

/** Puts a text that was met on the way in the place of the failing input. */
export async function restore(server: Server, place: Place, text: string): Promise<void> {
  const step = (await stepsAt(server, place))?.findIndex((each) => each.text === text);
  if (step !== undefined && step >= 0) {
    await server.execute("boildown.history", { ...place, step });
  }
}

async function stepsAt(server: Server, place: Place): Promise<readonly Step[] | undefined> {
  const answer = (await server.execute("boildown.history", place)) as { steps?: readonly Step[] } | undefined;
  return answer?.steps;
}
