/**
 * Columns of every type as plain JavaScript values and back, with a check of what a column
 * promises. Written for clarity: the oracle of the tests.
 */

import { assert, assertEquals } from "@std/assert";
import { byteWidth, type ColumnType, type HostColumn } from "../../../gpu/column/column.ts";
import { sliceColumn } from "../../../gpu/column/slice.ts";
import { asWideAsEnvironment } from "../values/host_columns.ts";
import type { SeededRandom } from "../random/seeded_random.ts";
import { surround } from "../values/surround.ts";

/**
 * A plain value: integers are bigint, floats and blobs the hexadecimal digits of their bytes (so
 * that every bit counts), lists and structs arrays.
 */
export type Plain = null | boolean | bigint | string | readonly Plain[];

/** The types that a random column may have. */
export const FLAT_TYPES: readonly ColumnType[] = [
  { kind: "bool" },
  ...([8, 16, 32, 64] as const).flatMap((bits) => [
    { kind: "int", bits, signed: true } as const,
    { kind: "int", bits, signed: false } as const,
  ]),
  { kind: "float", bits: 16 },
  { kind: "float", bits: 32 },
  { kind: "float", bits: 64 },
  { kind: "string" },
  { kind: "fixed", byteWidth: 3 },
  { kind: "fixed", byteWidth: 12 },
  { kind: "fixed", byteWidth: 16 },
];

/** Flat types, and lists and structs of them, two deep. */
export const ALL_TYPES: readonly ColumnType[] = [
  ...FLAT_TYPES,
  { kind: "list", item: { kind: "int", bits: 16, signed: true } },
  { kind: "list", item: { kind: "string" } },
  { kind: "list", item: { kind: "list", item: { kind: "string" } } },
  { kind: "struct", fields: [{ kind: "string" }, { kind: "bool" }] },
  {
    kind: "struct",
    fields: [
      { kind: "list", item: { kind: "struct", fields: [{ kind: "float", bits: 64 }] } },
      { kind: "fixed", byteWidth: 16 },
    ],
  },
];

/** All of them, and lists of items of other widths: what backends filter, gather and join. */
export const CARRIED_TYPES: readonly ColumnType[] = [
  ...ALL_TYPES,
  { kind: "list", item: { kind: "int", bits: 8, signed: true } },
  { kind: "list", item: { kind: "int", bits: 32, signed: false } },
  { kind: "list", item: { kind: "float", bits: 64 } },
  { kind: "list", item: { kind: "fixed", byteWidth: 3 } },
];

/** A column of the values, in buffers with other bytes around the rows and below the nulls. */
export function columnOfPlain(type: ColumnType, values: readonly Plain[]): HostColumn {
  return surround(bareColumnOfPlain(type, values));
}

/** A column of the values in buffers with nothing else but what lies below the nulls. */
function bareColumnOfPlain(type: ColumnType, values: readonly Plain[]): HostColumn {
  const nullCount = values.filter((value) => value === null).length;
  const frame = {
    place: "host",
    type,
    length: values.length,
    nullCount,
    validity: nullCount === 0 ? null : packBits(values.map((value) => value !== null)),
    data: new Uint8Array(0),
    offsets: null,
    children: [],
  } as const;
  switch (type.kind) {
    case "bool":
      return { ...frame, data: packBits(values.map((value) => value !== false)) };
    case "string": {
      const texts = values.map((value) => new TextEncoder().encode((value ?? "rubbish") as string));
      const offsets = runningSum(texts.map((text) => text.length));
      return asWideAsEnvironment({ ...frame, offsets, data: join(texts) });
    }
    case "list": {
      const lists = values.map((value) => (value ?? []) as readonly Plain[]);
      return {
        ...frame,
        offsets: runningSum(lists.map((list) => list.length)),
        children: [bareColumnOfPlain(type.item, lists.flat(1))],
      };
    }
    case "struct":
      return {
        ...frame,
        children: type.fields.map((field, at) =>
          bareColumnOfPlain(
            field,
            values.map((value) => value === null ? null : (value as Plain[])[at]!),
          )
        ),
      };
    default:
      return { ...frame, data: join(values.map((value) => bytesOf(type, value))) };
  }
}

/** The values of a column, after a check of its counts and layout. */
export function plainOf(column: HostColumn): Plain[] {
  checkLayout(column);
  return Array.from({ length: column.length }, (_, row) => plainAt(column, row));
}

function checkLayout({ type, length, validity, nullCount, data, offsets, children }: HostColumn) {
  const numNulls = Array.from({ length }, (_, row) => validity !== null && !bit(validity, row))
    .filter(Boolean).length;
  assertEquals(nullCount, numNulls, "nullCount is exact");
  if (nullCount === 0) assertEquals(validity, null, "no bitmap without nulls");
  const width = byteWidth(type);
  if (width > 0) {
    assertEquals(data.byteOffset % 8, 0, "values start on a multiple of 8");
    assert(data.length === length * width, "data holds the values");
  }
  if (type.kind === "string" || type.kind === "list") assertEquals(offsets!.length, length + 1);
  if (type.kind === "struct") children.forEach((child) => assertEquals(child.length, length));
  children.forEach(checkLayout);
}

