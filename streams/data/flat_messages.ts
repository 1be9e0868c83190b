/**
 * A fast path for streams of small record batches without nested columns: checks them without
 * allocating an object for each buffer.
 *
 * @module
 */

import type { DataType, Field } from "apache-arrow";
import { countBitsAt } from "./bits.ts";
import { layoutOf, valueBytes } from "./layout.ts";
import { lengthBytes, type ReadyBatch, type ReadyMessage } from "./ready_batch.ts";

/** A column that is not nested, and the positions of its node and buffers in a message. */
export interface FlatColumn {
  readonly type: DataType;
  /** The indices of its node and of its first buffer, the validity. */
  readonly node: number;
  readonly buffer: number;
  /** The bits of a value in its second buffer; 0 if that has offsets. */
  readonly valueBits: number;
  /** The 32-bit words of an offset; 0 if it has no offsets. */
  readonly offsetWords: 0 | 1 | 2;
}

/** The bytes of one read, and the same memory as words. */
interface Chunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly words: Int32Array<ArrayBuffer>;
}

/**
 * The words of metadata that similar messages share, and the positions of those that vary: lengths,
 * row counts and offsets.
 */
interface Shape {
  readonly frontBytes: number;
  /** The positions of the constant words, from the start of the message. */
  readonly places: Int32Array;
  readonly values: Int32Array;
  /** The positions of the variable words; of a list, that of its first word. */
  readonly bodyBytes: number;
  readonly numRows: number;
  readonly nodes: number;
  readonly buffers: number;
}

/** The words of a 64-bit integer, and of an entry in the lists of nodes and buffers. */
const longWords = 2;
const entryWords = 2 * longWords;

/** With more rows, the overhead of a message is small compared with its rows. */
const mostRows = 1024;

/** In larger chunks a bit offset would not fit into 32 bits. */
const maxChunkBytes = 2 ** 28;

/** Reads messages that differ from the previous one only in their rows. */
export class FlatMessages {
  /** The wanted columns; undefined if any column is nested or has a dictionary. */
  readonly #columns: readonly FlatColumn[] | undefined;
  readonly #numNodes: number;
  readonly #numBuffers: number;
  #chunk: Chunk = { bytes: new Uint8Array(0), words: new Int32Array(0) };
  #shape: Shape | undefined;

  constructor(fields: readonly Field[], wanted: ReadonlySet<Field>) {
    const columns = flatColumns(fields);
    this.#columns = columns?.filter((_, index) => wanted.has(fields[index]!));
    this.#numNodes = fields.length;
    this.#numBuffers = columns?.reduce((sum, column) => sum + numBuffers(column), 0) ?? 0;
  }

