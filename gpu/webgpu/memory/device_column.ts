/**
 * Columns on the device.
 *
 * A column is a list of windows of consecutive rows, nearly always one: a window has the rows that
 * fit one binding. Each window has its own buffer of 32-bit words:
 * binding. Each window has a buffer of its own, of 32-bit words:
 *
 *     [validity: ceil(length / 32), only with hasValidity]
 *     [offsets: length + 1, strings and lists only; relative to the data of this window, from 0]
 *     [validity of the items: ceil(items / 32), lists with null items only]
 *     [offsets of the items: items + 1, lists of strings only; relative and from 0, too]
 *     [data, padded to a whole word; for a list, the data of its items]
 *
 * In windows of many rows every part begins at a multiple of 256 bytes, the alignment of a card's
 * cache lines and of bindings of a part of a buffer.
 *
 * Data is laid out as in Arrow: widths of 1 and 2 bytes packed, bool as one bit a row, 64 bits as
 * two words, low first. Padding may hold anything.
 *
 * The windows of the columns of a batch may end at different rows. `alignWindows` returns the row
 * ranges in which every column lies in one window; a kernel runs once for each range and reads row
 * `i` of it as row `firstRow + i` of the window.
 *
 * @module
 */

import { bitmapBytes } from "../../column/bitmap.ts";
import {
  byteWidth,
  type ColumnType,
  type DeviceColumn,
  hasOffsets,
  type HostColumn,
  isFlatList,
  isTextList,
} from "../../column/column.ts";
import type { PooledBuffer } from "./buffer_pool.ts";

/** The first words of the parts of a window in its buffer. */
export interface WindowLayout {
  readonly validityWord: number;
  readonly offsetsWord: number;
  /** `NO_WORD` where no item is null. */
  readonly itemValidityWord: number;
  readonly itemOffsetsWord: number;
  /** For text a multiple of 4, so that four words can be loaded together. */
  readonly dataWord: number;
  /** The number of words; at least 1, since a buffer cannot be empty. For text a multiple of 4. */
  readonly words: number;
}

/** Stands for the word of a part that a window does not have. */
export const NO_WORD = 0xffff_ffff;

/** The items of a window of lists; other windows have none. */
interface WindowItems {
  readonly length: number;
  readonly hasValidity: boolean;
}

const NO_ITEMS: WindowItems = { length: 0, hasValidity: false };

/** Consecutive rows of a column in one buffer. */
export interface ColumnWindow {
  /** The first row of the window in its column. */
  readonly start: number;
  readonly length: number;
  /**
   * The bytes of data, without padding. For text an upper bound: the bytes after its end may be
   * anything.
   */
  readonly dataBytes: number;
  /** The number of items of lists. */
  readonly numItems?: number;
  readonly layout: WindowLayout;
  readonly buffer: PooledBuffer;
}

/** The properties of a new column. */
interface WebGpuColumnParts {
  readonly type: ColumnType;
  readonly hasValidity: boolean;
  /** In row order, without gaps, none of them empty; no windows for a column without rows. */
  readonly windows: readonly ColumnWindow[];
  /** Whether every byte of text is known to be below 0x80. */
  readonly ascii?: boolean;
  /** Whether text is known to be UTF-8. Default: true, since kernels make no other text. */
  readonly isUtf8?: boolean;
  /** An upper bound of the texts longer than `longRowBytes` of the context. Default: 0. */
  readonly numLongRows?: number;
  /** The column that this one was uploaded from, which makes a download free. */
  readonly host?: HostColumn;
}

/** A column on a WebGPU device. It starts with one owner. */
export class WebGpuColumn implements DeviceColumn {
  readonly place = "device";
  readonly type: ColumnType;
  readonly length: number;
  readonly dataBytes: number;
  readonly hasValidity: boolean;
  readonly windows: readonly ColumnWindow[];
  readonly numLongRows: number;
  readonly host: HostColumn | null;
  #ascii: boolean;
  #isUtf8: boolean;
  #owners = 1;

  constructor(parts: WebGpuColumnParts) {
    this.type = parts.type;
    this.hasValidity = parts.hasValidity;
    this.windows = parts.windows;
    this.#ascii = parts.ascii ?? false;
    this.#isUtf8 = parts.isUtf8 ?? true;
    this.numLongRows = parts.numLongRows ?? 0;
    this.host = parts.host ?? null;
    const last = parts.windows.at(-1);
    this.length = last === undefined ? 0 : last.start + last.length;
    this.dataBytes = parts.windows.reduce((sum, { dataBytes }) => sum + dataBytes, 0);
  }

  /** Whether every byte of text is known to be below 0x80. */
  get ascii(): boolean {
    return this.#ascii;
  }

  /** Whether text is known to be UTF-8, so that kernels can read it without a check. */
  get isUtf8(): boolean {
    return this.#ascii || this.#isUtf8;
  }

  /** Records what a check of the text has found. */
  noteText({ ascii }: { readonly ascii: boolean }): void {
    this.#isUtf8 = true;
    this.#ascii = ascii;
  }

