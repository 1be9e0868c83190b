/**
 * How an array of Zarr lies in a folder: its chunks, shards and codecs, and its document. Which types
 * arrays have, and the bytes of their items.
 */

import {
  Binary,
  DataType,
  FixedSizeBinary,
  Float16,
  Float32,
  Float64,
  Int64,
  Uint8,
  Utf8,
} from "apache-arrow";
import type { ZarrMetadata } from "../../streams/formats/zarr/metadata/array_spec.ts";

/** Who writes arrays in place of us, and who reads them to judge ours. */
export const ZARR_PEERS = ["zarrita", "python", "zarr-python"] as const;
export type ZarrPeer = typeof ZARR_PEERS[number];

/** How the bytes of chunks are compressed. */
export const ZARR_CODECS = ["plain", "gzip", "zlib", "zstd", "blosc", "lz4"] as const;
type ZarrCodec = typeof ZARR_CODECS[number];

/** The array that the values of a column become, in C order, again from the first where it has more items. */
export interface ZarrLayout {
  readonly column: string;
  readonly version: 2 | 3;
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  /** Items of a file of several chunks along each axis, in version 3. */
  readonly shard?: readonly number[];
  readonly codec: ZarrCodec;
  /** Whether numbers have their highest byte first. */
  readonly isBig?: true;
  /** Whether the last axis comes first in chunks. */
  readonly isTurned?: true;
  /** Whether chunks have checksums, in version 3. */
  readonly isChecked?: true;
  /** The value of nulls and missing chunks: 0 by default, another one, or null in version 2. */
  readonly fill?: "value" | "null";
  /** Numbers of chunks, in C order, that are missing: their items are fill values. */
  readonly missing?: readonly number[];
  /** Whether axes have names: d0, d1, ... */
  readonly isNamed?: true;
  /** Whether names of chunks have dots in version 3, and slashes in version 2. */
  readonly isRenamed?: true;
}

/** The items that values of a type become. */
export interface ZarrItems {
  /** The type of the items of chunks. */
  readonly item: DataType;
  /** The bytes of an item; undefined where they vary. */
  readonly itemBytes: number | undefined;
  /** The name of the type in version 3, undefined where only version 2 has it, and in version 2. */
  readonly names: readonly [version3: string | undefined, version2: string];
  readonly zero: unknown;
  /** Another fill value, and as JSON of both versions. */
  readonly fill: unknown;
  readonly fillJson: readonly [version3: unknown, version2: unknown];
  /** The item of a value. */
  of(value: unknown): unknown;
}

const same = (value: unknown) => value;

/** The items of a column of a type; undefined where arrays have no such type. */
export function zarrItems(type: DataType): ZarrItems | undefined {
  if (DataType.isBool(type)) {
    const json = [true, true] as const;
    const names = ["bool", "|b1"] as const;
    return { item: new Uint8(), itemBytes: 1, names, zero: 0, fill: 1, fillJson: json, of: Number };
  }
  if (DataType.isInt(type)) {
    const { bitWidth, isSigned } = type;
    const bytes = bitWidth / 8;
    const value = isSigned ? -3 : 200;
    const isLong = bitWidth === 64;
    return {
      item: type,
      itemBytes: bytes,
      names: [`${isSigned ? "" : "u"}int${bitWidth}`, `<${isSigned ? "i" : "u"}${bytes}`],
      zero: isLong ? 0n : 0,
      fill: isLong ? BigInt(value) : value,
      fillJson: [value, value],
      of: same,
    };
  }
  if (DataType.isFloat(type)) {
    const bytes = 2 << type.precision;
    return {
      item: [new Float16(), new Float32(), new Float64()][type.precision]!,
      itemBytes: bytes,
      names: [`float${8 * bytes}`, `<f${bytes}`],
      zero: 0,
      fill: NaN,
      fillJson: ["NaN", "NaN"],
      of: same,
    };
  }
  if (DataType.isUtf8(type)) {
    const names = ["string", "|O vlen-utf8"] as const;
    return variable(new Utf8(), names, "", "– ", ["– ", "– "]);
  }
  if (DataType.isBinary(type)) {
    const names = ["bytes", "|O vlen-bytes"] as const;
    return variable(new Binary(), names, [], [7, 0, 255], [[7, 0, 255], "BwD/"]);
  }
  if (DataType.isFixedSizeBinary(type)) {
    const { byteWidth } = type;
    const fill = Array.from({ length: byteWidth }, (_, at) => at + 1);
    return {
      item: new FixedSizeBinary(byteWidth),
      itemBytes: byteWidth,
      names: [`r${8 * byteWidth}`, `|V${byteWidth}`],
      zero: fill.map(() => 0),
      fill,
      fillJson: [fill, Uint8Array.from(fill).toBase64()],
      of: same,
    };
  }
  if (DataType.isTimestamp(type) && type.timezone == null) {
    const unit = ["s", "ms", "us", "ns"][type.unit];
    return {
      item: new Int64(),
      itemBytes: 8,
      names: [undefined, `<M8[${unit}]`],
      zero: 0n,
      fill: 5n,
      fillJson: [5, 5],
      of: same,
    };
  }
}

function variable(
  item: DataType,
  names: ZarrItems["names"],
  zero: unknown,
  fill: unknown,
  fillJson: ZarrItems["fillJson"],
): ZarrItems {
  return { item, itemBytes: undefined, names, zero, fill, fillJson, of: same };
}

/** The documents of an array with items of a type. */
export function zarrMetadata(layout: ZarrLayout, type: DataType): ZarrMetadata {
  const attributes = {
    title: "drawn",
    ...(layout.isNamed ? { _ARRAY_DIMENSIONS: axisNames(layout) } : {}),
  };
  return layout.version === 2
    ? { format: 2, array: document2(layout, type), attributes: JSON.stringify(attributes) }
    : { format: 3, array: document3(layout, type, attributes) };
}

