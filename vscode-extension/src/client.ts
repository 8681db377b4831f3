/** Starts the server and speaks to it. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  WorkDoneProgressCancelNotification,
} from "vscode-languageclient/node";
import { DOCUMENTS } from "./documents";
import { choose, complaint, type Interpreter, projectPythons, type Rejected } from "./interpreter";
import { Toasts } from "./progress";
import { selectedPython } from "./pythonExtension";
import type { Status } from "./status";

/** One server, which can be stopped and started again. */
export class Server {
  private client: LanguageClient | undefined;
  private queue: Promise<void> = Promise.resolve();
  private readonly toasts = new Toasts(
    (token) => void this.client?.sendNotification(WorkDoneProgressCancelNotification.type, { token }),
    (running) => { this.status.setRunning(running); },
  );

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: Status,
  ) {}

  /** Starts the server, or stops and starts it again; calls are served one after the other. */
  restart(): Promise<void> {
    this.queue = this.queue.then(async () => {
      await this.shutDown();
      await this.start();
    });
    return this.queue;
  }

  stop(): Promise<void> {
    this.queue = this.queue.then(() => this.shutDown());
    return this.queue;
  }

  /** Runs one of the server's commands; undefined when the server is not running. */
  async execute(command: string, argument?: object): Promise<unknown> {
    await this.queue;
    if (this.client === undefined) {
      await this.explain("The Boildown server is not running.");
      return undefined;
    }
    const args = argument === undefined ? [] : [argument];
    return this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
  }

  private async start(): Promise<void> {
    this.status.setState("starting");
    const python = await findPython();
    if (Array.isArray(python)) {
      this.status.setState("stopped");
      void this.explain(complaint(python));
      return;
    }
    this.log.info(`Python ${python.version.join(".")}: ${python.argv.join(" ")}`);
    const client = new LanguageClient("boildown", "Boildown", this.launch(python), await this.options());
    try {
      await client.start();
    } catch (error) {
      this.log.error(String(error));
      this.status.setState("stopped");
      void this.explain(`The Boildown server stopped while starting, run by ${python.argv.join(" ")}. The log says why.`);
      return;
    }
    this.client = client;
    this.status.setState("ready");
  }

  private async shutDown(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.toasts.closeAll();
    this.status.setState("stopped");
    // A server that doesn't answer is killed by the client after the timeout.
    await client?.stop(5000).catch((error: unknown) => { this.log.warn(String(error)); });
  }

  private launch({ argv }: Interpreter): { command: string; args: string[]; options: { cwd: string } } {
    const [command, ...args] = argv as [string, ...string[]];
    const script = this.context.asAbsolutePath("launch.py");
    const strategy = setting("importStrategy") as string;
    return { command, args: [...args, script, strategy, "lsp"], options: { cwd: homedir() } };
  }

  private async options(): Promise<LanguageClientOptions> {
    return {
      documentSelector: DOCUMENTS,
      outputChannel: this.log,
      initializationOptions: {
        trusted: vscode.workspace.isTrusted,
        testInterpreter: await testInterpreter(),
        applyResult: setting("applyResult"),
        maxSeconds: setting("maxSeconds"),
        jobs: setting("jobs"),
        inputs: setting("inputs"),
      },
      synchronize: { configurationSection: "boildown" },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          // Before the server is up, the error that start() throws is the one to report.
          if (this.client !== undefined) {
            this.client = undefined;
            this.toasts.closeAll();
            this.status.setState("stopped");
            void this.explain("The Boildown server stopped unexpectedly. The log says why.");
          }
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
      middleware: {
        handleWorkDoneProgress: (token, payload, next) => {
          this.toasts.handle(token, payload);
          // The client forgets a token only when it handles the end itself.
          if (payload.kind === "end") {
            next(token, payload);
          }
        },
      },
    };
  }

  /** Says what went wrong, with the ways out. */
  private async explain(message: string): Promise<void> {
    const answer = await vscode.window.showErrorMessage(message, "Restart Server", "Choose Python", "Show Log");
    switch (answer) {
      case "Restart Server":
        await this.restart();
        break;
      case "Choose Python":
        await vscode.commands.executeCommand("workbench.action.openSettings", "boildown.interpreter");
        break;
      case "Show Log":
        this.log.show();
        break;
    }
  }
}

/** The value of one of the extension's settings, all of which have a default. */
function setting(name: string): unknown {
  return vscode.workspace.getConfiguration("boildown").get(name);
}

/** The interpreter for the server. A workspace that is not trusted gets no program of its own run. */
async function findPython(): Promise<Interpreter | Rejected[]> {
  const chosen = setting("interpreter") as string[];
  if (chosen.length > 0) {
    return choose([chosen]);
  }
  return choose([...(await projectCandidates()), "python3", "python"].map((path) => [path]));
}

/** The Python that runs the project's tests; empty leaves the choice to the server. */
async function testInterpreter(): Promise<string[]> {
  return (await projectCandidates()).slice(0, 1);
}

async function projectCandidates(): Promise<string[]> {
  if (!vscode.workspace.isTrusted) {
    return [];
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  const selected = await selectedPython(folders[0]?.uri);
  const own = folders.flatMap(({ uri }) => projectPythons(uri.fsPath));
  return selected === undefined ? own : [selected, ...own];
}
