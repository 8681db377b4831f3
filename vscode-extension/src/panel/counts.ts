/** Numbers as people read them. */

export const NUMBER = new Intl.NumberFormat("en");

/** "1 byte", "1,578 bytes". */
export function count(number: number, what: string): string {
  return `${NUMBER.format(number)} ${what}${number === 1 ? "" : "s"}`;
}

/** "34 bytes", "1.2 kB", "134 kB", "5.6 MB". */
export function bytes(number: number): string {
  if (number < 1000) {
    return count(number, "byte");
  }
  const [unit, size] = number < 999_500 ? ["kB", number / 1e3] : number < 999_500_000 ? ["MB", number / 1e6] : ["GB", number / 1e9];
  return `${size < 99.95 ? size.toFixed(1) : size.toFixed(0)} ${unit}`;
}

/** "3 s", "4 min 12 s", "2 h 5 min". */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes === 0) {
    return `${whole} s`;
  }
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
