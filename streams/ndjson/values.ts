/**
 * Values of a column as JSON.
 *
 * @module
 */

import { type Data, DataType, type Field } from "apache-arrow";
import type { ByteOutput } from "../byte_output.ts";
import { hasJsonMark, uuidTextOf } from "../extension_type.ts";
import { plainType } from "../plain_schema.ts";
import { rowValidity } from "../row_validity.ts";
import { textBytesOf } from "../text_bytes.ts";
import { textOf } from "../text_values.ts";
import { putJson, putJsonText } from "./json_text.ts";

/** Writes the value of a row. */
type PutValue = (row: number) => void;

const comma = 0x2c;
const startOfArray = 0x5b;
const endOfArray = 0x5d;
const endOfObject = 0x7d;

/**
 * Writes the values of a column to an output: integers with all digits, NaN and infinities as null,
 * dates and times as strings, lists as arrays, structs as objects, text that is marked as JSON as the
 * value that it is. Throws a TypeError that names the column for types that have no form in JSON; the
 * value of a row throws a RangeError where it has none.
 */
export function jsonValues(
  data: Data,
  field: Field,
  output: ByteOutput,
  column = field.name,
): PutValue {
  const isValid = rowValidity(data);
  const put = validValues(data, field, output, column);
  return (row) => (isValid(row) ? put(row) : output.text("null"));
}

/** Writes the values of rows that are not null. */
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
    throw new TypeError(`column ${column} is ${plainType(type)}, which has no form in JSON`);
  }
  const own = DataType.isDictionary(type) ? type.dictionary : type;
  if (DataType.isFloat(own)) {
    return (row) => {
      const number = text(row);
      output.text(/[a-z]{2}/i.test(number) ? "null" : number);
    };
  }
  // Only digits, true and false; what else is text needs no escapes.
  if (DataType.isInt(own) || DataType.isBool(own)) return (row) => output.text(text(row));
  return (row) => output.text(`"${text(row)}"`);
}

/** The first value of a row is where the row before it ends. */
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
