/**
 * Canonicalizes floats, so that there is one zero and one NaN.
 *
 * @module
 */

import { type HostColumn, viewAs } from "../column/column.ts";
import { widenColumn } from "./widen_column.ts";

const NAN_WORD = 0x7fc0_0000;
const NAN_HIGH_WORD = 0x7ff8_0000;

/** Returns the floats of a column, widened to 32 or 64 bits, with one zero and one NaN. */
export function canonicalFloats(column: HostColumn, bits: 32 | 64): Uint8Array {
  const { data } = widenColumn(column, { kind: "float", bits });
  const source = viewAs(Int32Array, data);
  const target = new Int32Array(column.length * bits / 32);
  if (bits === 32) copySingles(source, target);
  else copyDoubles(source, target);
  return new Uint8Array(target.buffer);
}

function copySingles(source: Int32Array, target: Int32Array): void {
  for (let row = 0; row < target.length; row++) {
    const word = source[row]!;
    const magnitude = word & 0x7fff_ffff;
    target[row] = magnitude === 0 ? 0 : magnitude > 0x7f80_0000 ? NAN_WORD : word;
  }
}

function copyDoubles(source: Int32Array, target: Int32Array): void {
  for (let at = 0; at < target.length; at += 2) {
    let low = source[at]!;
    let high = source[at + 1]!;
    const magnitude = high & 0x7fff_ffff;
    if (magnitude > 0x7ff0_0000 || (magnitude === 0x7ff0_0000 && low !== 0)) {
      low = 0;
      high = NAN_HIGH_WORD;
    } else if ((magnitude | low) === 0) {
      high = 0;
    }
    target[at] = low;
    target[at + 1] = high;
  }
}
