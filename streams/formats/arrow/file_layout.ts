/**
 * The file format: a stream between two magic strings, and a footer with the blocks of its messages.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import { DataType, type Field, type Schema } from "apache-arrow";
import { Footer } from "apache-arrow/ipc/metadata/file";
import { distinctSchema, type Duplicates } from "../../types/distinct_names.ts";
import type { FileInput } from "../../bytes/file_input.ts";
import { checkSameColumns, checkSchema } from "../../data/schema.ts";
import { nameAll, nameMaps } from "../../data/schema_fixes.ts";
import { ArrowIndex } from "./arrow_index.ts";
import { type Block, mostPadding } from "./file_messages.ts";
import { lengthsKey, parseLengths } from "./batch_lengths.ts";
import {
  corrupt,
  fileMagic,
  inMessage,
  type PlacedMessage,
  readMessage,
  reasonOf,
} from "../../data/message.ts";
import { type FlatBlock, type FlatTable, rootTable } from "../../data/flat_table.ts";
import { frontBytes, tailBytes } from "./stream_layout.ts";
import { verifyFooter } from "../../data/verify.ts";

/** Bytes read at the end of the file; enough for most footers. */
const endBytes = 4 << 10;

/** The front of a file is read only if this many bytes of it cost no round trip to a server. */
const schemaBytes = 64 << 10;

/** Whether a file ends with the magic that follows a footer. */
export async function hasFooter(input: FileInput, numBytes: number): Promise<boolean> {
  const { position } = input;
  await input.seek(Math.max(0, numBytes - fileMagic.length));
  const magic = await input.read(fileMagic.length);
  await input.seek(position);
  return fileMagic.every((byte, index) => magic[index] === byte);
}

/** Reads the footer of a file into an index. The input must be just past the leading magic. */
export async function openFile(
  input: FileInput,
  numBytes: number,
  duplicates?: Duplicates,
): Promise<ArrowIndex> {
  // The schema is in the footer too, so a server is not asked for the front.
  const first = input.holds(0, schemaBytes) ? await readFirst(input) : undefined;
  const { footer, table, start, lengths } = await readFooter(input, numBytes);
  const written = footer.schema as Schema;
  checkSchema(written, atByte(start));
  const isSchema = first?.message.isSchema() === true;
  if (isSchema) {
    checkSchema(first.header as Schema, inMessage(first.place));
    checkSameSchema(first.header as Schema, written, start);
  }
  const schema = distinctSchema(written, duplicates);
  // Without a schema in front, the first block begins where the schema would.
  const end = isSchema ? first.place.byte + first.frontBytes : first?.place.byte;
  const hasSchema = isSchema || !input.holds(0, schemaBytes);
  const dictionaries = table.blocks(2).map((block) => numbered(block, true));
  const found = table.blocks(3);
  const known = lengths === undefined ? undefined : parseLengths(lengths, found);
  const batches = found.map((block, index) => numbered(block, false, known?.[index]));
  numberBlocks([...dictionaries, ...batches], { start: end, stop: start }, hasSchema ? 2 : 1);
  return new ArrowIndex({ schema, numBytes, dictionaries, batches });
}

/** Returns a block that `numberBlocks` will number. */
function numbered(
  { offset, metaDataLength, bodyLength }: FlatBlock,
  isDictionary: boolean,
  numRows?: number,
): NumberedBlock {
  const block = { offset, metaDataLength, bodyLength, isDictionary, number: 0 };
  return numRows === undefined ? block : { ...block, numRows };
}

/** A block whose number may still change. */
interface NumberedBlock extends Block {
  number: number;
}

/**
 * Reads the first message, which should be the schema. apache-arrow omits it in files and Polars
 * encodes it differently, so an unreadable one is ignored: the footer has the schema too.
 */
async function readFirst(input: FileInput): Promise<PlacedMessage | undefined> {
  try {
    return await readMessage(input, 1);
  } catch (error) {
    if (isSluiceError(error, "CorruptArrowError")) return undefined;
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
    for (const [index, { name, type }] of announced.fields.entries()) {
      const [ids, others] = [type, schema.fields[index]!.type].map((type) => dictionaryIds(type));
      if (ids!.join() === others!.join()) continue;
      throw new TypeError(`column ${name} has dictionary ${others}, but ${ids} is expected`);
    }
  } catch (error) {
    const why = `the footer has another schema than message 1: ${(error as Error).message}`;
    throw corrupt(atByte(footerStart), why);
  }
}

/** Returns the ids of the dictionaries in a type, outer ones first. */
function dictionaryIds(type: DataType): number[] {
  const own = DataType.isDictionary(type) ? [type.id, ...dictionaryIds(type.dictionary)] : [];
  const children = (type.children ?? []) as readonly Field[];
  return [...own, ...children.flatMap((child) => dictionaryIds(child.type))];
}

async function readFooter(
  input: FileInput,
  numBytes: number,
): Promise<{ footer: Footer; table: FlatTable; start: number; lengths: string | undefined }> {
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
    const table = rootTable(bytes);
    nameMaps(footer.schema as Schema, table.table(1)!);
    return { footer, table, start, lengths: valueOf(lengthsKey, table) };
  } catch (error) {
    if (isSluiceError(error, "UnsupportedArrowError")) throw error;
    throw corrupt(atByte(start), `the footer is broken, ${reasonOf(error)}`);
  }
}

/** Returns a value of the custom metadata of a footer. */
function valueOf(key: string, footer: FlatTable): string | undefined {
  for (const pair of footer.tables(4)) if (pair.string(0) === key) return pair.string(1);
  return undefined;
}

/**
 * Numbers the blocks in file order from `firstNumber` on. They must cover the bytes [start, stop),
 * since a message that the footer lacks would be a lost batch. Without a start, the first message
 * may begin anywhere.
 */
function numberBlocks(
  blocks: NumberedBlock[],
  { start, stop: footerStart }: { start: number | undefined; stop: number },
  firstNumber: number,
): void {
  const isInOrder = blocks.every(({ offset }, at) => at === 0 || blocks[at - 1]!.offset <= offset);
  if (!isInOrder) blocks.sort((a, b) => a.offset - b.offset);
  let position = start ?? Math.max(frontBytes, blocks[0]?.offset ?? footerStart);
  const checkGap = (byte: number) => {
    if (byte - position < mostPadding) return;
    const bytes = `bytes ${position} to ${byte}`;
    throw corrupt(atByte(footerStart), `the footer knows no message at ${bytes}`);
  };
  let number = firstNumber;
  for (const block of blocks) {
    const { offset, metaDataLength, bodyLength } = block;
    const stop = offset + metaDataLength + bodyLength;
    // Blocks must not overlap or lie outside the file.
    if (offset < position || metaDataLength < 8 || bodyLength < 0 || stop > footerStart) {
      const bytes = `bytes ${offset} to ${stop}`;
      throw corrupt(atByte(footerStart), `the footer places message ${number} at ${bytes}`);
    }
    checkGap(offset);
    position = stop;
    block.number = number++;
  }
  checkGap(footerStart);
}

function atByte(byte: number): string {
  return `at byte ${byte}`;
}
