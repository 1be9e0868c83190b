/**
 * Reads a few rows of a large body: only the bytes of those rows in each buffer.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { DataType, Dictionary } from "apache-arrow";
import type { FileInput } from "../../bytes/file_input.ts";
import type { RowRange } from "../../types/select_columns.ts";
import { layoutOf, valueBytes } from "../../data/layout.ts";
import type { BatchDescription } from "../../data/ready_batch.ts";

/** A column of a body, by its first node and buffer. */
interface PartColumn {
  readonly field: { readonly type: DataType };
  readonly nodes: readonly [number, number];
  readonly buffers: readonly [number, number];
}

/** A message body and its wanted columns. */
interface PartialBody {
  /** The byte offset of the body in the input. */
  readonly start: number;
  readonly header: BatchDescription;
  readonly columns: readonly PartColumn[];
}

/** Some rows of a body, described as if the body had no others. */
interface BodyPart {
  readonly header: BatchDescription;
  readonly buffers: Uint8Array<ArrayBuffer>[];
  /** The place of its first row in the body. */
  readonly firstRow: number;
}

/** From this share of the rows on, the body is read whole. */
const mostOfRows = 1 / 4;
/**
 * A body of at most this many times `tripBytes` is read whole: a part takes up to two more reads in
 * a row.
 */
const leastTrips = 3;

/** Whether reading only these rows of a body may pay, judged before its header is known. */
export function isPartWorth(
  input: FileInput,
  { start, stop }: RowRange,
  { numRows, bodyBytes }: { readonly numRows: number; readonly bodyBytes: number },
): boolean {
  return stop - start < mostOfRows * numRows && isLargeBody(input, bodyBytes);
}

/** Whether a body is so large that reading a part of it may pay. */
export function isLargeBody(input: FileInput, bodyBytes: number): boolean {
  return bodyBytes > leastTrips * input.tripBytes;
}

/**
 * Reads the rows [start, stop) of a body, and up to 63 before them. Undefined if that does not pay,
 * if the body is compressed, if a column is nested or of views, or if anything is wrong with the
 * body: the caller then reads it whole and reports the error.
 */
export async function readPart(
  input: FileInput,
  { start: bodyStart, header, columns }: PartialBody,
  { start, stop }: RowRange,
): Promise<BodyPart | undefined> {
  const bodyBytes = columns.reduce((sum, { buffers: [first, last] }) => {
    return header.buffers.slice(first, last).reduce((sum, { length }) => sum + length, sum);
  }, 0);
  const numRows = header.length;
  if (!isPartWorth(input, { start, stop }, { numRows, bodyBytes }) || stop > numRows) {
    return undefined;
  }
  if (header.compression !== null && header.compression !== undefined) return undefined;
  // Bitmaps begin at a whole byte.
  const firstRow = start - start % 64;
  const wanted: WantedBytes[] = [];
  for (const column of columns) {
    const ranges = bytesOfRows(column, header, { start: firstRow, stop });
    if (ranges === undefined) return undefined;
    wanted.push(...ranges);
  }
  const part = new PartBuffers(input, bodyStart, header);
  try {
    await part.read(wanted);
    const isValid = await part.readTexts(wanted.filter(({ offsetBytes }) => offsetBytes > 0));
    if (!isValid) return undefined;
  } catch (error) {
    if (isSluiceError(error, "EndedError")) return undefined;
    throw error;
  }
  const length = stop - firstRow;
  const nodes = header.nodes.map(({ nullCount }) => ({
    length,
    nullCount: nullCount === 0 ? 0 : unknownCount,
  }));
  const { variadicBufferCounts } = header;
  const { buffers } = part;
  const described = {
    length,
    nodes,
    buffers: header.buffers,
    variadicBufferCounts,
    compression: null,
  };
  return { header: described, buffers, firstRow };
}

/** The null count of a part, which is counted after the read. */
const unknownCount = -1;

/** Wanted bytes of a buffer. If they are offsets, their text is in the next buffer. */
interface WantedBytes extends RowRange {
  readonly buffer: number;
  /** The size of an offset; 0 if the buffer has no offsets. */
  readonly offsetBytes: number;
}