/** The value of a row; what lies below a null, or in no row, is not looked at. */
function plainAt(column: HostColumn, row: number): Plain {
  const { type, validity, data, offsets, children } = column;
  if (validity !== null && !bit(validity, row)) return null;
  const width = byteWidth(type);
  const [first, last] = [offsets?.[row] ?? 0, offsets?.[row + 1] ?? 0];
  switch (type.kind) {
    case "bool":
      return bit(data, row);
    case "string":
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
        .decode(data.subarray(first, last));
    case "list":
      return Array.from({ length: last - first }, (_, i) => plainAt(children[0]!, first + i));
    case "struct":
      return children.map((child) => plainAt(child, row));
    case "int": {
      const value = littleEndian(data.subarray(row * width, (row + 1) * width));
      return type.signed ? BigInt.asIntN(type.bits, value) : value;
    }
    default:
      return hex(data.subarray(row * width, (row + 1) * width));
  }
}

/** Random values of a type; about one in `1 / nulls` is null. */
export function randomValues(
  random: SeededRandom,
  type: ColumnType,
  length: number,
  nulls: number,
): Plain[] {
  return Array.from(
    { length },
    () => random.chance(nulls) ? null : randomValue(random, type, nulls),
  );
}

function randomValue(random: SeededRandom, type: ColumnType, nulls: number): Plain {
  switch (type.kind) {
    case "bool":
      return random.chance(0.5);
    case "string":
      return randomText(random);
    case "list":
      return randomValues(random, type.item, random.below(4), nulls);
    case "struct":
      return type.fields.map((field) => randomValues(random, field, 1, nulls)[0]!);
    default: {
      const bytes = Uint8Array.from({ length: byteWidth(type) }, () => random.below(256));
      // Half of the wide values are infinities and NaNs of every kind when read as float64.
      if (bytes.length === 8 && random.chance(0.5)) bytes.set([0xf0 | random.below(16), 0xff], 6);
      if (type.kind !== "int") return hex(bytes);
      const value = littleEndian(bytes);
      return type.signed ? BigInt.asIntN(type.bits, value) : value;
    }
  }
}

/** Text of 0 to 30 or so bytes, at times long, with characters of 1 to 4 bytes. */
export function randomText(random: SeededRandom): string {
  const length = random.chance(0.05) ? 60 + random.below(200) : random.below(12);
  return Array.from({ length }, () => random.pick(["a", "b", "é", "→", "𝄞", "\0"])).join("");
}

/** The column with rows around it that a slice has cut off again: offsets and bits not at 0. */
export function surrounded(
  random: SeededRandom,
  column: HostColumn,
  slice: (column: HostColumn, start: number, stop: number) => HostColumn,
): HostColumn {
  const before = random.below(20);
  const behind = random.below(20);
  const values = [
    ...randomValues(random, column.type, before, 0.3),
    ...plainOf(column),
    ...randomValues(random, column.type, behind, 0.3),
  ];
  return slice(columnOfPlain(column.type, values), before, before + column.length);
}

/** Bits in a bitmap whose unused bits are ones. */
function packBits(bits: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8)).fill(0xff);
  bits.forEach((set, row) => {
    if (!set) bytes[row >> 3]! &= ~(1 << (row & 7));
  });
  return bytes;
}

function bit(bytes: Uint8Array, row: number): boolean {
  return ((bytes[row >> 3]! >> (row & 7)) & 1) === 1;
}

function runningSum(sizes: readonly number[]): Int32Array {
  const sums = new Int32Array(sizes.length + 1);
  sizes.forEach((size, row) => sums[row + 1] = sums[row]! + size);
  return sums;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  parts.reduce((at, part) => (bytes.set(part, at), at + part.length), 0);
  return bytes;
}

function bytesOf(type: ColumnType, value: Plain): Uint8Array {
  const bytes = new Uint8Array(byteWidth(type)).fill(0xee);
  if (typeof value === "bigint") {
    for (let at = 0; at < bytes.length; at++) bytes[at] = Number((value >> BigInt(8 * at)) & 255n);
  } else if (typeof value === "string") {
    for (let at = 0; at < bytes.length; at++) {
      bytes[at] = parseInt(value.slice(2 * at, 2 * at + 2), 16);
    }
  }
  return bytes;
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A column of random values, cut out of a longer one, with none, some or many nulls. */
export function randomColumn(random: SeededRandom, type: ColumnType, length: number): HostColumn {
  return slicedColumn(random, type, randomValues(random, type, length, random.pick([0, 0.2, 0.9])));
}

/** A column of the values, cut out of a longer one: its offsets and bits begin anywhere. */
export function slicedColumn(
  random: SeededRandom,
  type: ColumnType,
  values: readonly Plain[],
): HostColumn {
  return surrounded(random, columnOfPlain(type, values), sliceColumn);
}
