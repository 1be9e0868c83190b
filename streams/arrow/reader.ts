/**
 * Reading Arrow data: the stream format and the file format, from files and from pipes.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import type { RecordBatch as BatchHeader } from "apache-arrow/ipc/metadata/message";
import type { FileInput } from "../file_input.ts";
import { sliceToRange } from "../slice_to_range.ts";
import type { OpenOptions } from "../source.ts";
import { BatchDecoder } from "./batch_decoder.ts";
import { openFile } from "./file_layout.ts";
import { CorruptArrowError, fileMagic } from "./message.ts";
import { frontBytes, type OpenedArrow, openStream } from "./stream_layout.ts";

/** Reads the schema. */
export async function readArrowSchema(input: FileInput): Promise<Schema> {
  return (await openArrow(input)).schema;
}

/** Counts the rows without reading bodies. The input must be a regular file. */
export async function countArrowRows(input: FileInput): Promise<number> {
  const arrow = await openArrow(input);
  let numRows = 0;
  for await (const { message, header } of arrow.messages(() => true)) {
    if (message.isRecordBatch()) numRows += (header as BatchHeader).length;
    await input.seek(input.position + message.bodyLength);
  }
  return numRows;
}

/** Reads record batches; rows outside [start, stop) are skipped, by seeking where that works. */
export async function* readArrowBatches(
  input: FileInput,
  { columns, start = 0, stop = Infinity }: OpenOptions,
): AsyncGenerator<RecordBatch, void, void> {
  const arrow = await openArrow(input);
  const decoder = new BatchDecoder(input, arrow.schema, columns);
  let first = 0;
  for await (const placed of arrow.messages(() => first < start)) {
    if (placed.message.isDictionaryBatch()) {
      await decoder.readDictionary(placed);
      continue;
    }
    const { length } = placed.header as BatchHeader;
    const last = first + length;
    if (first >= stop) return;
    if (last <= start && start > 0) await decoder.skipBody(placed);
    else yield sliceToRange(await decoder.readBatch(placed), first, { start, stop });
    if (last >= stop) return;
    first = last;
  }
}

async function openArrow(input: FileInput): Promise<OpenedArrow> {
  const front = await input.peek(frontBytes);
  if (front.length === 0) throw new CorruptArrowError("is empty, not Arrow data");
  const isFile = front.length >= fileMagic.length &&
    fileMagic.every((byte, index) => front[index] === byte);
  if (!isFile && !looksLikeStream(front)) throw new CorruptArrowError("is not Arrow data");
  // The file format on a pipe is the stream format between magic and footer.
  if (isFile) await input.seek(frontBytes);
  if (isFile && input.numBytes !== undefined) return await openFile(input, input.numBytes);
  return await openStream(input);
}

function looksLikeStream(front: Uint8Array): boolean {
  if (front.length < frontBytes) return false;
  const view = new DataView(front.buffer, front.byteOffset);
  const first = view.getInt32(0, true);
  if (first === -1) return view.getInt32(4, true) > 0;
  // Before version 0.15 of the format; the length with its own four bytes is a multiple of 8.
  return first > 0 && first < 2 ** 28 && (first + 4) % 8 === 0;
}
