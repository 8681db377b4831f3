/**
 * Prints README.md with the table of the commands, from package.json, and with its pictures in it: VS Code shows an
 * extension's own in no other way.
 */

import { readFileSync } from "node:fs";

const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
const rows = contributes.commands.map(({ title, description }) => `| **${title}** | ${description} |`);
const page = readFileSync("README.md", "utf8");
process.stdout.write(
  page
    .replace("<!-- commands -->", () => ["| Command | What it does |", "| --- | --- |", ...rows].join("\n"))
    .replace(/(?<=!\[[^\]]*\]\()[^):]+\.png(?=\))/g, (path) => `data:image/png;base64,${readFileSync(path, "base64")}`),
);
