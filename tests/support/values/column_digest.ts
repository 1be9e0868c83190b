/** Digests of columns: equal for equal rows, whatever lies between them and below nulls. */

import { byteWidth, type HostColumn } from "../../../gpu/column/column.ts";

/** Adds the value of a row to a digest. */
type Mixer = (digest: number, row: number) => number;

/** The digest of all rows, in order: 32 bits. */
export function columnDigest(column: HostColumn): number {
  const mix = mixerOf(column);
  let digest = column.length;
  for (let row = 0; row < column.length; row++) digest = mix(digest, row);
  return digest;
}

function mixerOf(column: HostColumn): Mixer {
  const { validity } = column;
  const value = valueMixer(column);
  if (validity === null) return value;
  return (digest, row) =>
    (validity[row >> 3]! >> (row & 7)) & 1 ? value(digest, row) : mixed(digest, 0x5bd1e995);
}

function valueMixer({ type, data, offsets, children }: HostColumn): Mixer {
  if (type.kind === "bool") {
    return (digest, row) => mixed(digest, (data[row >> 3]! >> (row & 7)) & 1);
  }
  if (offsets === null) {
    const width = byteWidth(type);
    return (digest, row) => mixedBytes(digest, data, row * width, (row + 1) * width);
  }
  const [items] = children;
  if (items === undefined) {
    return (digest, row) => {
      const [start, stop] = [Number(offsets[row]!), Number(offsets[row + 1]!)];
      return mixedBytes(mixed(digest, stop - start), data, start, stop);
    };
  }
  const mixItem = mixerOf(items);
  return (digest, row) => {
    const [start, stop] = [Number(offsets[row]!), Number(offsets[row + 1]!)];
    let list = mixed(digest, stop - start);
    for (let item = start; item < stop; item++) list = mixItem(list, item);
    return list;
  };
}

function mixedBytes(digest: number, data: Uint8Array, start: number, stop: number): number {
  let all = digest;
  for (let at = start; at < stop; at++) all = mixed(all, data[at]!);
  return all;
}

/** The step of Fowler, Noll and Vo, turned so that high bits come back. */
function mixed(digest: number, value: number): number {
  const product = Math.imul(digest ^ value, 0x01000193);
  return (product << 13) | (product >>> 19);
}
