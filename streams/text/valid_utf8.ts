/**
 * Finds and replaces invalid UTF-8, value by value.
 *
 * @module
 */

import { Data, DataType, makeData, RecordBatch, Struct, Vector } from "apache-arrow";
import { isUtf8 } from "node:buffer";
import { showValue } from "../../base/kind_of.ts";
import type { RowRequest } from "../rows/row_request.ts";
import type { OpenOptions, Source } from "../plan/source.ts";

/** A reader's treatment of invalid UTF-8. */
export type InvalidText = "error" | "replace";

/** Throws a TypeError unless a value is undefined or a choice. */
export function checkInvalid(option: string, invalid: unknown): void {
  if (invalid === undefined || invalid === "error" || invalid === "replace") return;
  throw new TypeError(`${option} is "error" or "replace", not ${showValue(invalid)}`);
}

/** Several texts: their bytes and their offsets. */
export interface Texts<Offsets extends Int32Array | Float64Array = Int32Array> {
  readonly data: Uint8Array;
  /** One more offset than texts; doubles if there may be 2^31 bytes or more. */
  readonly offsets: Offsets;
}

/**
 * Returns the index of the first value that is not valid UTF-8, or -1. Checks each value, since two
 * invalid values may be valid when concatenated.
 */
export function firstInvalid({ data, offsets }: Texts<Int32Array | Float64Array>): number {
  const numValues = offsets.length - 1;
  const start = offsets[0] ?? 0;
  const stop = offsets[numValues] ?? start;
  const startsInside = (value: number) => {
    const at = offsets[value]!;
    return at < stop && (data[at]! & 0xc0) === 0x80;
  };
  let isValid = isUtf8(data.subarray(start, stop));
  for (let value = 0; isValid && value < numValues; value++) isValid = !startsInside(value);
  if (isValid) return -1;
  for (let value = 0; value < numValues; value++) {
    if (!isUtf8(data.subarray(offsets[value], offsets[value + 1]))) return value;
  }
  return -1;
}

/**
 * Replaces invalid UTF-8 with U+FFFD, as the Encoding Standard says. Returns the same object if all
 * texts are valid; the offsets of replaced texts start at 0.
 */
export function replaceInvalidTexts<Offsets extends Int32Array | Float64Array>(
  texts: Texts<Offsets>,
): Texts<Offsets> {
  if (firstInvalid(texts) < 0) return texts;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();
  const { data, offsets } = texts;
  const replaced = new (offsets.constructor as new (length: number) => Offsets)(offsets.length);
  const values: Uint8Array[] = [];
  for (let value = 0; value + 1 < offsets.length; value++) {
    const bytes = data.subarray(offsets[value], offsets[value + 1]);
    const valid = isUtf8(bytes) ? bytes : encoder.encode(decoder.decode(bytes));
    values.push(valid);
    replaced[value + 1] = replaced[value]! + valid.length;
  }
  const joined = new Uint8Array(replaced[replaced.length - 1] ?? 0);
  values.forEach((bytes, value) => joined.set(bytes, replaced[value]));
  return { data: joined, offsets: replaced };
}

/**
 * Wraps a source so that it replaces invalid UTF-8 with U+FFFD in plain text, large text,
 * dictionaries and nested columns. Text in views does not change.
 */
export function replaceInvalid(source: Source): Source {
  return {
    get name() {
      return source.name;
    },
    get bytesRead() {
      return source.bytesRead;
    },
    get numBytes() {
      return source.numBytes;
    },
    get numRequests() {
      return source.numRequests;
    },
    schema: () => source.schema(),
    canSeek: () => source.canSeek(),
    numRows: (options?: OpenOptions) => source.numRows(options),
    describeRows: async (request: RowRequest) => await source.describeRows?.(request),
    async *rows(request?: RowRequest, options?: OpenOptions) {
      for await (const rows of source.rows(request, options)) {
        yield { ...rows, batch: validBatch(rows.batch) };
      }
    },
  };
}

function validBatch(batch: RecordBatch): RecordBatch {
  const children = batch.data.children.map(validData);
  if (children.every((child, index) => child === batch.data.children[index])) return batch;
  const { length, nullCount, nullBitmap } = batch.data;
  const type = new Struct(batch.schema.fields);
  const data = makeData({ type, length, nullCount, nullBitmap: nullBitmap ?? null, children });
  return new RecordBatch(batch.schema, data, batch.metadata);
}

/** Returns data with valid text; the same object if it was valid. */
function validData(data: Data): Data {
  const { type } = data;
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return validStrings(data);
  const dictionary = data.dictionary && validDictionary(data.dictionary);
  const children = data.children.map(validData);
  const isSame = dictionary === data.dictionary &&
    children.every((child, index) => child === data.children[index]);
  if (isSame) return data;
  const { offset, length, nullCount, buffers } = data;
  return new Data(type, offset, length, nullCount, buffers, children, dictionary);
}

const dictionaries = new WeakMap<Vector, Vector>();

/** Checks a dictionary once, for all batches that use it. */
function validDictionary(dictionary: Vector): Vector {
  let valid = dictionaries.get(dictionary);
  if (valid === undefined) {
    const chunks = dictionary.data.map(validData);
    const isSame = chunks.every((chunk, index) => chunk === dictionary.data[index]);
    dictionaries.set(dictionary, valid = isSame ? dictionary : new Vector(chunks));
  }
  return valid;
}

function validStrings(data: Data): Data {
  const { type, offset, length, nullCount, nullBitmap } = data;
  if (length === 0) return data;
  const valueOffsets = data.valueOffsets as Int32Array | BigInt64Array;
  const first = Number(valueOffsets[0]);
  const offsets = new Float64Array(length + 1);
  for (let row = 0; row <= length; row++) offsets[row] = Number(valueOffsets[row]) - first;
  const texts = { data: (data.values as Uint8Array).subarray(first), offsets };
  const valid = replaceInvalidTexts(texts);
  if (valid === texts) return data;
  const isWide = valueOffsets instanceof BigInt64Array;
  if (!isWide && valid.data.length >= 2 ** 31) {
    throw new RangeError("Text with U+FFFD in the place of invalid bytes needs 64-bit offsets");
  }
  const validOffsets = isWide
    ? BigInt64Array.from(valid.offsets, BigInt)
    : Int32Array.from(valid.offsets);
  const buffers = [validOffsets, valid.data, nullBitmap] as never;
  return new Data(type, offset, length, nullCount, buffers);
}
