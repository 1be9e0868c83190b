/**
 * Whether text is ASCII, or else UTF-8. What was found out is remembered with the text.
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

/** The known facts about the text of a column. */
export interface TextFacts {
  /** Whether every byte is below 0x80. */
  readonly ascii: boolean;
}

interface Inspected {
  readonly start: number;
  readonly stop: number;
  readonly ascii: boolean;
  /** The rows whose text it is: others may divide characters, or show what lies below nulls. */
  readonly rows: Rows;
}

type Rows = Pick<HostColumn, "offsets" | "validity">;

/**
 * Ranges that were inspected before, by the array and not by its buffer: the memory of WebAssembly is
 * used again for other text.
 */
const inspected = new WeakMap<Uint8Array, Inspected[]>();

/** Ranges that are remembered for one array. */
const MAX_REMEMBERED = 16;

/** Returns what is known about the text of a column without inspecting it. */
export function knownText(column: HostColumn): TextFacts | undefined {
  const { data, offsets, length } = column;
  const start = offsets?.[0] ?? 0;
  const stop = offsets?.[length] ?? start;
  if (isKnownAscii(data, start, stop)) return { ascii: true };
  for (const range of inspected.get(data) ?? []) {
    // A part of text that is not ASCII may be ASCII, so only the same range tells.
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

/** The text of a column: itself, or the items of its lists. */
export function textOf(column: HostColumn): HostColumn {
  return isTextList(column.type) ? itemsOf(column) ?? column : column;
}

/** Inspects a column of text, or of lists of text, as `inspectColumn` and `inspectItems` do. */
export function inspectTexts(column: HostColumn, firstRow: number = 0): TextFacts {
  return (column.type.kind === "list" ? inspectItems : inspectColumn)(column, firstRow);
}

/**
 * Inspects the text of a column: whether it is ASCII, else whether it is UTF-8. Throws a
 * `Utf8Error` with the first row that is not, counted from `firstRow`. The same bytes are inspected
 * once.
 */
export function inspectColumn(column: HostColumn, firstRow: number = 0): TextFacts {
  return knownText(column) ?? inspect(column, (invalid) => {
    const row = firstRow + invalid;
    const message = `The text of row ${row} is not UTF-8`;
    return new Utf8Error(message, row, originOf(column, invalid));
  });
}

/**
 * Looks at the text of a column; `errorOf` makes the error of the first row that is not UTF-8. Where
 * `findInvalid` looks at the rows only partly, it is not remembered what it did not find.
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

/** Remembers what is known of the text of a column, so that it is not inspected again. */
export function rememberText(column: HostColumn, ascii: boolean): void {
  const { data, offsets, length, validity } = column;
  const start = offsets?.[0] ?? 0;
  const stop = offsets?.[length] ?? start;
  const known = inspected.get(data) ?? [];
  if (known.length >= MAX_REMEMBERED) known.shift();
  known.push({ start, stop, ascii, rows: { offsets, validity } });
  inspected.set(data, known);
}

/** Whether the text of a column is ASCII. Whether other text is UTF-8 is not looked at. */
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

/** Whether the text of some rows is UTF-8; the first is a multiple of 8. What is found out is forgotten. */
export function areRowsUtf8(column: HostColumn, start: number, stop: number): boolean {
  const rows = sliceColumn(column, start, stop);
  return isUtf8Text(rows) || firstInvalidRow(rows, rows.validity) < 0;
}

/** The first row that is not UTF-8; -1 where all are. */
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

/** Where the first sequence that is not UTF-8 starts; `stop` where there is none. */
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

/** Bytes of the sequence with a lead byte of 0x80 or more; 0 where it is not UTF-8. */
function sequenceSize(data: Uint8Array, at: number, stop: number, lead: number): number {
  // Only the second byte's range depends on the lead: overlong forms, surrogates, the last plane.
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
 * Inspects the items of a column of lists of texts in the same way. Items of a null may hold any
 * bytes.
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
