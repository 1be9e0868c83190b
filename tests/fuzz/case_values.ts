/**
 * Values of columns as JSON: what JSON has no form for is text, which the type tells apart.
 *
 * @module
 */

import { DataType, type Field } from "apache-arrow";

/** A value of a type as JSON. */
export function encodeValue(type: DataType, value: unknown): unknown {
  return mapValue(type, value, (part) => {
    if (typeof part === "bigint") return String(part);
    if (typeof part !== "number") return part;
    return Number.isFinite(part) && !Object.is(part, -0)
      ? part
      : Object.is(part, -0)
      ? "-0"
      : `${part}`;
  });
}

/** The value of a type that JSON stands for. */
export function decodeValue(type: DataType, json: unknown): unknown {
  return mapValue(type, json, (part, own) => {
    if (typeof part !== "string" || isTextual(own)) return part;
    return DataType.isFloat(own) ? Number(part) : BigInt(part);
  });
}

function isTextual(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
}

function mapValue(
  type: DataType,
  value: unknown,
  leaf: (part: unknown, type: DataType) => unknown,
): unknown {
  if (value === null || value === undefined) return null;
  if (DataType.isDictionary(type)) return mapValue(type.dictionary, value, leaf);
  if (DataType.isInterval(type) && type.unit > 0) {
    const [first, second, nanoseconds] = value as unknown[];
    return type.unit === 1 ? [first, second] : [first, second, leaf(nanoseconds, type)];
  }
  const children = (type.children ?? []) as readonly Field[];
  if (children.length === 0) return Array.isArray(value) ? value : leaf(value, type);
  if (DataType.isStruct(type)) {
    return Object.fromEntries(
      children.map(({ name, type }) => [
        name,
        mapValue(type, (value as Record<string, unknown>)[name], leaf),
      ]),
    );
  }
  const [child] = children as [Field];
  if (DataType.isMap(type)) {
    const [, item] = child.type.children as [Field, Field];
    return (value as [unknown, unknown][]).map(([key, part]) => [
      key,
      mapValue(item.type, part, leaf),
    ]);
  }
  return (value as unknown[]).map((item) => mapValue(child.type, item, leaf));
}
