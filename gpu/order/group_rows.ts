/**
 * Rows sorted by group, stably.
 *
 * @module
 */

/** Rows sorted by group. */
export interface GroupedRows {
  /** All rows, those of one group next to each other. */
  readonly order: Int32Array;
  /** The groups that occur, each once. */
  readonly groups: Int32Array;
  /** The place in `order` at which the rows of `groups[i]` begin; the last entry is that of their end. */
  readonly starts: Int32Array;
}

/** Sorts the rows of batches by group: a counting sort that skips groups without rows. */
export class RowGrouper {
  /** The place of each group among those of the batch; -1 for a group without rows. */
  #places = new Int32Array(0);

  /** Sorts rows, of which `ofRow` has the groups: numbers from 0 to `numGroups - 1`. */
  group(ofRow: Int32Array, numGroups: number): GroupedRows {
    const places = this.#placesFor(numGroups);
    const numRows = ofRow.length;
    const found = new Int32Array(Math.min(numRows, numGroups));
    const counts = new Int32Array(found.length + 1);
    let numFound = 0;
    for (let row = 0; row < numRows; row++) {
      const group = ofRow[row]!;
      let place = places[group]!;
      if (place < 0) {
        place = numFound++;
        places[group] = place;
        found[place] = group;
      }
      counts[place]!++;
    }
    const starts = new Int32Array(numFound + 1);
    for (let place = 0; place < numFound; place++) {
      starts[place + 1] = starts[place]! + counts[place]!;
      counts[place] = starts[place]!;
    }
    const order = new Int32Array(numRows);
    for (let row = 0; row < numRows; row++) order[counts[places[ofRow[row]!]!]!++] = row;
    const groups = found.subarray(0, numFound);
    for (let place = 0; place < numFound; place++) places[groups[place]!] = -1;
    return { order, groups, starts };
  }

  #placesFor(numGroups: number): Int32Array {
    if (numGroups > this.#places.length) {
      this.#places = new Int32Array(Math.max(numGroups, 2 * this.#places.length, 64)).fill(-1);
    }
    return this.#places;
  }
}
