/**
 * Inspects whether text is ASCII, or else valid UTF-8, and caches the answer with the text.
 *
 * @module
 */

import { Utf8Error } from "../../base/errors/value_error.ts";
import { isKnownAscii } from "../../base/ascii_bytes.ts";
import { bitAt, copyBitmap, filledBitmap } from "./bitmap.ts";
import { type HostColumn, isTextList, type Offsets } from "./column.ts";
import { itemsOf, sliceColumn } from "./slice.ts";
import { originOf } from "./text_origin.ts";
import { isUtf8Text } from "./utf8_blocks.ts";

/** The facts known about the text of a column. */
interface TextFacts {
  /** Whether every byte is below 0x80. */
  readonly ascii: boolean;
}

interface Inspected {
  readonly start: number;
  readonly stop: number;
  readonly ascii: boolean;
  /** The rows of the text: other rows may split characters, or include text below nulls. */
  readonly rows: Rows;
}

type Rows = Pick<HostColumn, "offsets" | "validity">;

/**
 * The ranges inspected so far, by array and not by buffer: WebAssembly memory is reused for other
 * text.
 */
const inspected = new WeakMap<Uint8Array, Inspected[]>();

/** The most ranges that are recorded for one array. */
const MAX_REMEMBERED = 16;

/** Returns the facts known about the text of a column, without inspecting it. */
export function knownText(column: HostColumn): TextFacts | undefined {
  const { data, offsets, length } = column;
  const start = offsets?.[0] ?? 0;
  const stop = offsets?.[length] ?? start;
  if (isKnownAscii(data, start, stop)) return { ascii: true };
  for (const range of inspected.get(data) ?? []) {
    // A part of text that is not ASCII may be ASCII, so only the same range counts.
    const covers = range.start <= start && stop <= range.stop;
    const isSame = range.start === start && range.stop === stop && areSame(range.rows, column);
    if (covers && (range.ascii || isSame)) {
      return { ascii: range.ascii };
    }
  }
  return undefined;
}

function areSame(some: Rows, others: Rows): boolean {
  return isSamePlace(some.offsets, others.offsets) && isSamePlace(some.validity, others.validity);
}

function isSamePlace(some: ArrayBufferView | null, other: ArrayBufferView | null): boolean {
  return some === other ||
    some?.buffer === other?.buffer && some?.byteOffset === other?.byteOffset;
}

/** Returns the column of text in a column: itself, or the items of its lists. */
export function textOf(column: HostColumn): HostColumn {
  return isTextList(column.type) ? itemsOf(column) ?? column : column;
}

/** Inspects a column of text, or of lists of text, as `inspectColumn` and `inspectItems` do. */
export function inspectTexts(column: HostColumn, firstRow: number = 0): TextFacts {
  return (column.type.kind === "list" ? inspectItems : inspectColumn)(column, firstRow);
}

/**
 * Inspects whether the text of a column is ASCII, or else valid UTF-8. Throws a `Utf8Error` with
 * the first row that is not, counted from `firstRow`. Inspects the same bytes only once.
 */
export function inspectColumn(column: HostColumn, firstRow: number = 0): TextFacts {
  return knownText(column) ?? inspect(column, (invalid) => {
    const row = firstRow + invalid;
    const message = `The text of row ${row} is not UTF-8`;
    return new Utf8Error(message, row, originOf(column, invalid));
  });
}

/**
 * Inspects the text of a column; `errorOf` creates the error for the first row that is not valid
 * UTF-8. If `findInvalid` may skip rows (`isPartly`), that it found none is not recorded.
 */
function inspect(
  column: HostColumn,
  errorOf: (row: number) => Utf8Error,
  findInvalid: () => number = () => firstInvalidRow(column, column.validity),
  isPartly: boolean = false,
): TextFacts {
  const { data, offsets, length } = column;
  const start = offsets?.[0] ?? 0;
  const stop = offsets?.[length] ?? start;
  const ascii = isAscii(data, start, stop);
  const isProven = ascii || isUtf8Text(column);
  const invalid = isProven ? -1 : findInvalid();
  if (invalid >= 0) throw errorOf(invalid);
  if (isProven || !isPartly) rememberText(column, ascii);
  return { ascii };
}

/** Records facts about the text of a column, so that it is not inspected again. */
export function rememberText(column: HostColumn, ascii: boolean): void {
  const { data, offsets, length, validity } = column;
  const start = offsets?.[0] ?? 0;
  const stop = offsets?.[length] ?? start;
  const known = inspected.get(data) ?? [];
  if (known.length >= MAX_REMEMBERED) known.shift();
  known.push({ start, stop, ascii, rows: { offsets, validity } });
  inspected.set(data, known);
}

/** Whether the text of a column is ASCII. Does not check whether other text is valid UTF-8. */
export function isAsciiText(column: HostColumn): boolean {
  const known = knownText(column);
  if (known !== undefined) return known.ascii;
  const { data, offsets, length } = column;
  const start = offsets?.[0] ?? 0;
  const ascii = isAscii(data, start, offsets?.[length] ?? start);
  if (ascii) rememberText(column, true);
  return ascii;
}

