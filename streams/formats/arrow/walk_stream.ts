/**
 * Walks the headers of a stream in a file and builds the index that a footer would have.
 *
 * @module
 */

import type {
  DictionaryBatch as DictionaryHeader,
  RecordBatch as BatchHeader,
} from "apache-arrow/ipc/metadata/message";
import type { FileInput } from "../../bytes/file_input.ts";
import { restOf } from "../../rows/probe.ts";
import type { OpenOptions } from "../../plan/source.ts";
import { ArrowIndex } from "./arrow_index.ts";
import type { Block } from "./file_messages.ts";
import { readyBatch } from "../../data/ready_batch.ts";
import type { OpenedArrow } from "./stream_layout.ts";

/** The number of messages after which the elapsed time is checked. */
const tellEvery = 64;

/** The index of a stream, complete or up to some row. */
interface WalkedStream {
  readonly index: ArrowIndex;
  /** Whether the index has all messages. */
  readonly isWhole: boolean;
}

/**
 * Reads headers, without bodies, until they cover `numRows` rows or to the end. For a long stream
 * it reports once, through `onProbe`, how long the rest will take.
 */
export async function walkStream(
  input: FileInput,
  { schema, messages }: OpenedArrow,
  { onProbe }: OpenOptions,
  numRows = Infinity,
): Promise<WalkedStream> {
  const start = performance.now();
  let headerBytes = 0;
  let isTold = onProbe === undefined;
  const tell = (rows: number, chunks: number) => {
    const share = Math.max(rows / numRows, input.position / input.numBytes!);
    const elapsedMs = performance.now() - start;
    const rest = restOf({ chunks, bytes: headerBytes, elapsedMs }, share);
    if (rest === undefined) return;
    isTold = true;
    onProbe?.({ ...rest, isStream: true });
  };
  const { chunkBytes } = input;
  const batches: Block[] = [];
  const dictionaries: Block[] = [];
  let isWhole = false;
  let number = 2;
  const add = (block: Omit<Block, "number">) => {
    (block.isDictionary ? dictionaries : batches).push({ ...block, number });
    headerBytes += block.metaDataLength;
    number++;
  };
  for (let found = 0; found < numRows;) {
    if (!isTold && number % tellEvery === 0) tell(found, number);
    const offset = input.position;
    const ready = messages.ready(readyBatch);
    if (ready !== undefined) {
      const { frontBytes, bodyBytes } = ready;
      messages.pass(ready);
      const extent = { offset, metaDataLength: frontBytes, bodyLength: bodyBytes };
      add({ ...extent, isDictionary: false, numRows: ready.numRows });
      found += ready.numRows;
      continue;
    }
    const placed = await messages.next(true);
    if (placed === undefined) {
      isWhole = true;
      break;
    }
    const { message, frontBytes, place } = placed;
    const { bodyLength } = message;
    const extent = { offset: place.byte, metaDataLength: frontBytes, bodyLength };
    if (message.isRecordBatch()) {
      const { length } = placed.header as BatchHeader;
      add({ ...extent, isDictionary: false, numRows: length });
      found += length;
    } else {
      const { id, isDelta } = placed.header as DictionaryHeader;
      add({ ...extent, isDictionary: true, dictionary: { id, isDelta } });
    }
    await input.seek(input.position + bodyLength);
  }
  input.chunkBytes = chunkBytes;
  const numBytes = input.numBytes!;
  return { index: new ArrowIndex({ schema, numBytes, batches, dictionaries }), isWhole };
}
