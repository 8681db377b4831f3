/** Starts the server, keeps it, and speaks to it. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import type { Executable, ProgressToken } from "vscode-languageclient/node";
import type { Client } from "./client";
import { withExpected } from "./expected";
import { complaint, type Interpreter } from "./interpreter";
import { label } from "./panel/inert";
import type { Found, JobOutcome, JobProgress, PatternFound } from "./panel/messages";
import type { Preview } from "./preview";
import { Toasts } from "./progress";
import { findPython, testInterpreter } from "./pythons";
import { serverCommands } from "./serverCommands";
import { chooseOrLog, setting } from "./settings";
import type { Place } from "./place";
import type { State } from "./status";
import type { Told } from "./told";

/** What the server tells, beyond what the language client shows by itself. */
export interface Listener {
  state(state: State): void;
  running(jobs: number): void;
  progress(progress: JobProgress): void;
  /** A job has ended; without a token, all have. */
  ended(token?: ProgressToken): void;
  preview(preview: Preview): void;
  /** A message with what can be done now. */
  message(told: Told): void;
  pattern(found: PatternFound): void;
  /** The server has told what came of a job on a document. */
  told(uri: string, outcome: JobOutcome): void;
  /** A job could not do its work; `again` starts it anew. */
  failed(message: string, again: () => void): void;
  /** The server runs, in this interpreter. */
  started(python: Interpreter): void;
}

/** What all commands answer. */
interface Answer extends Partial<Found> {
  readonly state?: string;
  readonly message?: string;
  /** What is missing. */
  readonly needs?: string;
  /** What the job was on, where that is not what the command was about. */
  readonly uri?: string;
}

/** The protocol's number for code actions that the user did not ask for. */
const AUTOMATIC = 2;
/** Commands that need more of the editor than the server can ask for, with ours. */
const ASKED_HERE: ReadonlyMap<string, string> = new Map([
  ["boildown.configure", "boildown.ui.setTestCommand"],
  ["boildown.reduceTest", "boildown.ui.reduceTest"],
  ["boildown.reduceProject", "boildown.ui.reduceProject"],
  ["boildown.more", "boildown.ui.more"],
  ["boildown.discard", "boildown.ui.discard"],
  ["boildown.explain", "boildown.ui.explain"],
  ["boildown.debug", "boildown.ui.debug"],
]);

