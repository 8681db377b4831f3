/** Numbers as people read them. */

export const NUMBER = new Intl.NumberFormat("en");

/** "1 byte", "1,578 bytes". */
export function count(number: number, what: string): string {
  return `${NUMBER.format(number)} ${what}${number === 1 ? "" : "s"}`;
}
