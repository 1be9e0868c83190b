/**
 * How other readers give the values of Arrow types.
 *
 * @module
 */

import { DataType, type Field } from "apache-arrow";
import { loadPeer } from "./peers.ts";

/** The columns of an Arrow file or stream as flechette reads them. */
export async function flechetteColumns(bytes: Uint8Array): Promise<unknown[][]> {
  const { tableFromIPC } = await loadPeer("flechette");
  const table = tableFromIPC(bytes, { useBigInt: true, useDecimalInt: true, useProxy: false });
  return table.names.map((_: string, i: number) => [...table.getChildAt(i)]);
}

/** A plain value as flechette gives it. */
export function asFlechette(type: DataType, value: unknown): unknown {
  if (value === null || DataType.isNull(type)) return null;
  if (DataType.isDictionary(type)) return asFlechette(type.dictionary, value);
  if (DataType.isDecimal(type) && type.bitWidth === 32) return Number(value);
  // Dates and timestamps are milliseconds in a number.
  if (DataType.isDate(type)) return Number(value) * (type.unit === 0 ? 86_400_000 : 1);
  if (DataType.isTimestamp(type)) {
    return rounded(Number(value) * [1000, 1, 1e-3, 1e-6][type.unit]!);
  }
  if (DataType.isInterval(type) && type.unit === 2) return (value as unknown[]).map(Number);
  const children = type.children as readonly Field[] | null;
  if (children === null || children.length === 0) return value;
  const [child] = children as [Field];
  if (DataType.isUnion(type)) {
    const [name, inner] = Object.entries(value as object)[0]!;
    return asFlechette(children.find((field) => field.name === name)!.type, inner);
  }
  if (DataType.isStruct(type)) {
    const struct = value as Record<string, unknown>;
    return Object.fromEntries(
      children.map(({ name, type }) => [name, asFlechette(type, struct[name])]),
    );
  }
  if (DataType.isMap(type)) {
    const [, { type: inner }] = child.type.children as [Field, Field];
    return (value as [unknown, unknown][]).map(([key, item]) => [key, asFlechette(inner, item)]);
  }
  return (value as unknown[]).map((item) => asFlechette(child.type, item));
}

/**
 * What flechette gave for a written value, with arrays for typed arrays and timestamps rounded. The
 * written value tells from which child of a union it comes, which flechette does not.
 */
export function fromFlechette(type: DataType, value: unknown, written: unknown): unknown {
  if (value === null || value === undefined || written === null) return value ?? null;
  if (DataType.isDictionary(type)) return fromFlechette(type.dictionary, value, written);
  if (DataType.isTimestamp(type)) return rounded(value as number);
  const children = type.children as readonly Field[] | null;
  if (children === null || children.length === 0) {
    return ArrayBuffer.isView(value) ? [...value as unknown as Iterable<unknown>] : value;
  }
  const [child] = children as [Field];
  if (DataType.isUnion(type)) {
    const [name, inner] = Object.entries(written as object)[0]!;
    return fromFlechette(children.find((field) => field.name === name)!.type, value, inner);
  }
  if (DataType.isStruct(type)) {
    const struct = value as Record<string, unknown>;
    const of = written as Record<string, unknown>;
    return Object.fromEntries(
      children.map(({ name, type }) => [name, fromFlechette(type, struct[name], of[name])]),
    );
  }
  const items = [...value as Iterable<unknown>];
  const like = written as unknown[];
  if (DataType.isMap(type)) {
    const [, { type: inner }] = child.type.children as [Field, Field];
    return (items as [unknown, unknown][]).map(([key, item], i) => [
      key,
      fromFlechette(inner, item, (like[i] as unknown[])[1]),
    ]);
  }
  return items.map((item, i) => fromFlechette(child.type, item, like[i]));
}

/** A plain value as it is in what Polars writes: units that it has not, and maps, become others. */
export function asPolars(type: DataType, value: unknown): unknown {
  if (value === null || DataType.isNull(type)) return null;
  if (DataType.isDictionary(type)) return asPolars(type.dictionary, value);
  if (DataType.isTimestamp(type) || DataType.isDuration(type)) {
    return type.unit === 0 ? (value as bigint) * 1000n : value;
  }
  if (DataType.isTime(type)) {
    return BigInt(value as number | bigint) * 10n ** BigInt(9 - 3 * type.unit);
  }
  const children = type.children as readonly Field[] | null;
  if (children === null || children.length === 0) return value;
  const [child] = children as [Field];
  if (DataType.isStruct(type)) {
    const struct = value as Record<string, unknown>;
    return Object.fromEntries(
      children.map(({ name, type }) => [name, asPolars(type, struct[name])]),
    );
  }
  if (DataType.isMap(type)) {
    return (value as [unknown, unknown][])
      .map(([key, value]) => asPolars(child.type, { key, value }));
  }
  return (value as unknown[]).map((item) => asPolars(child.type, item));
}

function rounded(milliseconds: number): number {
  return Number(milliseconds.toPrecision(14));
}
