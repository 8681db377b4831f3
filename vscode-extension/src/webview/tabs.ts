/** The tabs, as the ARIA practices describe them: arrow keys move between them. */

import { TABS, type Tab } from "../panel/messages";
import { element, send } from "./page";

export function select(tab: Tab): void {
  for (const each of TABS) {
    const isSelected = each === tab;
    const button = element(`tab-${each}`);
    button.setAttribute("aria-selected", String(isSelected));
    button.tabIndex = isSelected ? 0 : -1;
    element(each).hidden = !isSelected;
  }
}

function choose(tab: Tab): void {
  select(tab);
  send({ kind: "tab", tab });
}

/** Where each key leads from a tab. */
const KEYS: Readonly<Record<string, (index: number) => number>> = {
  ArrowLeft: (index) => (index + TABS.length - 1) % TABS.length,
  ArrowRight: (index) => (index + 1) % TABS.length,
  Home: () => 0,
  End: () => TABS.length - 1,
};

export function listen(): void {
  for (const [index, tab] of TABS.entries()) {
    const button = element(`tab-${tab}`);
    button.addEventListener("click", () => { choose(tab); });
    button.addEventListener("keydown", (event) => {
      const next = TABS[KEYS[event.key]?.(index) ?? -1];
      if (next !== undefined) {
        event.preventDefault();
        choose(next);
        element(`tab-${next}`).focus();
      }
    });
  }
}
