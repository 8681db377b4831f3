// A shopping basket.
"use strict";

const RATE = 0.19;
let total = 0, count = 0;

/* Adds one item. */
function add(item, amount = 1, ...rest) {
  if (!item || item.price < 0) {
    throw new Error("bad item: " + item);
  } else if (amount > 10) {
    amount = 10;
  }
  for (let i = 0; i < amount; i++) {
    total += item.price * (1 + RATE);
    count++;
  }
  return { name: item.name, amount, rest: [...rest, null, undefined] };
}

class Basket extends Array {
  #owner = "nobody";
  static limit = 0x1f;
  constructor(owner) {
    super();
    this.#owner = owner;
  }
  get owner() { return this.#owner; }
  async *each() { for (const item of this) yield await item; }
}

const names = ["tea", 'milk', `bread ${count + 1}`].map((name) => name.toUpperCase());
switch (names.length) {
  case 0:
    break;
  default:
    console.log(names[0]?.length ?? -1, /t[ea]+/g.test(names[0]));
}
try {
  add({ name: "tea", price: 2.5 }, 2);
} catch (error) {
  console.error(error.message);
} finally {
  total = total > 5 ? total : -total;
}
while (count --> 0) { if (count % 2 === 0) continue; }
do { total -= 1; } while (total > 1e3 && count !== 0);
