/**
 * Whether any, or all, values of a group are true.
 *
 * @module
 */

import { bitAt, bitmapBytes } from "../column/bitmap.ts";
import type { HostColumn } from "../column/column.ts";
import { validityOf } from "./float_sums.ts";
import type { GroupedInput, GroupState } from "./group_state.ts";
import { grown, valueColumn } from "./group_values.ts";

/** Whether any or all of the values that are not null are true; null without values. */
export class TruthState implements GroupState {
  readonly #of: "any" | "all";
  /** For each group, 1 if a value was false, plus 2 if one was true. */
  #seen = new Uint8Array(0);

  constructor(of: "any" | "all") {
    this.#of = of;
  }

  get numBytes(): number {
    return this.#seen.byteLength;
  }

  add({ groups, numGroups, inputs: [input] }: GroupedInput): void {
    const seen = this.#seen = grown(this.#seen, numGroups);
    const validity = validityOf(input!);
    for (let row = 0; row < groups.length; row++) {
      if (validity !== null && bitAt(validity, row) === 0) continue;
      seen[groups[row]!]! |= 1 << bitAt(input!.data, row);
    }
  }

  finish(numGroups: number): HostColumn {
    const seen = grown(this.#seen, numGroups);
    const data = new Uint8Array(bitmapBytes(numGroups));
    for (let group = 0; group < numGroups; group++) {
      const isTrue = this.#of === "any" ? seen[group]! >= 2 : seen[group] === 2;
      if (isTrue) data[group >> 3]! |= 1 << (group & 7);
    }
    return valueColumn({ kind: "bool" }, data, numGroups, seen);
  }
}
