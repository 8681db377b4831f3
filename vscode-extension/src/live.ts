/** The live document of a reduction: a file with the best text so far, which the user may edit. */

import * as vscode from "vscode";
import type { Place } from "./place";
import type { Server } from "./server";

/** Opens it beside the document that is reduced, which keeps the focus. The server writes and reads the file. */
export async function openLive(server: Server, { uri }: Place): Promise<void> {
  const answer = (await server.execute("boildown.live", { uri })) as { output?: string } | undefined;
  if (answer?.output === undefined) {
    return;
  }
  await vscode.window.showTextDocument(vscode.Uri.file(answer.output), {
    viewColumn: vscode.ViewColumn.Beside,
    preserveFocus: true,
    preview: false,
  });
}
