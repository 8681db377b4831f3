/** The value that a regression test should expect, for which the server asks where what the program gave was wrong. */

/** The argument of `boildown.instantiate` with the user's answer, which may be empty; undefined where there is none. */
export async function withExpected(
  argument: object,
  question: string,
  ask: (question: string) => PromiseLike<string | undefined>,
): Promise<object | undefined> {
  const expected = await ask(question);
  return expected === undefined ? undefined : { ...argument, expected };
}
