/**
 * Builds the columns of a CSV batch value by value.
 *
 * @module
 */

import { isAscii } from "node:buffer";
import { noteAscii } from "../../../base/ascii_bytes.ts";
import { ValueError } from "../../../base/errors/value_error.ts";
import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Float64,
  Int64,
  makeData,
  Utf8,
} from "apache-arrow";
import type { ScalarType } from "../../types/scalar_type.ts";
import {
  firstInvalid,
  type InvalidText,
  replaceInvalidTexts,
  type Texts,
} from "../../text/valid_utf8.ts";
import { widerType } from "./infer.ts";
import {
  parseBool,
  parseDate,
  parseFloat64,
  parseInt64,
  parseUsualBool,
  parseUsualDate,
  parseUsualFloat64,
  parseUsualInt64,
} from "./values.ts";

const quote = 0x22;
const initialTextBytes = 16 << 10;
/** From this many bytes of text on, a batch takes the buffer itself, not a copy. */
const largeTextBytes = 32 << 20;

/** A column of one batch. */
export interface ColumnBuilder {
  /** Adds a field, the bytes [start, stop); for `quoting` see `RecordScanner`. */
  add(bytes: Uint8Array, start: number, stop: number, quoting: number): void;
  /** Returns the column; the builder is empty afterwards. */
  finish(): Data;
}

/**
 * A function that parses the bytes [start, stop) of a field. Undefined if they are not a value of
 * the type.
 */
type Parse<T> = (bytes: Uint8Array, start: number, stop: number) => T | undefined;

interface BuilderOptions {
  readonly isGuessed: boolean;
  /** Whether a column of strings will be cast to another type. */
  readonly isCast: boolean;
  readonly invalid: InvalidText;
}

/**
 * Returns a builder for a type. If the type was guessed, the builder rejects values that the type
 * would not print as they were read.
 */
export function columnBuilder(
  type: ScalarType,
  { isGuessed, isCast, invalid }: BuilderOptions,
): ColumnBuilder {
  switch (type) {
    case "string":
      return new StringBuilder(invalid, isCast);
    case "int64":
      return new Int64Builder(isGuessed ? parseUsualInt64 : parseInt64);
    case "float64":
      return new NumberBuilder(
        new Float64(),
        Float64Array,
        "float64",
        isGuessed ? parseUsualFloat64 : parseFloat64,
      );
    case "bool":
      return new BoolBuilder(isGuessed ? parseUsualBool : parseBool);
    case "date":
      return new NumberBuilder(
        new DateDay(),
        Int32Array,
        "date",
        isGuessed ? parseUsualDate : parseDate,
      );
  }
}

/** A validity bitmap, created at the first null. */
class Validity {
  length = 0;
  nullCount = 0;
  #bitmap = new Uint8Array(0);

  push(isValid: boolean): void {
    const row = this.length++;
    if (isValid && this.nullCount === 0) return;
    if (!isValid && this.nullCount++ === 0) this.#begin(row);
    if (row >> 3 >= this.#bitmap.length) this.#bitmap = grown(this.#bitmap, (row >> 3) + 1);
    if (isValid) this.#bitmap[row >> 3]! |= 1 << (row & 7);
  }

  take(): { length: number; nullCount: number; nullBitmap?: Uint8Array } {
    const { length, nullCount } = this;
    const nulls = nullCount === 0 ? {} : { nullBitmap: this.#bitmap };
    this.length = 0;
    this.nullCount = 0;
    this.#bitmap = new Uint8Array(0);
    return { length, nullCount, ...nulls };
  }

  /** Begins the bitmap at the first null, before which all rows are valid. */
  #begin(row: number): void {
    this.#bitmap = new Uint8Array(Math.max(64, (row >> 3) * 2 + 1));
    this.#bitmap.fill(255, 0, row >> 3);
    this.#bitmap[row >> 3] = (1 << (row & 7)) - 1;
  }
}

class StringBuilder implements ColumnBuilder {
  readonly #invalid: InvalidText;
  readonly #emptyIsNull: boolean;
  readonly #validity = new Validity();
  #offsets = new Int32Array(1024);
  #data = new Uint8Array(initialTextBytes);
  #numBytes = 0;

  constructor(invalid: InvalidText, emptyIsNull: boolean) {
    this.#invalid = invalid;
    this.#emptyIsNull = emptyIsNull;
  }

