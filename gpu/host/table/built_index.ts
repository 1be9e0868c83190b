/**
 * An index that was built.
 *
 * @module
 */

import type { IndexPlaces } from "./index_places.ts";

/** An index, and the first rows of its keys. */
export interface BuiltIndex {
  readonly places: IndexPlaces;
  /**
   * For each row of the build side, the first row + 1 with an equal key: the row itself if no earlier
   * one has it. 0 where the key is null.
   */
  readonly found: Int32Array;
}
