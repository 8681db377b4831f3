/** The commands of the palette that the extension itself does something for, by their names after `boildown.ui.`. */
export const OWN_COMMANDS = [
  "reduceFolder",
  "reduceTest",
  "reduceProject",
  "writeTest",
  "copyReport",
  "tree",
  "explain",
  "debug",
  "history",
  "setTestCommand",
  "more",
  "live",
  "cancel",
  "openSample",
  "reduceSample",
  "installLanguages",
  "restart",
  "showLog",
] as const;

/** Those that are registered with the comparison of a result. */
export const PREVIEW_COMMANDS = ["apply", "discard"] as const;

/** The commands of the palette that only hand the document to the server's command of the same name. */
export function forwarded(contributed: readonly { readonly command: string }[]): string[] {
  const own: readonly string[] = [...OWN_COMMANDS, ...PREVIEW_COMMANDS];
  return contributed.map(({ command }) => command.replace(/^boildown\.ui\./, "")).filter((name) => !own.includes(name));
}
