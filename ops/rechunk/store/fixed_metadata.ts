/**
 * The metadata of an intermediate store, with which readers of Zarr 3 can open it.
 *
 * @module
 */

import type { Grid } from "../../../streams/formats/zarr/grid/grid.ts";
import type { FixedArray } from "../../../streams/formats/zarr/items/array.ts";

/** Returns the text of `zarr.json` for uncompressed chunks in files such as "c.0.1" beside it. */
export function fixedMetadata({ shape, chunk }: Grid, array: FixedArray): string {
  const { name, fill } = storedType(array);
  const isLittle = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
  const bytes = { name: "bytes", configuration: { endian: isLittle ? "little" : "big" } };
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: name,
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: "default", configuration: { separator: "." } },
    codecs: [bytes],
    attributes: {},
  };
  // JSON.stringify cannot write 64-bit integers.
  return `${JSON.stringify(metadata).slice(0, -1)},"fill_value":${fill}}\n`;
}

/** Returns the name of a type, and its fill value as JSON. Types that some readers lack are raw bytes. */
function storedType({ dataType, itemBytes, fill }: FixedArray): { name: string; fill: string } {
  const item = new DataView(fill.slice().buffer);
  const named = (text: unknown) => ({ name: dataType, fill: String(text) });
  switch (dataType) {
    case "bool":
      return named(fill[0] !== 0);
    case "int8":
      return named(item.getInt8(0));
    case "uint8":
      return named(item.getUint8(0));
    case "int16":
      return named(new Int16Array(item.buffer)[0]);
    case "uint16":
      return named(new Uint16Array(item.buffer)[0]);
    case "int32":
      return named(new Int32Array(item.buffer)[0]);
    case "uint32":
      return named(new Uint32Array(item.buffer)[0]);
    case "int64":
      return named(new BigInt64Array(item.buffer)[0]);
    case "uint64":
      return named(new BigUint64Array(item.buffer)[0]);
    case "float32":
      return named(floatText(new Float32Array(item.buffer)[0]!));
    case "float64":
      return named(floatText(new Float64Array(item.buffer)[0]!));
    default:
      return { name: `r${8 * itemBytes}`, fill: `[${fill}]` };
  }
}

function floatText(value: number): string {
  return Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`;
}