/**
 * Returns the bytes of rows in the buffers of a column; undefined where these do not follow from
 * the rows.
 */
function bytesOfRows(
  { field: { type }, nodes: [node], buffers: [first] }: PartColumn,
  header: BatchDescription,
  { start, stop }: RowRange,
): WantedBytes[] | undefined {
  const layout = layoutOf(type);
  const { length, nullCount } = header.nodes[node]!;
  if (length !== header.length) return undefined;
  if (layout === "null") return [];
  const bits = { start: start / 8, stop: Math.ceil(stop / 8), offsetBytes: 0 };
  const values = (bytes: number) => ({ start: bytes * start, stop: bytes * stop, offsetBytes: 0 });
  const offsets = (bytes: number) => {
    return { start: bytes * start, stop: bytes * (stop + 1), offsetBytes: bytes };
  };
  const wanted: WantedBytes[] = [];
  // Read the bitmap even where the null count is 0, to check that there are none.
  if (header.buffers[first]!.length > 0) wanted.push({ ...bits, buffer: first });
  else if (nullCount > 0) return undefined;
  const buffer = first + 1;
  switch (layout) {
    case "bits":
      wanted.push({ ...bits, buffer });
      break;
    case "values":
      wanted.push({ ...values(valueBytes(type)), buffer });
      break;
    case "dictionary":
      wanted.push({ ...values(valueBytes((type as Dictionary).indices)), buffer });
      break;
    case "bytes32":
      wanted.push({ ...offsets(4), buffer });
      break;
    case "bytes64":
      wanted.push({ ...offsets(8), buffer });
      break;
    default:
      return undefined;
  }
  const isThere = wanted.every(({ buffer, stop }) => stop <= header.buffers[buffer]!.length);
  return isThere ? wanted : undefined;
}

/** The buffers of a part, as they are read. */
class PartBuffers {
  readonly buffers: Uint8Array<ArrayBuffer>[];
  readonly #input: FileInput;
  readonly #bodyStart: number;
  readonly #header: BatchDescription;

  constructor(input: FileInput, bodyStart: number, header: BatchDescription) {
    this.buffers = header.buffers.map(() => new Uint8Array(0));
    this.#input = input;
    this.#bodyStart = bodyStart;
    this.#header = header;
  }

  async read(wanted: readonly WantedBytes[]): Promise<void> {
    const found = await this.#input.readMany(wanted.map(({ buffer, start, stop }) => {
      const from = this.#bodyStart + this.#header.buffers[buffer]!.offset;
      return { start: from + start, stop: from + stop };
    }));
    for (const [index, { buffer }] of wanted.entries()) this.buffers[buffer] = found[index]!;
  }

  /**
   * Reads the text between offsets, and rebases the offsets to its start. Returns false if they are
   * invalid.
   */
  async readTexts(offsets: readonly WantedBytes[]): Promise<boolean> {
    const texts: WantedBytes[] = [];
    for (const { buffer, offsetBytes } of offsets) {
      const range = rebase(this.buffers[buffer]!, offsetBytes);
      const { length } = this.#header.buffers[buffer + 1]!;
      if (!(range.start >= 0 && range.start <= range.stop && range.stop <= length)) return false;
      texts.push({ ...range, buffer: buffer + 1, offsetBytes: 0 });
    }
    await this.read(texts);
    return true;
  }
}

/** Rebases offsets to 0 in place, and returns the range that they spanned. */
function rebase(bytes: Uint8Array<ArrayBuffer>, offsetBytes: number): RowRange {
  if (offsetBytes === 4) {
    const offsets = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const [start, stop] = [offsets[0]!, offsets.at(-1)!];
    for (let row = 0; row < offsets.length; row++) offsets[row]! -= start;
    return { start, stop };
  }
  const offsets = new BigInt64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
  const [start, stop] = [offsets[0]!, offsets.at(-1)!];
  for (let row = 0; row < offsets.length; row++) offsets[row]! -= start;
  return { start: Number(start), stop: Number(stop) };
}
