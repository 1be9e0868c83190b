/**
 * Encodes record batches as NDJSON.
 *
 * @module
 */

import { type Data, DataType, type Field, type RecordBatch, type Schema } from "apache-arrow";
import { isUtf8 } from "node:buffer";
import { checkSameColumns } from "../../data/arrow_data.ts";
import { ByteOutput } from "../../bytes/byte_output.ts";
import { checkDistinct } from "../../types/distinct_names.ts";
import { cellError } from "../../../base/errors/wrap_error.ts";
import { hasJsonMark, uuidTextOf } from "../../data/extension_type.ts";
import type { FileEncoder } from "../../sink/file_sink.ts";
import { compactText } from "./parse_json.ts";
import { offsetSchema } from "../../data/offset_type.ts";
import { plainType } from "../../data/plain_schema.ts";
import { rowValidity, textBytesOf, textOf } from "../../text/column_text.ts";
import { typeName } from "../../types/type_name.ts";

/** The output is yielded whenever it exceeds this many bytes. */
const stepBytes = 128 << 10;
const lineFeed = 0x0a;
const endOfObject = 0x7d;

/** Encodes each row as an object on its own line. */
export class NdjsonEncoder implements FileEncoder {
  readonly #output = new ByteOutput();
  readonly #encoder = new TextEncoder();
  #schema: Schema | undefined;
  #rowsBefore = 0;

