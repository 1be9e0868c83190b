/**
 * Bounds checks of dictionary indices and of unions.
 *
 * @module
 */

import { BrokenPartError } from "../../../base/errors/data_error.ts";
import type { Data, DataType } from "apache-arrow";

/** The indices of a dictionary-encoded column. */
type Indices = ArrayLike<number> | BigInt64Array | BigUint64Array;

/** Throws if the index of a non-null row lies outside the dictionary. */
export function checkIndices(
  indices: Indices,
  nullBitmap: Uint8Array | undefined,
  numValues: number,
): void {
  for (let row = 0; row < indices.length; row++) {
    const index = Number(indices[row]);
    if (index >= 0 && index < numValues) continue;
    const isValid = nullBitmap === undefined || ((nullBitmap[row >> 3]! >> (row & 7)) & 1) === 1;
    if (isValid) {
      throw new BrokenPartError(
        `row ${row} has the index ${index} into a dictionary of ${numValues} values`,
      );
    }
  }
}

/** Throws if a row of a union has an unknown type id, or an offset past the end of its child. */
export function checkUnion(
  type: DataType,
  typeIds: Uint8Array,
  offsets: Int32Array | undefined,
  children: readonly Data[],
): void {
  // Child lengths by type id; the children of a sparse union are as long as the union.
  const lengths = new Int32Array(256).fill(-1);
  const ids = Array.from((type as DataType & { readonly typeIds: ArrayLike<number> }).typeIds);
  ids.forEach((id, child) => lengths[id] = children[child]!.length);
  for (let row = 0; row < typeIds.length; row++) {
    const length = lengths[typeIds[row]!]!;
    if (length < 0) {
      throw new BrokenPartError(`row ${row} has the type id ${typeIds[row]}, of no child`);
    }
    const offset = offsets === undefined ? row : offsets[row]!;
    if (offset < 0 || offset >= length) {
      throw new BrokenPartError(
        `row ${row} has the offset ${offset} into a child of ${length} values`,
      );
    }
  }
}
