/** Which Python runs the server, and which ones can run the project's tests. */

import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const OLDEST = [3, 10] as const;

export interface Interpreter {
  /** The program and its leading arguments. */
  readonly argv: readonly string[];
  /** Major and minor version. */
  readonly version: readonly [number, number];
}

export interface Rejected {
  readonly argv: readonly string[];
  /** Why it can't run the server, as a clause: "is Python 3.8". */
  readonly reason: string;
}

/** The interpreters inside a workspace folder, in the order in which they are tried. */
export function projectPythons(folder: string): string[] {
  const environments = [join(folder, ".venv"), join(folder, "venv"), ...children(join(folder, ".tox"))];
  return environments.map((environment) => join(environment, "bin", "python")).filter((path) => existsSync(path));
}

function children(folder: string): string[] {
  if (!existsSync(folder)) {
    return [];
  }
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

/** Runs the interpreter to learn its version. */
export async function probe(argv: readonly string[]): Promise<Interpreter | Rejected> {
  const [program, ...args] = argv;
  if (program === undefined) {
    return { argv, reason: "is empty" };
  }
  const question = "import sys; print(*sys.version_info[:2])";
  return new Promise((resolve) => {
    execFile(program, [...args, "-I", "-c", question], { timeout: 20_000 }, (error, stdout) => {
      if (error) {
        resolve({ argv, reason: error.code === "ENOENT" ? "was not found" : "could not be run" });
      } else {
        resolve(judge(argv, stdout));
      }
    });
  });
}

/** Reads the answer to the version question. */
export function judge(argv: readonly string[], answer: string): Interpreter | Rejected {
  const [major, minor] = answer.trim().split(" ").map(Number);
  if (major === undefined || minor === undefined || Number.isNaN(major + minor)) {
    return { argv, reason: "is not a Python interpreter" };
  }
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return { argv, reason: `is Python ${major}.${minor}` };
  }
  return { argv, version: [major, minor] };
}

/** The first candidate that can run the server, or what is wrong with each. */
export async function choose(
  candidates: readonly (readonly string[])[],
  ask: typeof probe = probe,
): Promise<Interpreter | Rejected[]> {
  const rejected: Rejected[] = [];
  for (const argv of candidates) {
    const answer = await ask(argv);
    if ("version" in answer) {
      return answer;
    }
    rejected.push(answer);
  }
  return rejected;
}

/** What to tell a user for whom no interpreter was found. */
export function complaint(rejected: readonly Rejected[]): string {
  const tried = rejected.map(({ argv, reason }) => `${argv.join(" ") || "The setting"} ${reason}`).join("; ");
  return `Boildown needs Python ${OLDEST.join(".")} or later. ${tried}. Set boildown.interpreter to one that is new enough.`;
}