  *batch(batch: RecordBatch): Generator<Uint8Array[], void, void> {
    // The width of offsets may differ between batches.
    const schema = offsetSchema(batch.schema, 32);
    checkSameColumns(this.#schema ??= schema, schema);
    const output = this.#output;
    const values = batch.data.children.map((data, index) =>
      jsonValues(data, schema.fields[index]!, output)
    );
    const keys = schema.fields.map(({ name }, index) =>
      this.#encoder.encode(`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`)
    );
    for (let row = 0; row < batch.numRows; row++) {
      if (keys.length === 0) output.text("{");
      let i = 0;
      try {
        for (; i < keys.length; i++) {
          output.bytes(keys[i]!, 0, keys[i]!.length);
          values[i]!(row);
        }
      } catch (cause) {
        throw cellError(cause, this.#rowsBefore + row, schema.fields[i]!.name);
      }
      output.byte(endOfObject);
      output.byte(lineFeed);
      if (output.length >= stepBytes) yield output.take();
    }
    this.#rowsBefore += batch.numRows;
    yield output.take();
  }

  end(): Uint8Array[][] {
    return [];
  }
}

/** A function that writes the value of a row. */
type PutValue = (row: number) => void;

const comma = 0x2c;
const startOfArray = 0x5b;
const endOfArray = 0x5d;

/**
 * Returns a function that writes the values of a column to an output: integers with all digits, NaN
 * and infinities as null, dates and times as strings, lists as arrays, structs as objects, and text
 * marked as JSON as JSON. Throws a TypeError that names the column for types without a form in
 * JSON. The function throws a RangeError for a value without one.
 */
function jsonValues(
  data: Data,
  field: Field,
  output: ByteOutput,
  column = field.name,
): PutValue {
  const isValid = rowValidity(data);
  const put = validValues(data, field, output, column);
  return (row) => (isValid(row) ? put(row) : output.text("null"));
}

/** Returns a function that writes the values of rows that are not null. */
function validValues(data: Data, field: Field, output: ByteOutput, column: string): PutValue {
  const type: DataType = data.type;
  if (DataType.isNull(type)) return () => output.text("null");
  if (DataType.isList(type) || DataType.isLargeList(type)) {
    const offsets = data.valueOffsets as Int32Array | BigInt64Array;
    return arrays(data, column, output, (row) => Number(offsets[row]));
  }
  if (DataType.isFixedSizeList(type)) {
    return arrays(data, column, output, (row) => row * type.listSize);
  }
  if (DataType.isStruct(type)) return objects(data, column, output);
  const giveText = textBytesOf(data);
  if (giveText !== undefined) {
    const putBytes = hasJsonMark(field) ? putJson : putJsonText;
    const putText = (bytes: Uint8Array, start: number, stop: number) =>
      putBytes(output, bytes, start, stop);
    return (row) => giveText(row, putText);
  }
  const text = uuidTextOf(data, field) ?? textOf(data);
  if (text === undefined) {
    throw new TypeError(
      `column ${column} is ${typeName(plainType(type))}, which has no form in JSON`,
    );
  }
  const own = DataType.isDictionary(type) ? type.dictionary : type;
  if (DataType.isFloat(own)) {
    return (row) => {
      const number = text(row);
      output.text(/[a-z]{2}/i.test(number) ? "null" : number);
    };
  }
  // Digits, true and false need no quotes; other texts need no escapes.
  if (DataType.isInt(own) || DataType.isBool(own)) return (row) => output.text(text(row));
  return (row) => output.text(`"${text(row)}"`);
}

/**
 * Returns a function that writes lists. The items of a row are those from `startOf(row)` to
 * `startOf(row + 1)`.
 */
function arrays(
  data: Data,
  column: string,
  output: ByteOutput,
  startOf: (row: number) => number,
): PutValue {
  const [items] = data.children;
  const putItem = items && jsonValues(items, (data.type as DataType).children[0]!, output, column);
  return (row) => {
    output.byte(startOfArray);
    const start = startOf(row);
    const stop = startOf(row + 1);
    for (let i = start; i < stop; i++) {
      if (i > start) output.byte(comma);
      putItem?.(i);
    }
    output.byte(endOfArray);
  };
}

function objects(data: Data, column: string, output: ByteOutput): PutValue {
  const { children } = data.type as DataType;
  checkDistinct(children, `column ${column}: fields`);
  const keys = children.map(({ name }, i) => `${i === 0 ? "{" : ","}${JSON.stringify(name)}:`);
  const values = data.children.map((child, i) => jsonValues(child, children[i]!, output, column));
  return (row) => {
    if (keys.length === 0) output.text("{");
    for (let i = 0; i < keys.length; i++) {
      output.text(keys[i]!);
      values[i]!(row);
    }
    output.byte(endOfObject);
  };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();
const quote = 0x22;
const backslash = 0x5c;
const firstPlain = 0x20;

/** Each ASCII character as it is written in a JSON string. */
const escapes = Array.from(
  { length: 128 },
  (_, byte) => encoder.encode(JSON.stringify(String.fromCharCode(byte)).slice(1, -1)),
);

/**
 * Writes the bytes [start, stop) as a JSON string, as JSON.stringify would: quotes, backslashes and
 * control characters are escaped. Invalid UTF-8 becomes U+FFFD.
 */
function putJsonText(
  output: ByteOutput,
  bytes: Uint8Array,
  start: number,
  stop: number,
): void {
  let bits = 0;
  for (let i = start; i < stop; i++) bits |= bytes[i]!;
  if (bits >= 128 && !isUtf8(bytes.subarray(start, stop))) {
    const valid = encoder.encode(decoder.decode(bytes.subarray(start, stop)));
    return putJsonText(output, valid, 0, valid.length);
  }
  output.byte(quote);
  let from = start;
  for (let i = start; i < stop; i++) {
    const byte = bytes[i]!;
    if (byte >= firstPlain && byte !== quote && byte !== backslash) continue;
    output.bytes(bytes, from, i);
    const escape = escapes[byte]!;
    output.bytes(escape, 0, escape.length);
    from = i + 1;
  }
  output.bytes(bytes, from, stop);
  output.byte(quote);
}

/**
 * Writes JSON text unchanged, but without its whitespace if it has line breaks. Throws a RangeError
 * if it is not JSON.
 */
function putJson(output: ByteOutput, bytes: Uint8Array, start: number, stop: number): void {
  const text = jsonOf(bytes.subarray(start, stop));
  if (/[\r\n]/.test(text)) output.text(compactText(text, { start: 0, stop: text.length }));
  else output.bytes(bytes, start, stop);
}

function jsonOf(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  try {
    if (isUtf8(bytes) && JSON.parse(text) !== undefined) return text;
  } catch {
    // The message below quotes the text, which helps more than the parser's position in it.
  }
  throw new RangeError(
    `${JSON.stringify(text.slice(0, 40))} is not JSON, although the column is marked as JSON`,
  );
}
