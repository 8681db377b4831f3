/** What the server tells of its commands in its answer to `initialize` (docs/protocol.md). */

export interface ServerCommand {
  readonly name: string;
  /** Whether it starts a job, for whose end it waits if it is asked to. */
  readonly job: boolean;
  /** Whether the panel shows its job. */
  readonly shown: boolean;
}

/** The server's commands by their names; those of a server that tells of none are plain ones. */
export function serverCommands(experimental: unknown): ReadonlyMap<string, ServerCommand> {
  const told = (experimental as { boildown?: { commands?: readonly ServerCommand[] } } | null | undefined)?.boildown?.commands;
  return new Map((told ?? []).map((command) => [command.name, command]));
}
