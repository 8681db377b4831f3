/** Prints README.md with its pictures in it: VS Code shows an extension's own in no other way. */

import { readFileSync } from "node:fs";

const page = readFileSync("README.md", "utf8");
process.stdout.write(
  page.replace(/(?<=!\[[^\]]*\]\()[^):]+\.png(?=\))/g, (path) => `data:image/png;base64,${readFileSync(path, "base64")}`),
);
