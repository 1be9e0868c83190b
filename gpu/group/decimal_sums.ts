/**
 * Exact sums and means of decimals, as big integers of their digits.
 *
 * @module
 */

import { GroupOverflowError } from "../../base/errors/value_error.ts";
import { integerOf } from "../../base/number_text.ts";
import { type HostColumn, isNull, viewAs } from "../column/column.ts";
import { nearestQuotient } from "../column/fixed_point.ts";
import { floatColumn } from "./float_sums.ts";
import type { GroupedInput, GroupState } from "./group_state.ts";
import { valueColumn } from "./group_values.ts";

/** The sums of decimals, and the numbers of their values. */
class DecimalSums {
  readonly #sums: bigint[] = [];
  readonly #counts: number[] = [];

  get numBytes(): number {
    return 48 * this.#sums.length;
  }

  /** Adds the values that are not null. */
  add({ groups, inputs: [input] }: GroupedInput): void {
    const read = digitsIn(input!);
    for (let row = 0; row < groups.length; row++) {
      if (isNull(input!, row)) continue;
      const group = groups[row]!;
      this.#sums[group] = (this.#sums[group] ?? 0n) + read(row);
      this.#counts[group] = (this.#counts[group] ?? 0) + 1;
    }
  }

  count(group: number): number {
    return this.#counts[group] ?? 0;
  }

  sum(group: number): bigint {
    return this.#sums[group] ?? 0n;
  }
}

/** Returns a function that reads the digits of a row as a whole number. */
function digitsIn({ type, data }: HostColumn): (row: number) => bigint {
  const width = type.kind === "fixed" ? type.byteWidth : 0;
  switch (width) {
    case 4: {
      const values = viewAs(Int32Array, data);
      return (row) => BigInt(values[row]!);
    }
    case 8: {
      const values = viewAs(BigInt64Array, data);
      return (row) => values[row]!;
    }
    case 16: {
      const [high, low] = [viewAs(BigInt64Array, data), viewAs(BigUint64Array, data)];
      return (row) => (high[2 * row + 1]! << 64n) + low[2 * row]!;
    }
    default: {
      const words = viewAs(Uint32Array, data);
      return (row) => integerOf(words, row * width / 4, width / 4);
    }
  }
}

/** The most digits of a sum. */
const MOST = 10n ** 38n - 1n;

/**
 * Sums of decimals with 38 digits; null without values. A sum that does not fit is a GroupOverflowError, or null if
 * the state is lenient.
 */
export class DecimalSumState implements GroupState {
  readonly #sums = new DecimalSums();
  readonly #isLenient: boolean;

  constructor(isLenient: boolean) {
    this.#isLenient = isLenient;
  }

  get numBytes(): number {
    return this.#sums.numBytes;
  }

  add(rows: GroupedInput): void {
    this.#sums.add(rows);
  }

  finish(numGroups: number): HostColumn {
    const words = new BigInt64Array(2 * numGroups);
    const isValid = new Uint8Array(numGroups);
    for (let group = 0; group < numGroups; group++) {
      const sum = this.#sums.sum(group);
      if (sum > MOST || sum < -MOST) {
        if (!this.#isLenient) throw new GroupOverflowError(group, sum);
        continue;
      }
      words[2 * group] = BigInt.asIntN(64, sum);
      words[2 * group + 1] = sum >> 64n;
      isValid[group] = this.#sums.count(group) > 0 ? 1 : 0;
    }
    const type = { kind: "fixed", byteWidth: 16 } as const;
    return valueColumn(type, new Uint8Array(words.buffer), numGroups, isValid);
  }
}

/** Means of decimals as float64, rounded once. */
export class DecimalMeanState implements GroupState {
  readonly #sums = new DecimalSums();
  readonly #scale: bigint;

  /** The decimals have `scale` digits behind the point. */
  constructor(scale: number) {
    this.#scale = 10n ** BigInt(scale);
  }

  get numBytes(): number {
    return this.#sums.numBytes;
  }

  add(rows: GroupedInput): void {
    this.#sums.add(rows);
  }

  finish(numGroups: number): HostColumn {
    return floatColumn(numGroups, (group) => {
      const count = BigInt(this.#sums.count(group));
      if (count === 0n) return undefined;
      return nearestQuotient(this.#sums.sum(group), this.#scale * count, 0);
    });
  }
}
