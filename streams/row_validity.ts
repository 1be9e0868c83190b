/** @module */

import { type Data, DataType } from "apache-arrow";

/** Whether rows of a column have a value; an index whose entry in the dictionary is null has none. */
export function rowValidity(data: Data): (row: number) => boolean {
  const { type, dictionary } = data;
  if (DataType.isNull(type)) return () => false;
  const own = bitmapValidity(data);
  if (dictionary === undefined || dictionary.nullCount === 0) return own;
  const indices = data.values as ArrayLike<number | bigint>;
  return (row) => own(row) && dictionary.isValid(Number(indices[row]));
}

function bitmapValidity({ nullCount, nullBitmap, offset }: Data): (row: number) => boolean {
  if (nullCount === 0) return () => true;
  return (row) => ((nullBitmap[(offset + row) >> 3]! >> ((offset + row) & 7)) & 1) === 1;
}
