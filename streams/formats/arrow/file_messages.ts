/**
 * Iterates over the messages of a file whose blocks are known.
 *
 * @module
 */

import type {
  DictionaryBatch as DictionaryHeader,
  RecordBatch as BatchHeader,
} from "apache-arrow/ipc/metadata/message";
import type { FileInput } from "../../bytes/file_input.ts";
import {
  corrupt,
  decodeFront,
  inMessage,
  type PlacedMessage,
  readMessage,
} from "../../data/message.ts";
import type { ReadyMessage } from "../../data/ready_batch.ts";
import { isRemote } from "./remote.ts";
import {
  type ArrowMessages,
  denseBytes,
  denseChunkBytes,
  type ReadReady,
} from "./stream_layout.ts";

/** The position and the lengths of one message. */
export interface Block {
  readonly offset: number;
  readonly metaDataLength: number;
  readonly bodyLength: number;
  readonly isDictionary: boolean;
  /** The number of the message in file order, from 1. */
  readonly number: number;
  /** The number of rows of a batch, if the footer has it. */
  readonly numRows?: number;
  /** The dictionary in the message, set only in a stream, where later messages may replace it. */
  readonly dictionary?: { readonly id: number; readonly isDelta: boolean };
}

/** Maximum padding between two messages, and after the last, in bytes. */
export const mostPadding = 64;

/**
 * The most blocks fetched from a server at a time, the current one included, unless the caller asks
 * for more.
 */
const blocksAhead = 3;

/** How blocks are read. */
interface FileMessagesOptions {
  /** Whether all columns are wanted; otherwise parts of blocks may be. */
  readonly isWhole: boolean;
  /** Headers that are in memory already. */
  readonly fronts?: ReadonlyMap<Block, Uint8Array>;
  /** The number of blocks that are certainly wanted. Default: 1. */
  readonly ahead?: number | undefined;
}

/** Iterates over the messages of blocks. */
export class FileMessages implements ArrowMessages {
  readonly #input: FileInput;
  readonly #chunkBytes: number;
  readonly #blocks: readonly Block[];
  readonly #isWhole: boolean;
  readonly #fronts: ReadonlyMap<Block, Uint8Array> | undefined;
  readonly #ahead: number;
  /** The dictionaries read so far: in a file, later messages may only add to them. */
  readonly #dictionaries = new Set<number>();
  #next = 0;

  constructor(
    input: FileInput,
    blocks: readonly Block[],
    { isWhole, fronts, ahead = 1 }: FileMessagesOptions,
  ) {
    this.#ahead = ahead;
    this.#fronts = fronts;
    this.#input = input;
    this.#isWhole = isWhole;
    this.#chunkBytes = input.chunkBytes;
    this.#blocks = blocks;
  }

