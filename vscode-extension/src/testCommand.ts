/** A test command as an entry of boildown.toml. */

/** What only a shell understands: pipes, redirections, lists, variables, substitutions. */
const FOR_A_SHELL = /[|<>;&$`]|^\s*cd\s/;

/**
 * Returns the entry for a file (its path relative to boildown.toml) and the command that fails on it.
 * The server puts the candidate in the place of the file's own path, so the command stays as it is.
 */
export function entry(file: string, command: string): string {
  const words = command.trim();
  const value = FOR_A_SHELL.test(words) ? `["sh", "-c", ${quoted(words)}]` : quoted(words);
  return `[[input]]\nfiles = [${quoted(glob(file))}]\ncommand = ${value}\n`;
}

/** Puts an entry before the others, since the first that matches a file wins. */
export function withEntry(toml: string, added: string): string {
  const first = /^[ \t]*\[\[\s*input\s*\]\]/m.exec(toml)?.index;
  if (first !== undefined) {
    return `${toml.slice(0, first)}${added}\n${toml.slice(first)}`;
  }
  return toml.trim() === "" ? added : `${toml.trimEnd()}\n\n${added}`;
}

/** A glob for this one file: without a slash it would match the name in every folder. */
function glob(file: string): string {
  const escaped = file.replace(/[[*?]/g, "[$&]");
  return escaped.includes("/") ? escaped : `./${escaped}`;
}

/** A JSON string is a basic string of TOML, apart from the DEL character. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007F");
}