  add(bytes: Uint8Array, start: number, stop: number, quoting: number): void {
    const isNull = start === stop && (quoting === 0 || this.#emptyIsNull);
    this.#validity.push(!isNull);
    if (quoting === 2) this.#appendUnquoted(bytes, start, stop);
    else this.#append(bytes, start, stop);
    const row = this.#validity.length;
    if (row === this.#offsets.length) this.#offsets = grown(this.#offsets, row + 1);
    this.#offsets[row] = this.#numBytes;
  }

  finish(): Data {
    const texts = {
      data: this.#takeBytes(),
      offsets: this.#offsets.slice(0, this.#validity.length + 1),
    };
    const validity = this.#validity.take();
    const { data, offsets } = validTexts(texts, this.#invalid);
    return makeData({ type: new Utf8(), ...validity, valueOffsets: offsets, data } as never);
  }

  /** Appends text with doubled quotes, unescaped. */
  #appendUnquoted(bytes: Uint8Array, start: number, stop: number): void {
    this.#reserve(stop - start);
    let from = start;
    for (let at = start; (at = bytes.indexOf(quote, at)) >= 0 && at < stop; at += 2) {
      this.#append(bytes, from, at + 1);
      from = at + 2;
    }
    this.#append(bytes, from, stop);
  }

  #append(bytes: Uint8Array, start: number, stop: number): void {
    const end = this.#reserve(stop - start);
    const data = this.#data;
    if (stop - start > 32) data.set(bytes.subarray(start, stop), this.#numBytes);
    else for (let from = start, to = this.#numBytes; from < stop;) data[to++] = bytes[from++]!;
    this.#numBytes = end;
  }

  /** Reserves space for more bytes; returns their end. */
  #reserve(numBytes: number): number {
    const end = this.#numBytes + numBytes;
    if (end > this.#data.length) this.#data = grown(this.#data, end);
    return end;
  }

  /** Copies the bytes and reuses the buffer, unless there are many. */
  #takeBytes(): Uint8Array {
    const numBytes = this.#numBytes;
    this.#numBytes = 0;
    if (numBytes < largeTextBytes) return this.#data.slice(0, numBytes);
    const bytes = this.#data.subarray(0, numBytes);
    this.#data = new Uint8Array(initialTextBytes);
    return bytes;
  }
}

class Int64Builder implements ColumnBuilder {
  readonly #validity = new Validity();
  /** Low and high words: a BigInt64Array would allocate a bigint for every value. */
  #words = new Int32Array(2048);
  readonly #parse: Parse<number | bigint>;

  constructor(parse: Parse<number | bigint>) {
    this.#parse = parse;
  }

  add(bytes: Uint8Array, start: number, stop: number): void {
    const row = this.#validity.length;
    this.#validity.push(start !== stop);
    if (2 * row + 2 > this.#words.length) this.#words = grown(this.#words, 2 * row + 2);
    if (start === stop) return this.#put(row, 0);
    const value = this.#parse(bytes, start, stop);
    if (value === undefined) throw misfit(bytes, start, stop, "int64");
    if (typeof value === "number") this.#put(row, value);
    else new BigInt64Array(this.#words.buffer)[row] = value;
  }

  finish(): Data {
    const words = this.#words.slice(0, 2 * this.#validity.length);
    const data = new BigInt64Array(words.buffer);
    return makeData({ type: new Int64(), ...this.#validity.take(), data } as never);
  }

  #put(row: number, value: number): void {
    const low = value | 0;
    this.#words[2 * row] = low;
    this.#words[2 * row + 1] = (value - (low >>> 0)) / 2 ** 32;
  }
}

class NumberBuilder<A extends Float64Array | Int32Array> implements ColumnBuilder {
  readonly #validity = new Validity();
  readonly #type: DataType;
  readonly #name: ScalarType;
  readonly #parse: Parse<number>;
  #values: A;

  constructor(
    type: DataType,
    ArrayType: new (length: number) => A,
    name: ScalarType,
    parse: Parse<number>,
  ) {
    this.#type = type;
    this.#name = name;
    this.#parse = parse;
    this.#values = new ArrayType(1024);
  }

  add(bytes: Uint8Array, start: number, stop: number): void {
    const row = this.#validity.length;
    this.#validity.push(start !== stop);
    if (row === this.#values.length) this.#values = grown(this.#values, row + 1);
    const value = start === stop ? 0 : this.#parse(bytes, start, stop);
    if (value === undefined) throw misfit(bytes, start, stop, this.#name);
    this.#values[row] = value;
  }

  finish(): Data {
    const data = this.#values.slice(0, this.#validity.length);
    return makeData({ type: this.#type, ...this.#validity.take(), data } as never);
  }
}

class BoolBuilder implements ColumnBuilder {
  readonly #validity = new Validity();
  readonly #parse: Parse<boolean>;
  #values: boolean[] = [];

  constructor(parse: Parse<boolean>) {
    this.#parse = parse;
  }

  add(bytes: Uint8Array, start: number, stop: number): void {
    this.#validity.push(start !== stop);
    const value = start === stop ? false : this.#parse(bytes, start, stop);
    if (value === undefined) throw misfit(bytes, start, stop, "bool");
    this.#values.push(value);
  }

  finish(): Data {
    const data = new Uint8Array(Math.ceil(this.#values.length / 8));
    for (const [row, value] of this.#values.entries()) {
      if (value) data[row >> 3]! |= 1 << (row & 7);
    }
    this.#values = [];
    return makeData({ type: new Bool(), ...this.#validity.take(), data } as never);
  }
}

/** Returns a copy with space for at least twice `length` elements. */
function grown<A extends Uint8Array | Int32Array | Float64Array>(array: A, length: number): A {
  const ArrayType = array.constructor as new (length: number) => A;
  const larger = new ArrayType(Math.max(2 * array.length, 2 * length));
  larger.set(array as never);
  return larger;
}

function misfit(bytes: Uint8Array, start: number, stop: number, type: ScalarType): ValueError {
  const text = new TextDecoder().decode(bytes.subarray(start, Math.min(stop, start + 40)));
  const takenBy = widerType(type, bytes, start, stop);
  return new ValueError(`${JSON.stringify(text)} is not a valid ${type}`, { takenBy });
}

/** Throws at invalid UTF-8, or replaces it. Notes for later stages that text is all ASCII. */
function validTexts(texts: Texts, invalid: InvalidText): Texts {
  if (isAscii(texts.data)) {
    noteAscii(texts.data);
    return texts;
  }
  if (invalid === "replace") return replaceInvalidTexts(texts);
  const row = firstInvalid(texts);
  if (row >= 0) throw new ValueError("invalid UTF-8", { row });
  return texts;
}
