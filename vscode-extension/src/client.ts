/** The language client, which tells the rest of the extension what it can't show by itself. */

import type { LogOutputChannel } from "vscode";
import {
  CloseAction,
  ErrorAction,
  type Executable,
  LanguageClient,
  type ProgressToken,
} from "vscode-languageclient/node";
import { isFree } from "./attention";
import { DOCUMENTS } from "./documents";
import type { ProgressPayload } from "./progress";

export type Client = LanguageClient;

export interface Events {
  progress(token: ProgressToken, payload: ProgressPayload): void;
  /** A code action was chosen that runs one of the server's commands. */
  execute(command: string, argument: object | undefined): void;
  /** The connection to the server was closed, and not by us. */
  closed(): void;
}

/** What goes wrong is logged; the user is told once, by the server or in our words. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export function createClient(server: Executable, log: LogOutputChannel, options: object, events: Events): Client {
  return new QuietClient("boildown", "Boildown", server, {
    documentSelector: DOCUMENTS,
    outputChannel: log,
    initializationOptions: options,
    synchronize: { configurationSection: "boildown" },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        events.closed();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware: {
      window: {
        // What does not have to be in front stays closed while the user types: the server says where it is instead.
        showDocument: (params, token, next) => (params.takeFocus === true || isFree() ? next(params, token) : { success: false }),
      },
      // Not awaited: the editor shows a code action as under way until its command has ended.
      executeCommand: (command, args: (object | undefined)[]) => { events.execute(command, args[0]); },
      handleWorkDoneProgress: (token, payload, next) => {
        events.progress(token, payload);
        // The client forgets a token only when it handles the end itself.
        if (payload.kind === "end") {
          next(token, payload);
        }
      },
    },
  });
}
