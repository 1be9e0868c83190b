/**
 * A finished index.
 *
 * @module
 */

import type { IndexPlaces } from "./index_places.ts";

/** An index, and the first rows of its keys. */
export interface BuiltIndex {
  readonly places: IndexPlaces;
  /**
   * For each row of the build side, the first row + 1 with an equal key, which may be the row
   * itself; 0 for a null key.
   */
  readonly found: Int32Array;
}
