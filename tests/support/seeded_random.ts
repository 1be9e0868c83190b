/**
 * Random input that can be had again.
 *
 * @module
 */

/** A source of random numbers that a seed determines. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
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
 * columns. `forSeeds` begins it anew with every seed; in other tests it goes on from test to test, from the start of the file.
 */
export function sideRandom(): SeededRandom {
  return side;
}

/**
 * Runs a property `rounds` times with a seed each. A failure names the seed; SLUICE_SEED runs that
 * one alone.
 */
export async function forSeeds(
  rounds: number,
  property: (random: SeededRandom) => void | Promise<void>,
): Promise<void> {
  const given = Deno.env.get("SLUICE_SEED");
  const first = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  for (let round = 0; round < (given === undefined ? rounds : 1); round++) {
    const seed = (first + round) | 0;
    side = new SeededRandom(~seed);
    try {
      await property(new SeededRandom(seed));
    } catch (error) {
      throw new Error(`Failed with SLUICE_SEED=${seed}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}
