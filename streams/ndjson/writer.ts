/**
 * Writing NDJSON.
 *
 * @module
 */

import { type Data, DataType, type RecordBatch, type Schema, Vector } from "apache-arrow";
import { checkSameColumns } from "../arrow.ts";
import type { FileEncoder } from "../file_sink.ts";
import { offsetSchema } from "../offsets/offset_type.ts";
import { textOf } from "../text_values.ts";

/** Lines that are encoded in one call. */
const linesPerChunk = 4096;

/** Gives a value as JSON. */
type JsonOf = (row: number) => string;

/** Turns each row into an object on a line of its own. */
export class NdjsonEncoder implements FileEncoder {
  readonly #encoder = new TextEncoder();
  #schema: Schema | undefined;

  batch(batch: RecordBatch): Uint8Array[] {
    // Text may have 32-bit offsets in one batch and 64-bit ones in the next.
    const schema = offsetSchema(batch.schema, 32);
    checkSameColumns(this.#schema ??= schema, schema);
    const keys: string[] = [];
    const values: JsonOf[] = [];
    for (const [index, { name }] of batch.schema.fields.entries()) {
      keys.push(`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`);
      values.push(jsonOf(batch.data.children[index]!, name));
    }
    const chunks: Uint8Array[] = [];
    for (let start = 0; start < batch.numRows; start += linesPerChunk) {
      const stop = Math.min(batch.numRows, start + linesPerChunk);
      let lines = "";
      for (let row = start; row < stop; row++) {
        if (keys.length === 0) lines += "{";
        for (let i = 0; i < keys.length; i++) lines += keys[i]! + values[i]!(row);
        lines += "}\n";
      }
      chunks.push(this.#encoder.encode(lines));
    }
    return chunks;
  }

  end(): Uint8Array[] {
    return [];
  }
}

function jsonOf(data: Data, name: string): JsonOf {
  const value = validJsonOf(data, name);
  return (row) => (data.getValid(row) ? value(row) : "null");
}

/** The JSON of rows that are not null. Integers keep all digits; NaN and infinities become null. */
function validJsonOf(data: Data, name: string): JsonOf {
  const { type } = data;
  if (DataType.isNull(type)) return () => "null";
  if (DataType.isList(type) || DataType.isLargeList(type)) {
    const item = jsonOf(data.children[0]!, name);
    const { valueOffsets } = data;
    return (row) => array(item, Number(valueOffsets[row]), Number(valueOffsets[row + 1]));
  }
  if (DataType.isFixedSizeList(type)) {
    const item = jsonOf(data.children[0]!, name);
    return (row) => array(item, row * type.listSize, (row + 1) * type.listSize);
  }
  if (DataType.isStruct(type)) {
    const keys = type.children.map((field) => JSON.stringify(field.name));
    const values = data.children.map((child) => jsonOf(child, name));
    return (row) => `{${keys.map((key, i) => `${key}:${values[i]!(row)}`).join(",")}}`;
  }
  if (isText(type) || DataType.isDictionary(type) && isText(type.dictionary)) {
    const vector = new Vector([data]);
    return (row) => JSON.stringify(vector.get(row));
  }
  const text = textOf(data);
  if (text === undefined) {
    throw new TypeError(`column ${name} is ${type}, which has no form in JSON`);
  }
  if (DataType.isFloat(type)) {
    return (row) => (Number.isFinite(data.values[row]) ? text(row) : "null");
  }
  const isLiteral = DataType.isInt(type) || DataType.isBool(type);
  return isLiteral ? text : (row) => JSON.stringify(text(row));
}

function array(item: JsonOf, start: number, stop: number): string {
  const items: string[] = [];
  for (let i = start; i < stop; i++) items.push(item(i));
  return `[${items.join(",")}]`;
}

function isText(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
}
