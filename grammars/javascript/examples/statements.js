import os from "os";
import { read, write as put } from "./files.js";
export const size = 1;
export default function main() { return size; }
let name = "x", value;
var old = 2;
for (const item of list) show(item);
for (const key in map) delete map[key];
for (let i = 0; i < 3; i++) step(i);
while (value) value--;
do next(); while (value);
if (name) run(); else stop();
switch (name) { case "a": run(); break; default: stop(); }
try { run(); } catch { stop(); }
throw new Error("bad");
function twice(n) { return 2 * n; }
async function wait() { await run(); }
function* each() { yield 1; }
class Empty {}
{ run(); }
outer: for (;;) break outer;
name = value ? "a" : `b ${value}`;
value += 1;
list.push(...other);
const { a, b: [c] } = map;
(n) => n + 1;
typeof name;
!value;
name?.size ?? 0;
/a+/.test(name);
[1, , 2];
({ a: 1, "b": 2, c, run() {} });
