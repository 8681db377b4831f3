/** What the panel may be told, a screen each: the messages of the extension, and how the page may not look. */

export const EVIDENCE = { trials: 100, reproduced: 97, invalid: 2, timeouts: 1, lower_bound: 0.93 };
const ORIGINAL = JSON.stringify({
  shop: "Corner Store",
  orders: Array.from({ length: 40 }, (_, order) => ({ id: 1000 + order, item: `article ${order}`, price: order % 7, count: order % 5 })),
});
const REDUCED = '{"orders":[{"price":0,"count":0}]}';
const FAILURE = "exit 1: ZeroDivisionError in shop/prices.py:17, average_price: `return total / count`";

/** The sizes of a reduction, as they fall: fast at first, slower at the end. */
function falling(from, to, runs) {
  return Array.from({ length: 40 }, (_, step) => ({
    runs: Math.round((runs * step) / 39),
    bytes: step === 39 ? to : Math.round(Math.max(1, to) * (from / Math.max(1, to)) ** ((1 - step / 39) ** 2)),
  }));
}

export function job(changes = {}) {
  const { bytesBefore = ORIGINAL.length, bytes = REDUCED.length, runs = 161 } = changes;
  const curve = falling(bytesBefore, bytes, runs);
  return {
    name: "monday.json", running: true, doing: "reducing", step: "leaving parts out", runs, runsLeft: null, bytes, bytesBefore,
    seconds: 12.5, secondsLeft: 287.5, failures: [FAILURE, FAILURE], outcomes: { reproduced: 41, passed: 96, invalid: 21, timeout: 3 },
    curve, steps: curve.slice(-12), outcome: undefined, files: undefined, ...changes,
  };
}

const compared = (before, after) => ({ before, after, step: 11 });
const hole = (name, mark, sketch, text, more = {}) => ({ name, mark, sketch, before: "", after: "", text, start: 0, end: 0, counterexample: null, ...EVIDENCE, ...more });

export function pattern(changes = {}) {
  return {
    name: "monday.json", failure: FAILURE, language: "json", sampler: "random texts of json", runs: 224, seconds: 5.5, finished: true,
    parts: ['{"orders":[{"price":', 0, ',"count":0}', 1, "]}"], joint: EVIDENCE,
    holes: [
      hole("value", "⟨value⟩¹", "⟨value⟩¹ is true, ⟨number⟩ or ⟨string⟩", "0", { counterexample: '{"orders":[{"price":null,"count":0}]}' }),
      hole("value*", "…²", "…²", "", { before: ",", trials: 50, reproduced: 50, lower_bound: 0.9418 }),
    ],
    instances: ['{"orders":[{"price":true,"count":0}]}', '{"orders":[{"price":-17.5,"count":0},[],{"a":null}]}', `{"orders":[{"price":"${"long ".repeat(60)}","count":0}]}`],
    numbers: [1, 2], anywhere: null, card: [], isKnown: true, recall: { failing: 44, explained: 41, original: true, missed: "[0]", part: false }, law: null, ...changes,
  };
}

const LAW = {
  law: "//orders/*/count = 0 and not(//price = null)", trials: 60, reproduced: 60, lower_bound: 0.951, near: 30, near_passed: 30, unjudged: 12, failing: 44, explained: 41, excepted: ["{}"],
};

/** A tree, whose rows are of a level, a caption, a sort, the number of the hole that each is in, and those of its gaps. */
export const TREE = {
  uri: "file:///monday.json", name: "monday.json", language: "json", text: "start\n",
  holes: ["⟨value⟩¹: 97 of 100 fail", "⟨value⟩²: 50 of 50 fail", "…³: 50 of 50 fail"],
  rows: [
    [0, "start", "rule"], [1, "object", "rule"], [2, '"{"', "token"], [2, "pairs (list)", "list"], [3, "pair", "rule"], [4, 'STRING "\\"orders\\""', "token"],
    [4, '":"', "token"], [4, "array", "rule"], [5, '"["', "token"], [5, "items (list)", "list", null, [3]], [6, "value", "rule", 1], [7, 'NUMBER "0"', "token", 1],
    [6, '","', "token"], [6, "value", "rule", 2], [7, 'STRING "\\"a long text of which the middle is cut…\\""', "token", 2], [5, '"]"', "token"], [2, '"}"', "token"],
  ].map(([level, caption, sort, hole = null, gaps = []]) => ({ level, caption, sort, hole, gaps })),
};

const CHOICE = { labels: ["monday.json: now", "monday.json: earlier"], chosen: 0 };
const LONG = `It does not fail: the command exits with 0.\n\nIt printed:\n${Array.from({ length: 40 }, (_, line) => `    line ${line} of the output, which says nothing`).join("\n")}`;

export const FOUND = {
  failed: false,
  message: "Reduced: 2,104 → 34 bytes in 161 runs and 12.5 s. No single token of it can be left out: each was tried.",
  found: { text: REDUCED, claim: "No single token of it can be left out: each was tried.", passing: { text: '{"orders":[{"price":0,"count":1}]}', distance: 1 } },
};
const shownJob = (changes, comparison = compared(ORIGINAL, REDUCED)) => [{ kind: "tab", tab: "job" }, { kind: "job", job: job(changes), comparison }];
const shownPattern = (changes) => [{ kind: "tab", tab: "pattern" }, { kind: "pattern", pattern: pattern(changes), choice: CHOICE }];

