/**
 * The file format: a stream between two magic strings, and a footer with the blocks of its messages.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { type FileBlock, Footer } from "apache-arrow/ipc/metadata/file";
import type { FileInput } from "../file_input.ts";
import { checkSameColumns, checkSchema } from "./schema.ts";
import { nameAll, nameMaps } from "./schema_fixes.ts";
import {
  corrupt,
  CorruptArrowError,
  fileMagic,
  inMessage,
  type PlacedMessage,
  readMessage,
} from "./message.ts";
import { rootTable } from "./flat_table.ts";
import type { ReadyMessage } from "./ready_batch.ts";
import {
  type ArrowMessages,
  denseBytes,
  denseChunkBytes,
  frontBytes,
  type OpenedArrow,
  type ReadReady,
} from "./stream_layout.ts";
import { UnsupportedArrowError, verifyFooter } from "./verify.ts";

/** The footer's length and the magic, at the end of the file. */
const tailBytes = 4 + 6;
/** Bytes read at the end of the file; enough for most footers. */
const endBytes = 4 << 10;

/** A block of the footer: the extent of one message. */
interface Block {
  readonly offset: number;
  readonly metaDataLength: number;
  readonly bodyLength: number;
  readonly isDictionary: boolean;
  /** Ordinal of the message in file order. */
  readonly number: number;
}

/** Opens a regular file, past its leading magic. Yields dictionaries before record batches. */
export async function openFile(input: FileInput, numBytes: number): Promise<OpenedArrow> {
  const first = await readFirst(input);
  const { footer, start } = await readFooter(input, numBytes);
  const schema = footer.schema as Schema;
  checkSchema(schema, atByte(start));
  const isSchema = first?.message.isSchema() === true;
  if (isSchema) checkSameSchema(first.header as Schema, schema, start);
  const end = isSchema ? first.place.byte + first.frontBytes : undefined;
  const blocks = blocksOf(footer, { start: end, stop: start }, isSchema ? 2 : 1);
  return { schema, messages: new FileMessages(input, blocks) };
}

class FileMessages implements ArrowMessages {
  readonly #input: FileInput;
  readonly #chunkBytes: number;
  readonly #blocks: readonly Block[];
  #next = 0;

  constructor(input: FileInput, blocks: readonly Block[]) {
    this.#input = input;
    this.#chunkBytes = input.chunkBytes;
    this.#blocks = blocks;
  }