  /**
   * Reads the message at the start of `bytes`. Undefined if it is not like the previous one, has
   * many rows, or is invalid: the slow path then reads it or reports the error.
   */
  readonly read = (bytes: Uint8Array<ArrayBuffer>): FlatMessage | undefined => {
    const shape = this.#shape;
    if (shape === undefined || !(bytes.length >= shape.frontBytes) || !isPlaced(bytes)) {
      return undefined;
    }
    const chunk = this.#chunkOf(bytes);
    const start = bytes.byteOffset / 4;
    const { places, values, frontBytes, numRows, bodyBytes } = shape;
    const { words } = chunk;
    for (let i = 0; i < places.length; i++) {
      if (words[start + places[i]!] !== values[i]) return undefined;
    }
    if (!isCount(words, start + numRows) || !isCount(words, start + bodyBytes)) return undefined;
    const message = new FlatMessage(this.#columns!, chunk, start, shape);
    const isWhole = frontBytes + message.bodyBytes <= bytes.length;
    return isWhole && message.isValid(this.#numNodes, this.#numBuffers) ? message : undefined;
  };

  /** Takes a message as the template for the next ones. */
  learn({ header, places, frontBytes, body }: ReadyBatch): void {
    const { nodes, buffers, variadicBufferCounts, compression } = header;
    const isFlat = this.#columns !== undefined && nodes.length === this.#numNodes &&
      buffers.length === this.#numBuffers && variadicBufferCounts.length === 0;
    const byte = body.byteOffset - frontBytes;
    const isAligned = byte % 4 === 0 && frontBytes % 4 === 0 && isPlaced(body) &&
      Object.values(places).every((place) => place > lengthBytes && place % 4 === 0);
    if (!isFlat || !isAligned || compression !== null) return;
    const place = {
      bodyBytes: places.bodyBytes / 4,
      numRows: places.numRows / 4,
      nodes: places.nodes / 4,
      buffers: places.buffers / 4,
    };
    const own = [
      { first: place.bodyBytes, words: longWords },
      { first: place.numRows, words: longWords },
      { first: place.nodes, words: entryWords * nodes.length },
      { first: place.buffers, words: entryWords * buffers.length },
    ];
    const same = Array.from({ length: frontBytes / 4 }, (_, word) => word)
      .filter((word) => !own.some(({ first, words }) => first <= word && word < first + words));
    const words = new Int32Array(body.buffer, byte, frontBytes / 4);
    this.#shape = {
      frontBytes,
      places: Int32Array.from(same),
      values: Int32Array.from(same, (word) => words[word]!),
      ...place,
    };
  }

  #chunkOf({ buffer }: Uint8Array<ArrayBuffer>): Chunk {
    if (this.#chunk.bytes.buffer !== buffer) {
      this.#chunk = {
        bytes: new Uint8Array(buffer),
        words: new Int32Array(buffer, 0, buffer.byteLength >> 2),
      };
    }
    return this.#chunk;
  }
}

/** A record batch that is fully buffered and not decoded yet. */
export class FlatMessage implements ReadyMessage {
  /** The wanted columns. */
  readonly columns: readonly FlatColumn[];
  readonly numRows: number;
  readonly frontBytes: number;
  readonly bodyBytes: number;
  /** The chunk that contains the message. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #words: Int32Array<ArrayBuffer>;
  /** The word offsets of its body, its list of nodes, and its list of buffers. */
  readonly #body: number;
  readonly #nodes: number;
  readonly #buffers: number;

  constructor(
    columns: readonly FlatColumn[],
    { bytes, words }: Chunk,
    start: number,
    shape: Shape,
  ) {
    this.columns = columns;
    this.numRows = words[start + shape.numRows]!;
    this.frontBytes = shape.frontBytes;
    this.bodyBytes = words[start + shape.bodyBytes]!;
    this.bytes = bytes;
    this.#words = words;
    this.#body = start + shape.frontBytes / 4;
    this.#nodes = start + shape.nodes;
    this.#buffers = start + shape.buffers;
  }

  nullCount({ node }: FlatColumn): number {
    return this.#words[this.#nodes + entryWords * node + longWords]!;
  }

  /** Returns the byte offset of a buffer in `bytes`. */
  startOf(buffer: number): number {
    return 4 * this.#body + this.#words[this.#buffers + entryWords * buffer]!;
  }

  /** Returns the offset of a row's value in the data buffer of its column. */
  offset({ buffer, offsetWords }: FlatColumn, row: number): number {
    return this.#words[this.startOf(buffer + 1) / 4 + offsetWords * row]!;
  }

