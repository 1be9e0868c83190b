/** Random keys of joins: columns of every type, and what makes two rows one key, written plainly. */

import type { ColumnType, HostColumn } from "../../../gpu/column/column.ts";
import { ALL_TYPES, type Plain, randomValues, slicedColumn } from "../models/column_model.ts";
import type { SeededRandom } from "./seeded_random.ts";

/** The types of the columns of keys. */
export const KEY_TYPES: readonly ColumnType[] = [
  ...ALL_TYPES,
  { kind: "fixed", byteWidth: 4 },
  { kind: "fixed", byteWidth: 8 },
  { kind: "struct", fields: [] },
  { kind: "struct", fields: [{ kind: "int", bits: 16, signed: true }, { kind: "bool" }] },
  { kind: "list", item: { kind: "float", bits: 16 } },
  { kind: "list", item: { kind: "bool" } },
  { kind: "list", item: { kind: "struct", fields: [] } },
  { kind: "list", item: { kind: "struct", fields: [{ kind: "string" }, { kind: "string" }] } },
];

/** The type of signed integers. */
export function intOf(bits: 8 | 16 | 32 | 64): ColumnType {
  return { kind: "int", bits, signed: true };
}

/** Types of the columns of a key. */
export function randomParts(random: SeededRandom, numParts: number): ColumnType[] {
  return Array.from({ length: numParts }, () => random.pick(KEY_TYPES));
}

/** The columns of a key, and their values by rows. */
export interface Side {
  readonly columns: readonly HostColumn[];
  readonly rows: readonly (readonly Plain[])[];
}

/** One side of a join: few different values, in columns of the types of the key or of narrower ones. */
export function sideOf(random: SeededRandom, parts: readonly ColumnType[], numRows: number): Side {
  const nulls = random.pick([0, 0.1, 0.5]);
  const drawn = parts.map((part) => {
    const type = narrower(random, part);
    const pool = [...randomValues(random, type, 2, nulls), ...fewValues(type)];
    const values = Array.from(
      { length: numRows },
      () => random.chance(nulls) ? null : random.pick(pool),
    );
    return { column: slicedColumn(random, type, values), type, values };
  });
  const rows = Array.from(
    { length: numRows },
    (_, row) => drawn.map(({ type, values }) => canonical(type, values[row]!)),
  );
  return { columns: drawn.map(({ column }) => column), rows };
}

/** The type, or one of numbers that it can hold. */
function narrower(random: SeededRandom, type: ColumnType): ColumnType {
  if (type.kind === "float") {
    const bits = random.pick(([16, 32, 64] as const).filter((bits) => bits <= type.bits));
    return { kind: "float", bits };
  }
  if (type.kind !== "int") return type;
  const bits = random.pick(([8, 16, 32, 64] as const).filter((bits) => bits <= type.bits));
  return { kind: "int", bits, signed: type.signed && (bits === type.bits || random.chance(0.5)) };
}

/** Values that rows of two random sides share. */
function fewValues(type: ColumnType): Plain[] {
  switch (type.kind) {
    case "bool":
      return [true, false];
    case "int":
      return type.signed ? [5n, -1n, 0n] : [5n, 0n];
    case "string":
      return ["", "Zoë", "Zo", "a", "a\0", "Ouagadougou-Nord"];
    case "float":
      return FLOATS.map((value) => floatBytes(type.bits, value)).concat(NANS[type.bits]);
    case "fixed":
      return ["00".repeat(type.byteWidth), "a0".repeat(type.byteWidth)];
    case "list": {
      // The first two would be one, were texts of lists not told where they end.
      if (type.item.kind === "string") return [["a\u0001b"], ["a", "b"], [null], [], ["a", null]];
      const items = fewValues(type.item).slice(0, 2);
      return [[], [null], items, [...items, null], [items[0] ?? null, ...items]];
    }
    case "struct":
      return [
        type.fields.map(() => null),
        type.fields.map((field) => fewValues(field)[0] ?? null),
        type.fields.map((field) => fewValues(field).at(-1) ?? null),
      ];
  }
}

const FLOATS = [0, -0, 1.5, -2, Infinity];
/** NaNs of either sign, quiet and signalling, with a payload. */
const NANS = {
  16: ["007e", "00fe", "017c", "ffff"],
  32: ["0000c07f", "0000c0ff", "0100807f", "efbeadff"],
  64: ["000000000000f87f", "000000000000f8ff", "010000000000f07f", "00000000efbefdff"],
};

function floatBytes(bits: 16 | 32 | 64, value: number): string {
  const view = new DataView(new ArrayBuffer(bits / 8));
  if (bits === 16) view.setFloat16(0, value, true);
  else if (bits === 32) view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return new Uint8Array(view.buffer).toHex();
}

/** The value with one form of each float: its number, with one zero and one NaN. */
function canonical(type: ColumnType, value: Plain): Plain {
  if (value === null) return null;
  if (type.kind === "list") return (value as Plain[]).map((item) => canonical(type.item, item));
  if (type.kind === "struct") {
    return type.fields.map((field, at) => canonical(field, (value as Plain[])[at]!));
  }
  if (type.kind !== "float") return value;
  const view = new DataView(Uint8Array.fromHex(value as string).buffer);
  const number = type.bits === 16
    ? view.getFloat16(0, true)
    : type.bits === 32
    ? view.getFloat32(0, true)
    : view.getFloat64(0, true);
  return String(number + 0);
}

/** Each row of a key as a text that equal keys share; null where the key is none. */
export function keyRows(
  rows: readonly (readonly Plain[])[],
  parts: readonly ColumnType[],
  nullsEqual: boolean,
): (string | null)[] {
  return rows.map((row) => {
    const isNull = row.includes(null) && !(nullsEqual && parts.length > 1);
    return isNull
      ? null
      : JSON.stringify(row, (_, value) => typeof value === "bigint" ? `${value}n` : value);
  });
}
