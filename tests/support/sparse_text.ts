/** @module */

import type { HostColumn } from "../../gpu/column/column.ts";
import { stringColumn } from "./host_columns.ts";

/**
 * Texts one behind the other, the middle one of them at byte `place` of a buffer that nobody touches
 * before them: memory that is not touched costs nothing. The offsets have 64 bits.
 */
export function textAround(place: number, texts: readonly (string | null)[]): HostColumn {
  const column = stringColumn(texts);
  const offsets = column.offsets!;
  const shift = place - offsets[texts.length >> 1]!;
  const size = offsets[texts.length]!;
  const data = new Uint8Array(shift + size + 10);
  data.set(column.data.subarray(0, size), shift);
  return { ...column, data, offsets: Float64Array.from(offsets, (offset) => offset + shift) };
}