/** The screens of the panel, by the names of their pictures. */
export const SCREENS = {
  empty: [{ kind: "tab", tab: "job" }],
  running: shownJob({}),
  checking: shownJob({ step: "checking that nothing more can go", runsLeft: 34, failures: [FAILURE, "exit 1: ZeroDivisionError in shop/prices.py:9, total"] }),
  ended: shownJob({ running: false, outcome: FOUND }),
  refused: shownJob({ running: false, runs: 0, bytes: ORIGINAL.length, curve: [{ runs: 0, bytes: ORIGINAL.length }], steps: [], outcome: { failed: true, message: LONG }, failures: null }, compared(ORIGINAL, ORIGINAL)),
  large: shownJob({ name: "a file with a rather long name, as programs write them-2026-11-23.json", bytesBefore: 5_612_345, bytes: 1_214_003, runs: 12_345, step: "leaving out definitions with their uses", secondsLeft: null }),
  folder: shownJob({ name: "shop", files: Array.from({ length: 12 }, (_, file) => ({ path: `src/shop/some/deep/folder/module_${file}.py`, bytes: 17 + 1234 * file })) }),
  binary: shownJob({ name: "logo.png", bytesBefore: 12_400, bytes: 57 }, compared("\udc89PNG\r\n\x1a\n", `\udc89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\b\x06\0\0\0\x1f\udcf3\udcffa`)),
  pattern: shownPattern({}),
  law: shownPattern({ law: LAW, isKnown: false, finished: false }),
  holes: shownPattern({
    parts: Array.from({ length: 24 }, (_, index) => [`, "key${index}": `, index]).flat(),
    holes: Array.from({ length: 24 }, (_, index) => hole(index % 6 === 5 ? "$same" : `value_${index}`, index % 6 === 5 ? "⟨string⟩⁶" : "⟨value⟩", "⟨value⟩ is true or ⟨number⟩", String(index))),
    numbers: Array.from({ length: 24 }, (_, index) => (index % 6 === 5 ? 6 : index - Math.floor(index / 6) + (index > 5 ? 1 : 0) + 1)),
    joint: { ...EVIDENCE, trials: 1000, reproduced: 999 },
  }),
};

/** What nobody may see: texts that overlap or are cut, and pictures without anything in them. To be run in the page. */
export function faults() {
  const found = [];
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const name = (each) => `${each.localName}${each.id && `#${each.id}`}${each.classList.length > 0 ? `.${[...each.classList].join(".")}` : ""} “${each.textContent.trim().slice(0, 30)}”`;
  const all = [...document.body.querySelectorAll("*")].filter((each) => isShown(each) && each.closest("#announcement") === null);
  // What holds text itself, in each of its lines.
  const texts = all.filter((each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue.trim() !== "") && each.closest("option") === null);
  const seen = texts.flatMap((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const rects = each instanceof SVGElement ? [each.getBoundingClientRect()] : [...range.getClientRects()];
    return rects.filter(({ width, height }) => width > 0 && height > 0).map((rect) => within(each, rect));
  }).filter((rect) => rect.right - rect.left > 1 && rect.bottom - rect.top > 1);

  /** The part of a text's box that its surroundings let be seen; one without bars that cuts it is a fault. */
  function within(each, { left, right, top, bottom }) {
    for (let box = each; box !== document.body && box !== null; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      if (overflowX === "visible" && overflowY === "visible") {
        continue;
      }
      const edge = box.getBoundingClientRect();
      const scrolls = (overflow) => overflow === "auto" || overflow === "scroll";
      if ((!scrolls(overflowX) && (left < edge.left - 1 || right > edge.right + 1)) || (!scrolls(overflowY) && (top < edge.top - 1 || bottom > edge.bottom + 1))) {
        found.push(`cut: ${name(each)} by ${name(box)}`);
      }
      [left, right, top, bottom] = [Math.max(left, edge.left), Math.min(right, edge.right), Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
    }
    return { each, left, right, top, bottom };
  }

  for (const [index, one] of seen.entries()) {
    for (const other of seen.slice(index + 1)) {
      const isApart = !one.each.contains(other.each) && !other.each.contains(one.each);
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (isApart && across > 1 && down > 3) {
        found.push(`${name(one.each)} overlaps ${name(other.each)}`);
      }
    }
  }
  for (const each of all.filter(({ id }) => ["curve", "picture", "text", "pattern-text", "tree-text"].includes(id))) {
    const rect = each.getBoundingClientRect();
    const isEmpty = each.textContent.trim() === "" || rect.width < 100 || rect.height < (each.id === "curve" ? 90 : 18);
    found.push(...(isEmpty ? [`blank: ${name(each)} is ${Math.round(rect.width)}×${Math.round(rect.height)}`] : []));
  }
  const { scrollWidth, clientWidth } = document.body;
  found.push(...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide, the window ${clientWidth}`] : []));
  return [...new Set(found)];
}

/** Those of a tree in an editor. */
export const TREES = {
  tree: [{ kind: "tree", tree: TREE }],
  text: [{ kind: "tree", tree: { ...TREE, rows: null, text: "start\n  object\n    \"{\"\n".repeat(400) } }],
};
