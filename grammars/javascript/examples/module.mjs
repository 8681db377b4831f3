import fs, { readFile as read } from "node:fs";
export const lines = (path) => fs.readFileSync(path, "utf8").split("\n");
export default async function main({ path = "a.txt", ...options }) {
  const [first, , third] = lines(path);
  delete options.verbose;
  return typeof first === "string" ? (await read(third), void 0) : 1_000n;
}