/** One server, which can be stopped and started again. */
export class Server {
  private client: Client | undefined;
  private queue: Promise<void> = Promise.resolve();
  private readonly toasts = new Toasts(
    (token) => void this.client?.sendNotification("window/workDoneProgress/cancel", { token }),
    (running) => { this.listener.running(running); },
  );

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly listener: Listener,
  ) {}

  /** Starts the server, or stops and starts it again; calls are served one after the other. */
  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.shutDown();
      await this.start();
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.shutDown());
  }

  /** Runs one of the server's commands; undefined when the server is not running, or fails at it. */
  async execute(command: string, argument?: object): Promise<unknown> {
    await this.queue;
    const client = this.client;
    if (client === undefined) {
      await this.explain("The Boildown server is not running.");
      return undefined;
    }
    const told = serverCommands(client.initializeResult?.capabilities.experimental).get(command);
    const args = argument === undefined ? [] : [told?.job === true ? { ...argument, wait: true } : argument];
    try {
      const answer = await client.sendRequest<Answer | null>("workspace/executeCommand", { command, arguments: args });
      const ended = outcome(answer);
      if (ended !== undefined && told?.shown === true && argument !== undefined && "uri" in argument) {
        this.listener.told(answer?.uri ?? String(argument.uri), ended);
      }
      if (answer?.state === "failed") {
        this.listener.failed(answer.message ?? "", () => void this.execute(command, argument));
      }
      if (answer?.needs === "expected") {
        const again = await withExpected({ ...argument }, answer.message ?? "", askForValue);
        return again === undefined ? answer : await this.execute(command, again);
      }
      if (answer?.needs === "command" && command !== "boildown.reduceFolder") {
        // Nothing tells what fails: with what is answered there, the server goes on.
        void vscode.commands.executeCommand("boildown.ui.setTestCommand");
      }
      return answer;
    } catch (error) {
      // What a server that is stopped meanwhile did not answer is nobody's fault.
      if (client === this.client) {
        void this.explain(`Boildown: ${error instanceof Error ? error.message : String(error)}`);
      }
      return undefined;
    }
  }

  /** The kinds of the code actions of a branch of kinds at a place; none where the server can't be asked. */
  async kinds({ uri, range }: Place, branch: string): Promise<readonly string[]> {
    const context = { diagnostics: [], only: [branch], triggerKind: AUTOMATIC };
    const params = { textDocument: { uri }, range, context };
    const asked = this.client?.sendRequest<readonly { readonly kind: string; readonly disabled?: object }[] | null>("textDocument/codeAction", params);
    const found = (await asked?.catch(() => null)) ?? [];
    return found.filter(({ disabled }) => disabled === undefined).map(({ kind }) => kind);
  }

  private enqueue(act: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(act).catch((error: unknown) => { this.log.error(String(error)); });
    return this.queue;
  }

  private async start(): Promise<void> {
    this.listener.state("starting");
    const python = await findPython();
    if (Array.isArray(python)) {
      this.listener.state("stopped");
      void this.explain(complaint(python));
      return;
    }
    this.log.info(`Python ${python.version.join(".")}: ${python.argv.join(" ")}`);
    // Loaded late: it is most of the extension's code, and the editor waits while that is read.
    const { createClient } = await import("./client");
    const client = createClient(this.launch(python), this.log, await this.initializationOptions(), {
      execute: (command, argument) => {
        const own = ASKED_HERE.get(command);
        void (own === undefined ? this.execute(command, argument) : vscode.commands.executeCommand(own, argument));
      },
      progress: (token, payload) => {
        this.toasts.handle(token, payload);
        if (payload.kind === "end") {
          this.listener.ended(token);
        }
      },
      closed: () => { this.lost(); },
    });
    await client.start().catch((error: unknown) => { this.log.error(String(error)); });
    // The promise of a server that ends while it starts may be resolved all the same.
    if (!client.isRunning()) {
      this.listener.state("stopped");
      void this.explain(`The Boildown server stopped while starting, run by ${python.argv.join(" ")}. The log says why.`);
      return;
    }
    client.onNotification("boildown/progress", (progress: JobProgress) => { this.listener.progress(progress); });
    client.onNotification("boildown/preview", (preview: Preview) => { this.listener.preview(preview); });
    client.onNotification("boildown/message", (told: Told) => { this.listener.message(told); });
    client.onNotification("boildown/pattern", (found: PatternFound) => { this.listener.pattern(found); });
    this.client = client;
    this.listener.state("ready");
    this.listener.started(python);
  }

  private endAll(): void {
    this.toasts.closeAll();
    this.listener.ended();
  }

  private async shutDown(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.endAll();
    this.listener.state("stopped");
    // A server that doesn't answer is killed by the client after the timeout.
    await client?.stop(5000).catch((error: unknown) => { this.log.warn(String(error)); });
  }

  /** The connection was closed; before the server is up, start() reports that. */
  private lost(): void {
    if (this.client !== undefined) {
      this.client = undefined;
      this.endAll();
      this.listener.state("stopped");
      void this.explain("The Boildown server stopped unexpectedly. The log says why.");
    }
  }

  private launch({ argv }: Interpreter): Executable {
    const [command, ...args] = argv as [string, ...string[]];
    const script = this.context.asAbsolutePath("launch.py");
    const strategy = setting("importStrategy") as string;
    return { command, args: [...args, script, strategy, "lsp"], options: { cwd: homedir() } };
  }

  private async initializationOptions(): Promise<object> {
    return {
      trusted: vscode.workspace.isTrusted,
      liveProgress: true,
      diffPreview: true,
      messageChoices: true,
      testInterpreter: await testInterpreter(this.context.workspaceState),
      applyResult: setting("applyResult"),
      maxSeconds: setting("maxSeconds"),
      jobs: setting("jobs"),
      inputs: setting("inputs"),
      codeLens: setting("codeLens"),
    };
  }

  /** Says what went wrong, with the ways out. */
  private async explain(message: string): Promise<void> {
    if ((await chooseOrLog(message, this.log, "Restart Server")) === "Restart Server") {
      await this.restart();
    }
  }
}

/** What came of a job; undefined if none was started, or it is not at its end. */
function outcome(answer: Answer | null): JobOutcome | undefined {
  const { state, message, text, claim, passing = null } = answer ?? {};
  const hasEnded = state === "done" || state === "cancelled" || state === "failed";
  const found = text === undefined || claim === undefined ? undefined : { text, claim, passing };
  return hasEnded && message !== undefined ? { failed: state === "failed", message, found } : undefined;
}

/** Asks the server's question; undefined where the user wants no test after all. */
function askForValue(question: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({ title: "Write Regression Test", prompt: label(question), ignoreFocusOut: true });
}
