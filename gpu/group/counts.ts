/**
 * Counts of rows, of values that are not null, and of distinct values.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import type { ColumnType, HostColumn } from "../column/column.ts";
import { PairIds } from "./pair_ids.ts";
import type { GroupedInput, GroupState } from "./group_state.ts";
import { firstBytes, grown, INT64, valueColumn } from "./group_values.ts";

/** Counts rows, or with an input its values that are not null. */
export class Counts implements GroupState {
  #counts = new Float64Array(0);

  get numBytes(): number {
    return this.#counts.byteLength;
  }

  add({ groups, numGroups, inputs: [input] }: GroupedInput): void {
    const counts = this.#counts = grown(this.#counts, numGroups);
    const validity = input === undefined || input.nullCount === 0 ? null : input.validity;
    for (let row = 0; row < groups.length; row++) {
      if (validity === null || bitAt(validity, row) === 1) counts[groups[row]!]!++;
    }
  }

  /** Returns the count of each group. */
  values(numGroups: number): Float64Array {
    return grown(this.#counts, numGroups);
  }

  finish(numGroups: number): HostColumn {
    return countColumn(this.values(numGroups), numGroups);
  }
}

/** Counts the distinct values that are not null. Values are equal as keys are. */
export class DistinctCounts implements GroupState {
  readonly #pairs: PairIds;
  #counts = new Float64Array(0);

  constructor(type: ColumnType) {
    this.#pairs = new PairIds(type);
  }

  get numBytes(): number {
    return this.#counts.byteLength + this.#pairs.numBytes;
  }

  add({ groups, numGroups, inputs: [input] }: GroupedInput): void {
    const counts = this.#counts = grown(this.#counts, numGroups);
    let { size } = this.#pairs;
    const ids = this.#pairs.idsOf(groups, input!);
    for (let row = 0; row < groups.length; row++) {
      if (ids[row] !== size) continue;
      counts[groups[row]!]!++;
      size++;
    }
  }

  finish(numGroups: number): HostColumn {
    return countColumn(grown(this.#counts, numGroups), numGroups);
  }
}

function countColumn(counts: Float64Array, numGroups: number): HostColumn {
  const words = new Int32Array(2 * numGroups);
  for (let group = 0; group < numGroups; group++) {
    words[2 * group] = counts[group]! % 0x1_0000_0000;
    words[2 * group + 1] = Math.floor(counts[group]! / 0x1_0000_0000);
  }
  return valueColumn(INT64, firstBytes(words, words.length), numGroups);
}
