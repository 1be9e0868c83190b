/** Random input that can be had again. */

/** A source of random numbers that a seed determines. */
export class SeededRandom {
  #state: number;
  readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed | 0;
  }

  /** A number in [0, 1): mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 to `count - 1`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** One of the items. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

let side = new SeededRandom(1);

/**
 * Where choices come from that a test does not make itself, such as the bytes around the rows of its
 * columns. `forSeeds` begins it anew with every seed; in other tests it goes on from test to test, from
 * the start of the file.
 */
export function sideRandom(): SeededRandom {
  return side;
}

/**
 * The seed from which a test that draws goes on: any, or SLUICE_FIRST_SEED, with which a whole run
 * of tests draws again what it has drawn.
 */
export function firstSeed(): number {
  const given = Deno.env.get("SLUICE_FIRST_SEED");
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
}

/**
 * Runs a property `rounds` times with a seed each. A failure names the seed; SLUICE_SEED runs that
 * one alone. With `draws` it goes on until each of their kinds was drawn, up to ten times as long, and
 * hundreds of rounds at least: a case that is never drawn is one that nothing tests, and a failure.
 * A property that asks `draws.needs` may pass over cases then, and has many more rounds for it.
 */
export async function forSeeds(
  rounds: number,
  property: (random: SeededRandom) => void | Promise<void>,
  draws: Draws = new Draws([]),
): Promise<void> {
  const given = Deno.env.get("SLUICE_SEED");
  const first = given === undefined ? firstSeed() : Number(given);
  const runs = (round: number) =>
    given !== undefined
      ? round < 1
      : round < rounds || (draws.missing.length > 0 && round < draws.mostRounds(rounds));
  for (let round = 0; runs(round); round++) {
    const seed = (first + round) | 0;
    draws.isLate = round >= rounds;
    side = new SeededRandom(~seed);
    try {
      await property(new SeededRandom(seed));
    } catch (error) {
      throw new Error(`Failed with SLUICE_SEED=${seed}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  if (given === undefined && draws.missing.length > 0) {
    const kinds = draws.missing.join(", ");
    throw new Error(`Never drawn: ${kinds} (from SLUICE_FIRST_SEED=${first} on)`);
  }
}

/** The cases that a property test must draw, and those that it has drawn. */
export class Draws {
  readonly #missing: Set<string>;
  #skips = false;
  /** Whether the planned rounds are over. */
  isLate = false;

  constructor(kinds: Iterable<string>) {
    this.#missing = new Set(kinds);
  }

  /** Notes a draw of this kind. */
  add(kind: string): void {
    this.#missing.delete(kind);
  }

  /**
   * Whether a case of these kinds is worth its time: in the planned rounds each is, later only one that
   * has a kind that is missing. What draws cases faster than it checks them asks this in between.
   */
  needs(kinds: Iterable<string>): boolean {
    this.#skips = true;
    return !this.isLate || [...kinds].some((kind) => this.#missing.has(kind));
  }

  /** Rounds after which a kind that is still missing is a failure. */
  mostRounds(planned: number): number {
    return this.#skips ? Math.max(100 * planned, 20_000) : Math.max(10 * planned, 500);
  }

  /** The kinds that were not drawn yet. */
  get missing(): readonly string[] {
    return [...this.#missing];
  }
}
