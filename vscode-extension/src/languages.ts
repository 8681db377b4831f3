/** The languages that the server parses, and those that it could parse if more were installed. */

/** A language, as `boildown grammar list --json` prints it. */
export interface Language {
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** Globs of file names. */
  readonly files: readonly string[];
  /** What editors call it, the name itself left out. */
  readonly ids: readonly string[];
  /** The packages to install first; empty if it can be used. */
  readonly missing: string;
}

/** The documents of a language, by their names and by what the editor says. */
export function selector({ name, files, ids }: Language): ({ pattern: string } | { language: string })[] {
  return [...files.map((glob) => ({ pattern: `**/${glob}` })), ...[name, ...ids].map((language) => ({ language }))];
}

/** The server's requirements that are no part of the extension, since they are compiled: tree-sitter and its languages. */
export function requirements(metadata: string): string[] {
  return [...metadata.matchAll(/^Requires-Dist: *(tree-sitter[^;]*?) *$/gm)].map(([, requirement]) => requirement ?? "");
}

/** Why pip could not install something, and what to do. */
export function installComplaint(python: string, output: string): string {
  if (output.includes("externally-managed-environment")) {
    return `${python} belongs to the system, which lets nobody else install into it. Choose the Python of a virtual environment.`;
  }
  if (output.includes("No module named pip")) {
    return `${python} has no pip. Install pip into its environment, or choose another Python.`;
  }
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return `pip could not install the languages into the environment of ${python}: ${lines.at(-1)?.trim() ?? "it says nothing"}`;
}