  async next(skims: boolean): Promise<PlacedMessage | undefined> {
    const block = this.#blocks[this.#next];
    if (block === undefined) return undefined;
    this.#next++;
    await this.#input.seek(block.offset);
    const isDense = block.bodyLength < denseBytes;
    this.#input.chunkBytes = !skims
      ? this.#chunkBytes
      : isDense
      ? Math.max(this.#chunkBytes, denseChunkBytes)
      : block.metaDataLength;
    return checkBlock(await readMessage(this.#input, block.number), block);
  }

  ready<T extends ReadyMessage>(read: ReadReady<T>): T | undefined {
    const block = this.#blocks[this.#next];
    if (block === undefined || block.isDictionary || block.offset !== this.#input.position) {
      return undefined;
    }
    const batch = read(this.#input.ready);
    const isAsListed = batch?.frontBytes === block.metaDataLength &&
      batch.bodyBytes === block.bodyLength;
    return isAsListed ? batch : undefined;
  }

  pass({ frontBytes, bodyBytes }: ReadyMessage): void {
    this.#input.pass(frontBytes + bodyBytes);
    this.#next++;
  }
}

/**
 * Reads the first message, which the format says is the schema. apache-arrow omits it in files, and
 * Polars encodes it differently, so an unreadable one is ignored: the footer has the schema too.
 */
async function readFirst(input: FileInput): Promise<PlacedMessage | undefined> {
  try {
    return await readMessage(input, 1);
  } catch (error) {
    if (error instanceof CorruptArrowError) return undefined;
    throw error;
  }
}

function checkSameSchema(announced: Schema, schema: Schema, footerStart: number): void {
  try {
    checkSameColumns(announced, schema);
    const differs = announced.fields.find((field, i) =>
      field.nullable !== schema.fields[i]!.nullable
    );
    if (differs !== undefined) {
      throw new TypeError(`column ${differs.name} may be null in one of them only`);
    }
  } catch (error) {
    const why = `the footer has another schema than message 1, ${(error as Error).message}`;
    throw corrupt(atByte(footerStart), why);
  }
}

async function readFooter(
  input: FileInput,
  numBytes: number,
): Promise<{ footer: Footer; start: number }> {
  const missing = () => corrupt(atByte(numBytes), "the data ends there, without a footer");
  if (numBytes < frontBytes + tailBytes) throw missing();
  await input.seek(Math.max(input.position, numBytes - endBytes));
  await input.peek(tailBytes);
  await input.seek(numBytes - tailBytes);
  const tail = await input.read(tailBytes);
  if (!fileMagic.every((byte, index) => tail[4 + index] === byte)) throw missing();
  const length = new DataView(tail.buffer, tail.byteOffset).getInt32(0, true);
  const start = numBytes - tailBytes - length;
  if (length <= 0 || start < frontBytes) {
    throw corrupt(atByte(numBytes - tailBytes), `the footer claims a length of ${length} bytes`);
  }
  await input.seek(start);
  const bytes = await input.read(length);
  try {
    verifyFooter(bytes);
    const footer = Footer.decode(bytes);
    nameAll(footer.schema as Schema);
    nameMaps(footer.schema as Schema, rootTable(bytes).table(1)!);
    return { footer, start };
  } catch (error) {
    if (error instanceof UnsupportedArrowError) throw error;
    throw corrupt(atByte(start), `the footer is broken, ${(error as Error).message}`);
  }
}

/** Maximum padding between two messages, and after the last, in bytes. */
const mostPadding = 64;

/**
 * The messages in reading order; `number` is that of the first in the file. They must cover the bytes
 * [start, stop), since a message missing from the footer would be a lost batch. Without a start, the
 * first message may begin anywhere.
 */
function blocksOf(
  footer: Footer,
  { start, stop: footerStart }: { start: number | undefined; stop: number },
  firstNumber: number,
): Block[] {
  const listed: { block: FileBlock; isDictionary: boolean }[] = [];
  try {
    for (const block of footer.dictionaryBatches()) listed.push({ block, isDictionary: true });
    for (const block of footer.recordBatches()) listed.push({ block, isDictionary: false });
  } catch (error) {
    throw corrupt(atByte(footerStart), `the footer is broken, ${(error as Error).message}`);
  }
  const byOffset = [...listed].sort((a, b) => a.block.offset - b.block.offset);
  let position = start ?? Math.max(frontBytes, byOffset[0]?.block.offset ?? footerStart);
  const checkGap = (byte: number) => {
    if (byte - position < mostPadding) return;
    const bytes = `bytes ${position} to ${byte}`;
    throw corrupt(atByte(footerStart), `the footer knows no message at ${bytes}`);
  };
  const numbers = new Map<FileBlock, number>();
  for (const [rank, { block }] of byOffset.entries()) {
    const { offset, metaDataLength, bodyLength } = block;
    const stop = offset + metaDataLength + bodyLength;
    // Blocks must not overlap or lie outside the file.
    if (offset < position || metaDataLength < 8 || bodyLength < 0 || stop > footerStart) {
      const bytes = `bytes ${offset} to ${stop}`;
      throw corrupt(
        atByte(footerStart),
        `the footer places message ${firstNumber + rank} at ${bytes}`,
      );
    }
    checkGap(offset);
    position = stop;
    numbers.set(block, firstNumber + rank);
  }
  checkGap(footerStart);
  return listed.map(({ block, isDictionary }) => {
    const { offset, metaDataLength, bodyLength } = block;
    return { offset, metaDataLength, bodyLength, isDictionary, number: numbers.get(block)! };
  });
}

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
  return placed;
}

function atByte(byte: number): string {
  return `at byte ${byte}`;
}
