/** Starts the server and speaks to it. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  type ProgressToken,
  WorkDoneProgressCancelNotification,
} from "vscode-languageclient/node";
import { DOCUMENTS } from "./documents";
import { choose, complaint, type Interpreter, projectPythons, type Rejected } from "./interpreter";
import { Toasts } from "./progress";
import { selectedPython } from "./pythonExtension";
import type { JobProgress } from "./panel/messages";
import type { Preview } from "./preview";
import type { State } from "./status";

/** What the server tells, beyond what the language client shows by itself. */
export interface Listener {
  state(state: State): void;
  running(jobs: number): void;
  progress(progress: JobProgress): void;
  /** A job has ended; without a token, all have. */
  ended(token?: ProgressToken): void;
  preview(preview: Preview): void;
  /** The commands that this server knows. */
  commands(names: readonly string[]): void;
}

/** What goes wrong is logged; the user is told once, by the server or in our words. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** One server, which can be stopped and started again. */
export class Server {
  private client: LanguageClient | undefined;
  private queue: Promise<void> = Promise.resolve();
  private readonly toasts = new Toasts(
    (token) => void this.client?.sendNotification(WorkDoneProgressCancelNotification.type, { token }),
    (running) => { this.listener.running(running); },
  );

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly listener: Listener,
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
    try {
      return await this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
    } catch (error) {
      void this.explain(`Boildown: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
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
    const client = new QuietClient("boildown", "Boildown", this.launch(python), await this.options());
    await client.start().catch((error: unknown) => { this.log.error(String(error)); });
    // The promise of a server that ends while it starts may be resolved all the same.
    if (!client.isRunning()) {
      this.listener.state("stopped");
      void this.explain(`The Boildown server stopped while starting, run by ${python.argv.join(" ")}. The log says why.`);
      return;
    }
    client.onNotification("boildown/progress", (progress: JobProgress) => { this.listener.progress(progress); });
    client.onNotification("boildown/preview", (preview: Preview) => { this.listener.preview(preview); });
    this.client = client;
    this.listener.commands(client.initializeResult?.capabilities.executeCommandProvider?.commands ?? []);
    this.listener.state("ready");
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
        liveProgress: true,
        diffPreview: true,
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
            this.endAll();
            this.listener.state("stopped");
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
            this.listener.ended(token);
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
        await openSetting("boildown.interpreter");
        break;
      case "Show Log":
        this.log.show();
        break;
    }
  }
}

/** Opens a setting that belongs to the machine, which may be another one than the user's. */
async function openSetting(id: string): Promise<void> {
  const which = vscode.env.remoteName === undefined ? "openSettings" : "openRemoteSettings";
  await vscode.commands.executeCommand(`workbench.action.${which}`, { query: `@id:${id}` });
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
  const selected = await trustedSelection();
  const own = vscode.workspace.isTrusted ? folders().flatMap(projectPythons) : [];
  return choose([...selected, ...own, "python3", "python"].map((path) => [path]));
}

/** The Python that runs the project's tests; empty leaves the choice to the server, for each folder. */
async function testInterpreter(): Promise<string[]> {
  const selected = await trustedSelection();
  const [folder, ...others] = folders();
  if (selected.length > 0 || folder === undefined || others.length > 0 || !vscode.workspace.isTrusted) {
    return selected;
  }
  return projectPythons(folder).slice(0, 1);
}

async function trustedSelection(): Promise<string[]> {
  const selected = vscode.workspace.isTrusted ? await selectedPython(vscode.workspace.workspaceFolders?.[0]?.uri) : undefined;
  return selected === undefined ? [] : [selected];
}

function folders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}
