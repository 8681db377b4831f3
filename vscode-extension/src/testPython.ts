/** Finds another Python for the tests when the one that was used lacks a module. */

import { execFile } from "node:child_process";
import { homedir } from "node:os";

/** Looks for modules without importing them, and not in the folder that it runs in. */
const QUESTION =
  "import sys; sys.path = [each for each in sys.path if each]; from importlib.util import find_spec; " +
  "sys.exit(any(find_spec(name) is None for name in sys.argv[1:]))";

/** The module that a test command lacked, from what the server says of a failed job. */
export function missingModule(message: string): string | undefined {
  return /The module '([\w.]+)' is missing/.exec(message)?.[1];
}

/** The first interpreter that has a module, and pytest to run the tests. */
export async function pythonWith(
  module: string,
  candidates: readonly string[],
  has: typeof hasModules = hasModules,
): Promise<string | undefined> {
  const [top] = module.split(".") as [string];
  for (const candidate of new Set(candidates)) {
    if (await has(candidate, ["pytest", top])) {
      return candidate;
    }
  }
  return undefined;
}

/** Asks an interpreter whether it could import modules. */
export function hasModules(python: string, modules: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(python, ["-c", QUESTION, ...modules], { cwd: homedir(), timeout: 20_000 }, (error) => { resolve(error === null); });
  });
}
