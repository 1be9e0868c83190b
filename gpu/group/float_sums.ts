/**
 * Sums and means of floats.
 *
 * @module
 */

import type { HostColumn } from "../column/column.ts";
import { floatsIn } from "../column/numbers.ts";
import { ExactSums } from "./exact_sums.ts";
import { Counts } from "./counts.ts";
import type { GroupedInput, GroupState } from "./group_state.ts";
import { firstBytes, FLOAT64, valueColumn } from "./group_values.ts";

/** Sums of floats as float64, each exact and rounded once; null without values. */
export class FloatSumState implements GroupState {
  readonly #sums = new ExactSums();

  get numBytes(): number {
    return this.#sums.numBytes;
  }

  add({ groups, numGroups, inputs: [input] }: GroupedInput): void {
    this.#sums.grow(numGroups);
    this.#sums.addAll(groups, floatsOf(input!), validityOf(input!));
  }

  finish(numGroups: number): HostColumn {
    this.#sums.grow(numGroups);
    return floatColumn(numGroups, (group) => {
      return this.#sums.isSeen(group) ? this.#sums.float(group) : undefined;
    });
  }
}

/** Means of floats: the exact sum, rounded once, divided by the number of values. */
export class FloatMeanState implements GroupState {
  readonly #sums = new ExactSums();
  readonly #counts = new Counts();

  get numBytes(): number {
    return this.#sums.numBytes + this.#counts.numBytes;
  }

  add(rows: GroupedInput): void {
    const { groups, numGroups, inputs: [input] } = rows;
    this.#sums.grow(numGroups);
    this.#sums.addAll(groups, floatsOf(input!), validityOf(input!));
    this.#counts.add(rows);
  }

  finish(numGroups: number): HostColumn {
    this.#sums.grow(numGroups);
    const counts = this.#counts.values(numGroups);
    return floatColumn(numGroups, (group) => {
      return this.#sums.isSeen(group) ? this.#sums.float(group) / counts[group]! : undefined;
    });
  }
}

/** Views the values of a column of floats. */
export function floatsOf({ type, data }: HostColumn) {
  if (type.kind !== "float") throw new TypeError(`A ${type.kind} is no float`);
  return floatsIn(type, data);
}

/** Returns the bitmap of a column that has nulls. */
export function validityOf({ nullCount, validity }: HostColumn): Uint8Array | null {
  return nullCount === 0 ? null : validity;
}

/** Returns a column of float64 with a value for each group; undefined is null. */
export function floatColumn(
  numGroups: number,
  valueOf: (group: number) => number | undefined,
): HostColumn {
  const values = new Float64Array(numGroups);
  const isValid = new Uint8Array(numGroups);
  for (let group = 0; group < numGroups; group++) {
    const value = valueOf(group);
    if (value === undefined) continue;
    isValid[group] = 1;
    values[group] = value;
  }
  return valueColumn(FLOAT64, firstBytes(values, numGroups), numGroups, isValid);
}