/** The names of the axes. */
export function axisNames({ shape }: Pick<ZarrLayout, "shape">): string[] {
  return shape.map((_, axis) => `d${axis}`);
}

function document2(layout: ZarrLayout, type: DataType): string {
  const { shape, chunk, codec, isBig, isTurned, isRenamed, fill } = layout;
  const { names: [, name], fillJson, itemBytes = 1 } = zarrItems(type)!;
  const [dtype, vlen] = name.replace("<", isBig && itemBytes > 1 ? ">" : "<").split(" ");
  const configuration = configurationOf(codec, itemBytes, true);
  return JSON.stringify({
    zarr_format: 2,
    shape,
    chunks: chunk,
    dtype: itemBytes === 1 ? dtype!.replace(/[<>]/, "|") : dtype,
    compressor: codec === "plain" ? null : { id: codec, ...configuration },
    fill_value: fill === "null" ? null : fill === "value" ? fillJson[1] : zero2(type),
    order: isTurned ? "F" : "C",
    filters: vlen === undefined ? null : [{ id: vlen }],
    ...(isRenamed ? { dimension_separator: "/" } : {}),
  });
}

function document3(layout: ZarrLayout, type: DataType, attributes: object): string {
  const { shape, chunk, shard, codec, isBig, isTurned, isChecked, isNamed, isRenamed } = layout;
  const { names: [name], fillJson, itemBytes } = zarrItems(type)!;
  const axes = shape.map((_, axis) => shape.length - 1 - axis);
  const vlen = name === "string" ? "vlen-utf8" : "vlen-bytes";
  const hasOrder = itemBytes !== 1 && !DataType.isFixedSizeBinary(type);
  const endian = isBig ? "big" : "little";
  const codecs = [
    ...(isTurned ? [{ name: "transpose", configuration: { order: axes } }] : []),
    itemBytes === undefined
      ? { name: vlen, configuration: {} }
      : { name: "bytes", ...(hasOrder ? { configuration: { endian } } : {}) },
    ...(codec === "plain" ? [] : [{
      name: codec === "lz4" || codec === "zlib" ? `numcodecs.${codec}` : codec,
      configuration: configurationOf(codec, itemBytes ?? 1, false),
    }]),
    ...(isChecked ? [{ name: "crc32c" }] : []),
  ];
  const indexCodecs = [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }];
  return JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: name,
    chunk_grid: { name: "regular", configuration: { chunk_shape: shard ?? chunk } },
    chunk_key_encoding: {
      name: "default",
      ...(isRenamed ? { configuration: { separator: "." } } : {}),
    },
    fill_value: layout.fill === "value" ? fillJson[0] : zero3(type),
    codecs: shard === undefined ? codecs : [{
      name: "sharding_indexed",
      configuration: {
        chunk_shape: chunk,
        codecs,
        index_codecs: indexCodecs,
        index_location: isChecked ? "start" : "end",
      },
    }],
    attributes,
    ...(isNamed ? { dimension_names: axisNames(layout) } : {}),
  });
}

/** The fill value 0 as JSON. */
function zero2(type: DataType): unknown {
  if (DataType.isUtf8(type) || DataType.isBinary(type)) return "";
  if (DataType.isFixedSizeBinary(type)) return new Uint8Array(type.byteWidth).toBase64();
  return DataType.isBool(type) ? false : 0;
}

function zero3(type: DataType): unknown {
  if (DataType.isUtf8(type)) return "";
  if (DataType.isBool(type)) return false;
  return typeof zarrItems(type)!.zero === "object" ? zarrItems(type)!.zero : 0;
}

function configurationOf(codec: ZarrCodec, typesize: number, isOld: boolean): object {
  switch (codec) {
    case "plain":
      return {};
    case "lz4":
      return { acceleration: 1 };
    case "zstd":
      // numcodecs has got checksums late.
      return isOld ? { level: 3 } : { level: 3, checksum: typesize === 4 };
    case "blosc":
      return {
        cname: typesize > 2 ? "lz4" : "zstd",
        clevel: 5,
        blocksize: 0,
        ...(isOld ? { shuffle: 1 } : { shuffle: "shuffle", typesize }),
      };
    default:
      return { level: 1 };
  }
}

/** The bytes of items: of all together in the order of the host, or of each. */
export function bytesOfItems(
  { item, itemBytes }: Pick<ZarrItems, "item" | "itemBytes">,
  items: readonly unknown[],
): Uint8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>[] {
  if (itemBytes === undefined) return items.map(bytesOf);
  const bytes = new Uint8Array(items.length * itemBytes);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of items.entries()) putItem(view, index * itemBytes, item, value);
  return bytes;
}

function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  return typeof value === "string"
    ? new TextEncoder().encode(value)
    : Uint8Array.from(value as readonly number[]);
}

function putItem(view: DataView, at: number, item: DataType, value: unknown): void {
  if (DataType.isFixedSizeBinary(item)) {
    return (value as readonly number[]).forEach((byte, index) => view.setUint8(at + index, byte));
  }
  if (DataType.isFloat(item)) {
    const number = value as number;
    if (item.precision === 0) view.setFloat16(at, number, true);
    else if (item.precision === 1) view.setFloat32(at, number, true);
    else view.setFloat64(at, number, true);
    return;
  }
  let rest = BigInt.asUintN(64, BigInt(value as number | bigint));
  for (let byte = 0; byte < (item as DataType & { bitWidth: number }).bitWidth / 8; byte++) {
    view.setUint8(at + byte, Number(rest & 0xffn));
    rest >>= 8n;
  }
}