  /** Whether its nodes and buffers are valid, and large enough for its rows. */
  isValid(numNodes: number, numBuffers: number): boolean {
    if (this.numRows === 0 || this.numRows > mostRows) return false;
    if (!this.#areCounts(numNodes) || !this.#areBuffersPlaced(numBuffers)) return false;
    for (const column of this.columns) {
      if (!this.#hasValidNulls(column)) return false;
      if (column.offsetWords === 0) {
        const numBytes = Math.ceil(column.valueBits * this.numRows / 8);
        if (this.#lengthOf(column.buffer + 1) < numBytes) return false;
      } else if (!this.#hasValidOffsets(column, column.offsetWords)) return false;
    }
    return true;
  }

  /** Whether all columns, wanted or not, have the rows of the batch and valid null counts. */
  #areCounts(numNodes: number): boolean {
    for (let number = 0; number < 2 * numNodes; number++) {
      if (!isCount(this.#words, this.#nodes + longWords * number)) return false;
    }
    for (let node = 0; node < numNodes; node++) {
      if (this.#words[this.#nodes + entryWords * node] !== this.numRows) return false;
    }
    return true;
  }

  /** Whether each buffer lies within the body, after the previous one and aligned to 8 bytes. */
  #areBuffersPlaced(numBuffers: number): boolean {
    const words = this.#words;
    let end = 0;
    for (let buffer = 0; buffer < numBuffers; buffer++) {
      const entry = this.#buffers + entryWords * buffer;
      if (!isCount(words, entry) || !isCount(words, entry + longWords)) return false;
      const offset = words[entry]!;
      const length = words[entry + longWords]!;
      if (length === 0) continue;
      if (offset < end || offset % 8 !== 0 || offset + length > this.bodyBytes) return false;
      end = offset + length;
    }
    return true;
  }

  #hasValidNulls(column: FlatColumn): boolean {
    const words = this.#words;
    const node = this.#nodes + entryWords * column.node;
    const nullCount = words[node + longWords]!;
    const numBytes = this.#lengthOf(column.buffer);
    if (8 * numBytes < this.numRows) return nullCount === 0;
    const numValid = countBitsAt(this.bytes, this.startOf(column.buffer), this.numRows);
    return this.numRows - numValid === nullCount;
  }

  #hasValidOffsets({ buffer }: FlatColumn, offsetWords: 1 | 2): boolean {
    const words = this.#words;
    if (this.#lengthOf(buffer + 1) < 4 * offsetWords * (this.numRows + 1)) return false;
    const first = this.startOf(buffer + 1) / 4;
    let previous = 0;
    for (let row = 0; row <= this.numRows; row++) {
      const at = first + offsetWords * row;
      if (words[at]! < previous || offsetWords === 2 && words[at + 1] !== 0) return false;
      previous = words[at]!;
    }
    return previous <= this.#lengthOf(buffer + 2);
  }

  #lengthOf(buffer: number): number {
    return this.#words[this.#buffers + entryWords * buffer + longWords]!;
  }
}

/** Whether a 64-bit integer is non-negative and fits into 31 bits. */
function isCount(words: Int32Array, at: number): boolean {
  return words[at + 1] === 0 && words[at]! >= 0;
}

/** Whether bytes can be read in place as 32-bit words. */
function isPlaced({ byteOffset, buffer }: Uint8Array<ArrayBuffer>): boolean {
  return byteOffset % 4 === 0 && buffer.byteLength < maxChunkBytes;
}

function flatColumns(fields: readonly Field[]): FlatColumn[] | undefined {
  const columns: FlatColumn[] = [];
  let buffer = 0;
  for (const [node, { type }] of fields.entries()) {
    const column = flatColumn(type, node, buffer);
    if (column === undefined) return undefined;
    columns.push(column);
    buffer += numBuffers(column);
  }
  return columns;
}

function flatColumn(type: DataType, node: number, buffer: number): FlatColumn | undefined {
  switch (layoutOf(type)) {
    case "bits":
      return { type, node, buffer, valueBits: 1, offsetWords: 0 };
    case "values":
      return { type, node, buffer, valueBits: 8 * valueBytes(type), offsetWords: 0 };
    case "bytes32":
      return { type, node, buffer, valueBits: 0, offsetWords: 1 };
    case "bytes64":
      return { type, node, buffer, valueBits: 0, offsetWords: 2 };
    default:
      return undefined;
  }
}

function numBuffers({ offsetWords }: FlatColumn): number {
  return offsetWords === 0 ? 2 : 3;
}