  async next(skims: boolean): Promise<PlacedMessage | undefined> {
    const block = this.#blocks[this.#next];
    if (block === undefined) return undefined;
    await this.#input.seek(block.offset);
    const isDense = block.bodyLength < denseBytes && !isRemote(this.#input);
    this.#input.chunkBytes = !skims
      ? this.#wantedBytes()
      : isDense
      ? Math.max(this.#chunkBytes, denseChunkBytes)
      : block.metaDataLength;
    if (!skims && isRemote(this.#input)) this.#prepare();
    this.#next++;
    const front = this.#fronts?.get(block);
    if (front !== undefined) {
      await this.#input.seek(block.offset + front.length);
      return decodeBlock(front, block);
    }
    const placed = checkBlock(await readMessage(this.#input, block.number), block);
    if (block.isDictionary && block.dictionary === undefined) this.#checkDictionary(placed);
    return placed;
  }

  /**
   * Throws if a file replaces a dictionary, which would be ambiguous where batches are read in any
   * order.
   */
  #checkDictionary({ header, place }: PlacedMessage): void {
    const { id, isDelta } = header as DictionaryHeader;
    if (!isDelta && this.#dictionaries.has(id)) {
      throw corrupt(inMessage(place), `it replaces the dictionary ${id}, which no file may`);
    }
    this.#dictionaries.add(id);
  }

  /**
   * Starts to fetch the next blocks while one is decoded; more of them the more blocks were read.
   */
  #prepare(): void {
    const stop = this.#next + Math.max(this.#ahead, Math.min(blocksAhead, 1 + this.#next));
    const ranges = this.#blocks.slice(this.#next, stop)
      .filter((block) => this.#isRead(block) || !this.#fronts?.has(block))
      .map((block) => {
        const header = block.offset + block.metaDataLength;
        return { start: block.offset, stop: header + (this.#isRead(block) ? block.bodyLength : 0) };
      });
    if (ranges.length > 0) this.#input.prepare(ranges);
  }

  /** Whether to fetch a block whole; otherwise its header says which parts are wanted. */
  #isRead({ metaDataLength, bodyLength }: Block): boolean {
    return this.#isWhole || metaDataLength + bodyLength <= this.#input.tripBytes;
  }

  /**
   * Returns the bytes to read at a time from the next block on: only blocks that lie side by side.
   */
  #wantedBytes(): number {
    const first = this.#blocks[this.#next]!;
    if (isRemote(this.#input) && !this.#isRead(first)) return first.metaDataLength;
    const start = first.offset;
    let stop = start;
    for (let next = this.#next; next < this.#blocks.length; next++) {
      const { offset, metaDataLength, bodyLength } = this.#blocks[next]!;
      if (offset < stop || offset >= stop + mostPadding || stop >= start + this.#chunkBytes) break;
      stop = offset + metaDataLength + bodyLength;
    }
    return Math.min(this.#chunkBytes, stop - start);
  }

  ready<T extends ReadyMessage>(read: ReadReady<T>): T | undefined {
    const block = this.#blocks[this.#next];
    if (block === undefined || block.isDictionary || block.offset !== this.#input.position) {
      return undefined;
    }
    const batch = read(this.#input.ready);
    const isAsListed = batch?.frontBytes === block.metaDataLength &&
      batch.bodyBytes === block.bodyLength && hasRows(block, batch.numRows);
    return isAsListed ? batch : undefined;
  }

  pass({ frontBytes, bodyBytes }: ReadyMessage): void {
    this.#input.pass(frontBytes + bodyBytes);
    this.#next++;
  }
}

/** Decodes the message of a block from the bytes before its body. */
export function decodeBlock(front: Uint8Array, block: Block): PlacedMessage {
  return checkBlock(decodeFront(front, { number: block.number, byte: block.offset }), block);
}

/** Throws if a message differs from its block in the footer. */
function checkBlock(placed: PlacedMessage | undefined, block: Block): PlacedMessage {
  const { number, offset } = block;
  const where = inMessage({ number, byte: offset });
  if (placed === undefined) throw corrupt(where, "a message is missing");
  const { message } = placed;
  const isListed = block.isDictionary ? message.isDictionaryBatch() : message.isRecordBatch();
  if (!isListed) throw corrupt(where, "it is not of the kind that the footer says");
  if (message.bodyLength !== block.bodyLength) {
    const { bodyLength } = message;
    throw corrupt(where, `its body has ${bodyLength} bytes, in the footer ${block.bodyLength}`);
  }
  if (placed.frontBytes !== block.metaDataLength) {
    const { metaDataLength } = block;
    throw corrupt(
      where,
      `its description has ${placed.frontBytes} bytes, in the footer ${metaDataLength}`,
    );
  }
  if (message.isRecordBatch()) {
    const { length } = placed.header as BatchHeader;
    if (!hasRows(block, length)) {
      throw corrupt(where, `it has ${length} rows, in the footer ${block.numRows}`);
    }
  }
  return placed;
}

function hasRows({ numRows }: Block, length: number): boolean {
  return numRows === undefined || numRows === length;
}
