/** The marks of an axis: round values, as many as have room beside each other. */

/** A mark: a value, and where it is on an axis of a length, both in the axis's own direction. */
export interface Mark {
  readonly value: number;
  readonly at: number;
}

/** Marks at 1, 2 and 5 times the powers of ten, or at these powers, or at every so many of them. */
export function logarithmic(least: number, most: number, length: number, room: number): Mark[] {
  const [from, to] = [Math.log10(least), Math.log10(most)];
  const at = (value: number): Mark => ({ value, at: ((Math.log10(value) - from) / (to - from)) * length });
  const powers = Array.from({ length: Math.floor(to) - Math.floor(from) + 1 }, (_, index) => Math.floor(from) + index);
  const fine = powers.flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power));
  const grids = [fine, ...powers.map((_, step) => powers.filter((power) => power % (step + 1) === 0).map((power) => 10 ** power))];
  const marks = grids.map((values) => values.filter((value) => value >= least && value <= most).map(at));
  return marks.find((each) => each.every((mark, index) => index === 0 || mark.at - (each[index - 1]?.at ?? 0) >= room)) ?? [];
}

/** Marks at whole multiples of 1, 2 or 5 times a power of ten. */
export function linear(most: number, length: number, room: number): Mark[] {
  const least = Math.max(1, (most * room) / length);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least) ?? least;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => ({ value: index * step, at: (index * step * length) / most }));
}

/** The nearest of 1, 2 or 5 times a power of ten that is no more, or no less, than a number of one or more. */
export function rounded(number: number, up: boolean): number {
  const power = 10 ** Math.floor(Math.log10(number));
  const steps = [1, 2, 5, 10].map((each) => each * power);
  return (up ? steps.find((each) => each >= number) : steps.filter((each) => each <= number).at(-1)) ?? number;
}
