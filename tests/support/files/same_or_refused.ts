/**
 * Tests of the facts that files and servers state about themselves. Each draw changes one of them, and
 * a reader must return the right rows, or refuse the file with one line that a user understands.
 *
 * Such tests lie in files called `*_mutants_test.ts`, which `deno task test:long draws` draws more of.
 */

import { assertEquals, AssertionError, equal } from "@std/assert";
import { Draws, forSeeds, type SeededRandom } from "../random/seeded_random.ts";
import { fewOr } from "../random/test_size.ts";
import { endOf } from "../running/until.ts";

/** An input of which one fact was changed. */
export interface Mutant<Input, Rows> {
  readonly input: Input;
  /** The expected result unless the reader refuses, in a form that can be compared. */
  readonly right: Rows;
  /** What kind of change it is, such as the field and what became of it; all of `kinds` are drawn. */
  readonly kinds: readonly string[];
  /** The change in words, for the message of a failure: `num_rows of page 3, 400 -> 401`. */
  readonly what: string;
}

/** A property of a reader, and how much of it is drawn. */
interface SameOrRefused<Input, Rows> {
  /** Number of mutants, at least; in `test:long draws` they are thousands. */
  readonly draws: number;
  /** The kinds of changes that must be drawn. */
  readonly kinds: readonly string[];
  readonly mutate: (random: SeededRandom) => Mutant<Input, Rows> | Promise<Mutant<Input, Rows>>;
  /** Reads an input. Whatever it throws is a refusal, which is then judged. */
  readonly read: (input: Input) => Promise<Rows>;
  /** The text of every refusal, such as the name of the file. */
  readonly refusal?: RegExp;
}

/** How the draws ended. */
interface Outcomes {
  readonly same: number;
  readonly refused: number;
  /** How often each message came, its numbers replaced by `#`. */
  readonly messages: ReadonlyMap<string, number>;
}

/** Mutants of a property in `test:long draws`, at least. */
const MANY_DRAWS = 5000;

/**
 * Words of V8, of the runtime and of dependencies: a message that has them was made by nobody who knew
 * what was wrong.
 */
const foreignWords = [
  "Array buffer allocation|Invalid (typed )?(array|string|DataView) ?(buffer )?(length|offset)",
  "Invalid count value|Invalid array length|outside the bounds|offset is out of bounds",
  "Start offset|byte length of|should be a multiple of|source is too large",
  "Cannot (read|set|mix|convert|destructure|access)|cannot be converted to|BigInt",
  "is not (a function|iterable|defined|a constructor|an? [a-z ]*object)",
  "Maximum call stack|memory access|unreachable|out of memory|RuntimeError",
  "undefined|\\[object|panicked|called `|Unexpected (token|end|number|string)|not valid JSON",
  "JSON at position|os error|Parquet error|Arrow error|[A-Z]\\w*Error\\b|Failed to|Expected .*, got|assertion",
].join("|");
const foreign = new RegExp(foreignWords);

/**
 * Draws mutants, and asserts for each that the reader returns the same rows, or refuses with a message of ours.
 * It fails where the two do not both happen, where a kind of change is never drawn, and where a read
 * ends neither way. Prints the first seed, with which SLUICE_FIRST_SEED draws all of it again;
 * SLUICE_SEED runs one draw, and prints its end.
 */
export async function assertSameOrRefused<Input, Rows>(
  property: SameOrRefused<Input, Rows>,
): Promise<Outcomes> {
  const numDraws = fewOr(property.draws, Math.max(property.draws, MANY_DRAWS));
  const draws = new Draws(property.kinds);
  const messages = new Map<string, number>();
  const failures: Error[] = [];
  let [same, refused, first] = [0, 0, undefined as number | undefined];
  await forSeeds(numDraws, async (random) => {
    first ??= random.seed;
    const mutant = await property.mutate(random);
    for (const kind of mutant.kinds) draws.add(kind);
    let refusal: string | undefined;
    try {
      refusal = await outcomeOf(property, mutant);
    } catch (error) {
      const problem = `SLUICE_SEED=${random.seed}: ${(error as Error).message}`;
      failures.push(new AssertionError(problem, { cause: error }));
      return;
    }
    if (refusal === undefined) same++;
    else refused++;
    const message = refusal?.replace(/\d+/g, "#");
    if (message !== undefined) messages.set(message, (messages.get(message) ?? 0) + 1);
  }, draws);
  if (failures.length > 0) throw failureOf(failures, same + refused);
  console.log(`${same} same and ${refused} refused, from SLUICE_FIRST_SEED=${first} on`);
  if (Deno.env.has("SLUICE_SEED")) console.log([...messages.keys()].join("\n"));
  else if (same === 0 || refused === 0) {
    throw new AssertionError(`No draw was ${same === 0 ? "read to the same rows" : "refused"}`);
  }
  return { same, refused, messages };
}

const mostShown = 30;

/** One error of all the draws that failed: the first at length, others by their first line. */
function failureOf(failures: readonly Error[], numRight: number): AssertionError {
  const [first, ...others] = failures.map(({ message }) => message);
  const lines = others.slice(0, mostShown).map((message) => message.split("\n")[0]!.slice(0, 400));
  const counts = `${failures.length} draws failed, ${numRight} did not`;
  const cause = failures[0]!.cause;
  return new AssertionError([`${counts}; ${first!.slice(0, 2000)}`, ...lines].join("\n"), {
    cause,
  });
}

/** The message of the refusal; undefined if the rows are right. Throws an AssertionError otherwise. */
async function outcomeOf<Input, Rows>(
  { read, refusal = /./ }: SameOrRefused<Input, Rows>,
  { input, right, what }: Mutant<Input, Rows>,
): Promise<string | undefined> {
  let rows: Rows;
  try {
    rows = await endOf(read(input), () => {
      throw new AssertionError(`${what}: the read hangs`);
    });
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    const problem = problemOf(error, refusal);
    if (problem === undefined) return (error as Error).message;
    throw new AssertionError(`${what}: the refusal ${problem}: ${error}`, { cause: error });
  }
  if (!equal(rows, right)) assertEquals(rows, right, `${what}: other rows, and no word of it`);
  return undefined;
}

/** What is wrong with the words of an error; undefined if nothing is. */
export function problemOf(error: unknown, refusal = /./): string | undefined {
  if (!(error instanceof Error)) return "is no error";
  const { message } = error;
  if (message.trim() === "") return "says nothing";
  if (/[\n\r]/.test(message)) return "has several lines";
  const words = foreign.exec(message)?.[0];
  if (words !== undefined) return `has words that are not ours ("${words}")`;
  return refusal.test(message) ? undefined : `does not say ${refusal}`;
}

/** What a numeric fact becomes. */
export const NUMBER_CHANGES = ["zero", "one more", "one less", "huge", "negative"] as const;

/** A change of a numeric fact. */
interface NumberChange {
  readonly change: typeof NUMBER_CHANGES[number];
  readonly value: number;
}

/** A number of another value, which is `huge` at most: the largest that its place in the file holds. */
export function changedNumber(
  random: SeededRandom,
  value: number,
  huge = 2 ** 31 - 1,
): NumberChange {
  const values = {
    zero: 0,
    "one more": value + 1,
    "one less": value - 1,
    huge: random.chance(0.5) ? huge : Math.floor(huge / (1 + random.below(1000))),
    negative: random.chance(0.5) ? -1 : -value || -huge,
  };
  const changes = NUMBER_CHANGES.filter((change) => values[change] !== value);
  const change = random.pick(changes);
  return { change, value: values[change] };
}