/** Whether every byte of `data[start, stop)` is below 0x80. */
export function isAscii(data: Uint8Array, start: number, stop: number): boolean {
  const head = Math.min(stop, start + (-(data.byteOffset + start) & 3));
  let bits = 0;
  for (let i = start; i < head; i++) bits |= data[i] as number;
  const numWords = Math.floor(Math.max(0, stop - head) / 4);
  const words = numWords === 0
    ? new Int32Array()
    : new Int32Array(data.buffer, data.byteOffset + head, numWords);
  // In blocks, so that text that is not ASCII is found early.
  for (let block = 0; block < numWords && (bits & 0x80808080) === 0; block += 4096) {
    const end = Math.min(block + 4096, numWords);
    for (let i = block; i < end; i++) bits |= words[i] as number;
  }
  for (let i = head + 4 * numWords; i < stop; i++) bits |= data[i] as number;
  return (bits & 0x80808080) === 0;
}

/**
 * Whether the text of some rows is valid UTF-8; `start` is a multiple of 8. Does not record the
 * answer.
 */
export function areRowsUtf8(column: HostColumn, start: number, stop: number): boolean {
  const rows = sliceColumn(column, start, stop);
  return isUtf8Text(rows) || firstInvalidRow(rows, rows.validity) < 0;
}

/** Returns the first row that is not valid UTF-8; -1 if there is none. */
function firstInvalidRow(
  { data, offsets, length }: HostColumn,
  validity: Uint8Array | null,
): number {
  if (offsets === null) return -1;
  for (let row = 0; row < length; row++) {
    // The bytes of a null may be anything.
    if (validity !== null && bitAt(validity, row) === 0) continue;
    const stop = offsets[row + 1] as number;
    if (firstInvalid(data, offsets[row] as number, stop) < stop) return row;
  }
  return -1;
}

/** Returns the start of the first invalid sequence; `stop` if there is none. */
function firstInvalid(data: Uint8Array, start: number, stop: number): number {
  let at = start;
  while (at < stop) {
    const lead = data[at] as number;
    if (lead < 0x80) {
      at++;
      continue;
    }
    const size = sequenceSize(data, at, stop, lead);
    if (size === 0) return at;
    at += size;
  }
  return stop;
}

/** Returns the bytes of a sequence whose lead byte is 0x80 or more; 0 if it is invalid. */
function sequenceSize(data: Uint8Array, at: number, stop: number, lead: number): number {
  // Only the range of the second byte depends on the lead: overlong forms, surrogates, the last
  // plane.
  const second = at + 1 < stop ? data[at + 1] as number : 0;
  if (lead < 0xc2 || lead > 0xf4 || !isContinuation(second)) return 0;
  if (lead < 0xe0) return 2;
  const third = at + 2 < stop ? data[at + 2] as number : 0;
  if (!isContinuation(third)) return 0;
  if (lead < 0xf0) {
    const overlong = lead === 0xe0 && second < 0xa0;
    const surrogate = lead === 0xed && second > 0x9f;
    return overlong || surrogate ? 0 : 3;
  }
  const fourth = at + 3 < stop ? data[at + 3] as number : 0;
  const outside = (lead === 0xf0 && second < 0x90) || (lead === 0xf4 && second > 0x8f);
  return outside || !isContinuation(fourth) ? 0 : 4;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/**
 * Like `inspectColumn`, for the items of a column of lists of texts. Items of a null list may have
 * any bytes.
 */
export function inspectItems(column: HostColumn, firstRow: number = 0): TextFacts {
  const { offsets, validity } = column;
  const own = itemsOf(column);
  if (own === undefined || offsets === null) return { ascii: true };
  const start = offsets[0] ?? 0;
  return knownText(own) ?? inspect(own, (item) => {
    const row = firstRow + offsets.subarray(1).findIndex((stop) => stop > start + item);
    return new Utf8Error(`An item of row ${row} is not UTF-8`, row, originOf(own, item));
  }, () => {
    const item = firstInvalidRow(own, own.validity);
    if (item < 0 || validity === null) return item;
    return firstInvalidRow(own, validityOfItems(own, offsets, validity));
  }, validity !== null);
}

/** Returns the bits of the items that are neither null nor below a null. */
function validityOfItems(
  items: HostColumn,
  offsets: Offsets,
  validity: Uint8Array,
): Uint8Array {
  const bits = items.validity === null
    ? filledBitmap(items.length)
    : copyBitmap(items.validity, 0, items.length);
  const start = offsets[0] ?? 0;
  for (let row = 0; row + 1 < offsets.length; row++) {
    if (bitAt(validity, row) === 1) continue;
    const stop = offsets[row + 1]! - start;
    for (let item = offsets[row]! - start; item < stop; item++) {
      bits[item >> 3]! &= ~(1 << (item & 7));
    }
  }
  return bits;
}