  retain(): this {
    if (this.#owners === 0) throw new Error("A column was used after its last release");
    this.#owners++;
    return this;
  }

  release(): void {
    if (this.#owners === 0) throw new Error("A column was released too often");
    if (--this.#owners > 0) return;
    for (const { buffer } of this.windows) buffer.release();
  }
}

/**
 * The rows from which the parts of a window are aligned, and the words that they are aligned to.
 */
const ALIGNED_ROWS = 4096;
const ALIGNED_WORDS = 64;

/** The words of one load: text begins and ends at a multiple of them. */
export const QUAD_WORDS = 4;

/** Returns the most bytes of padding in a window of `length` rows, of fixed width or text. */
export function alignedBytes(length: number): number {
  const between = length >= ALIGNED_ROWS ? 2 * (ALIGNED_WORDS - 1) : QUAD_WORDS - 1;
  return 4 * (between + QUAD_WORDS - 1);
}

/** Returns the layout of a window of `length` rows. */
export function windowLayout(
  type: ColumnType,
  length: number,
  dataBytes: number,
  hasValidity: boolean,
  items: WindowItems = NO_ITEMS,
): WindowLayout {
  const unit = length >= ALIGNED_ROWS ? ALIGNED_WORDS : 1;
  const dataUnit = type.kind === "string" ? QUAD_WORDS : 1;
  const offsetsWord = roundUp(hasValidity ? Math.ceil(length / 32) : 0, unit);
  const itemsWord = roundUp(offsetsWord + (hasOffsets(type) ? length + 1 : 0), unit);
  const itemBits = items.hasValidity ? Math.ceil(items.length / 32) : 0;
  const itemOffsetsWord = roundUp(itemsWord + itemBits, unit);
  const itemOffsets = isTextList(type) ? items.length + 1 : 0;
  const dataWord = roundUp(itemOffsetsWord + itemOffsets, Math.max(unit, dataUnit));
  const words = Math.max(1, roundUp(dataWord + Math.ceil(dataBytes / 4), dataUnit));
  const itemValidityWord = items.hasValidity ? itemsWord : NO_WORD;
  return { validityWord: 0, offsetsWord, itemValidityWord, itemOffsetsWord, dataWord, words };
}

function roundUp(words: number, unit: number): number {
  return Math.ceil(words / unit) * unit;
}

/** Returns the bytes of data of `length` rows of a type that is not a string. */
export function fixedDataBytes(type: ColumnType, length: number): number {
  return type.kind === "bool" ? bitmapBytes(length) : length * byteWidth(type);
}

/** Whether the device can hold a column of this type. Kernels can read and make all such lists. */
export function isDeviceType(type: ColumnType): boolean {
  return type.kind === "list" ? isFlatList(type) : type.kind !== "struct";
}

/** Part of a window: the rows from `firstRow` of the window on. */
export interface WindowView {
  readonly window: ColumnWindow;
  readonly firstRow: number;
}

/** Rows of a batch that lie in one window of each of its columns. */
export interface AlignedRange {
  /** The first row in the batch. */
  readonly start: number;
  readonly length: number;
  /** For each column, in order. */
  readonly views: readonly WindowView[];
}

/**
 * Cuts the rows of a batch so that each range lies in one window of every column and has at most
 * `maxRows` rows.
 */
export function alignWindows(
  columns: readonly WebGpuColumn[],
  numRows: number,
  maxRows: number = Infinity,
): AlignedRange[] {
  const ranges: AlignedRange[] = [];
  const at = columns.map(() => 0);
  for (let start = 0; start < numRows;) {
    let stop = Math.min(numRows, start + maxRows);
    const views = columns.map((column, k) => {
      let window = column.windows[at[k]!]!;
      if (start >= window.start + window.length) window = column.windows[++at[k]!]!;
      stop = Math.min(stop, window.start + window.length);
      return { window, firstRow: start - window.start };
    });
    ranges.push({ start, length: stop - start, views });
    start = stop;
  }
  return ranges;
}

/** Returns the rows [start, stop) of a range, counted from its first row. */
export function subRange(range: AlignedRange, start: number, stop: number): AlignedRange {
  return {
    start: range.start + start,
    length: stop - start,
    views: range.views.map(({ window, firstRow }) => ({ window, firstRow: firstRow + start })),
  };
}

/**
 * Returns the parameters with which a kernel reads a window, one vec4<u32>: validity word, offsets
 * word, data word, first row.
 */
export function viewParams({ window, firstRow }: WindowView): [number, number, number, number] {
  const { validityWord, offsetsWord, dataWord } = window.layout;
  return [validityWord, offsetsWord, dataWord, firstRow];
}

/** Returns the second vec4<u32> of parameters with which a kernel reads a window of lists. */
export function itemParams({ window }: WindowView): [number, number, number, number] {
  const { itemValidityWord, itemOffsetsWord } = window.layout;
  return [itemValidityWord, itemOffsetsWord, 0, 0];
}
