/**
 * Reading Arrow data: the stream format and the file format, from files and from pipes.
 *
 * @module
 */

import { type Message, MessageHeader, type RecordBatch, type Schema } from "apache-arrow";
import { Footer } from "apache-arrow/ipc/metadata/file";
import type { RecordBatch as BatchHeader } from "apache-arrow/ipc/metadata/message";
import type { FileInput } from "../file_input.ts";
import type { OpenOptions } from "../source.ts";
import { sliceToRange } from "../slice_to_range.ts";
import { BatchDecoder } from "./batch_decoder.ts";
import { verifyFooter } from "./verify.ts";
import { CorruptArrowError, fileMagic, readMessage, truncated } from "./message.ts";

/** Magic, padded to 8 bytes, at the front; length of the footer and magic at the end. */
const frontBytes = 8;
const tailBytes = 4 + 6;

/** Reads the schema. */
export async function readArrowSchema(input: FileInput): Promise<Schema> {
  return (await openArrow(input)).schema;
}

/** Counts the rows without reading bodies. The input must be a regular file. */
export async function countArrowRows(input: FileInput): Promise<number> {
  const arrow = await openArrow(input);
  let numRows = 0;
  for await (const message of arrow.messages()) {
    if (message.isRecordBatch()) numRows += (message.header() as BatchHeader).length;
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
  for await (const message of arrow.messages()) {
    if (message.headerType === MessageHeader.DictionaryBatch) {
      await decoder.readDictionary(message);
      continue;
    }
    const { length } = message.header() as BatchHeader;
    const last = first + length;
    if (first >= stop) return;
    if (last <= start && start > 0) await decoder.skipBody(message);
    else yield sliceToRange(await decoder.readBatch(message), first, { start, stop });
    if (last >= stop) return;
    first = last;
  }
}

/** An opened input: its schema, and the messages that follow. */
interface OpenedArrow {
  readonly schema: Schema;
  /** Dictionaries and record batches. Each body must be read or skipped before the next message. */
  messages(): AsyncGenerator<Message, void, void>;
}

async function openArrow(input: FileInput): Promise<OpenedArrow> {
  const front = await input.peek(frontBytes);
  if (front.length === 0) throw new CorruptArrowError("is empty, not Arrow data");
  const isFile = startsWith(front, fileMagic);
  if (!isFile && !looksLikeStream(front)) throw new CorruptArrowError("is not Arrow data");
  if (isFile && input.numBytes !== undefined) return await openFile(input, input.numBytes);
  // The file format on a pipe is the stream format between magic and footer.
  if (isFile) await input.seek(frontBytes);
  return await openStream(input);
}

function looksLikeStream(front: Uint8Array): boolean {
  if (front.length < frontBytes) return false;
  const view = new DataView(front.buffer, front.byteOffset);
  const length = view.getInt32(view.getInt32(0, true) === -1 ? 4 : 0, true);
  return length > 0 && length < 2 ** 28;
}

async function openStream(input: FileInput): Promise<OpenedArrow> {
  const first = await readMessage(input);
  if (first === undefined || !first.isSchema()) throw truncated("it does not begin with a schema");
  const schema = checkedSchema(first.header() as Schema);
  return {
    schema,
    async *messages() {
      for (let message; (message = await readMessage(input)) !== undefined;) {
        yield checkedMessage(message);
      }
    },
  };
}

async function openFile(input: FileInput, numBytes: number): Promise<OpenedArrow> {
  const footer = await readFooter(input, numBytes);
  return {
    schema: checkedSchema(footer.schema),
    async *messages() {
      for (const blocks of [footer.dictionaryBatches(), footer.recordBatches()]) {
        for (const { offset } of blocks) {
          if (!(offset >= frontBytes && offset < numBytes)) {
            throw truncated("a record batch lies outside the file");
          }
          await input.seek(offset);
          const message = await readMessage(input);
          if (message === undefined) throw truncated("a record batch is missing");
          yield checkedMessage(message);
        }
      }
    },
  };
}

async function readFooter(input: FileInput, numBytes: number): Promise<Footer> {
  const missing = () => truncated("the footer is missing");
  if (numBytes < frontBytes + tailBytes) throw missing();
  await input.seek(numBytes - tailBytes);
  const tail = await input.read(tailBytes);
  if (!startsWith(tail.subarray(4), fileMagic)) throw missing();
  const length = new DataView(tail.buffer, tail.byteOffset).getInt32(0, true);
  const start = numBytes - tailBytes - length;
  if (length <= 0 || start < frontBytes) throw missing();
  await input.seek(start);
  const bytes = await input.read(length);
  try {
    verifyFooter(bytes);
    return Footer.decode(bytes);
  } catch (error) {
    throw truncated(`the footer is broken: ${(error as Error).message}`);
  }
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return bytes.length >= prefix.length && prefix.every((byte, index) => bytes[index] === byte);
}

function checkedMessage(message: Message): Message {
  if (message.isRecordBatch() || message.isDictionaryBatch()) return message;
  throw truncated("a message is neither a record batch nor a dictionary");
}

function checkedSchema(schema: Schema): Schema {
  const names = new Set<string>();
  for (const { name } of schema.fields) {
    if (names.has(name)) throw new TypeError(`two columns have the name ${name}`);
    names.add(name);
  }
  return schema;
}
