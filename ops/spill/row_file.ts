/**
 * Files for rows that exceed memory.
 *
 * A file has physical types only: text is binary, a date is its integer, and a dictionary is its values. So
 * nothing is checked or converted, and the rows come back with the same bytes.
 *
 * Nothing is compressed, since zstd takes longer than the system takes to write and read the bytes.
 *
 * @module
 */

import {
  Binary,
  Bool,
  type DataType,
  Field,
  FixedSizeBinary,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  List,
  type RecordBatch,
  Schema,
  Struct,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
} from "apache-arrow";
import type { ColumnType, HostColumn } from "../../gpu/column/column.ts";
import type { TempFile, TempFolder } from "../../streams/formats/arrow/temp_folder.ts";
import { fromArrow } from "../batch/from_arrow.ts";
import { defaultOffsetRule, type OffsetRule, settleOffsets } from "../batch/offset_rule.ts";
import { recordBatchOf, toArrow } from "../batch/to_arrow.ts";
import { concatRows, cutRows, freeRows, type HostRows, rowsBytes } from "./host_rows.ts";

/**
 * Rows in one or more files, in batches of about `batchBytes`, all with the same columns. A further file
 * begins only where text needs another width of offsets.
 */
export class RowFile {
  readonly #folder: TempFolder;
  readonly #batchBytes: number;
  readonly #rule: OffsetRule;
  readonly #files: { readonly file: TempFile; readonly schema: Schema }[] = [];
  /** The schema of rows without wide text. */
  #plain: Schema | undefined;
  /** The rows that are not written yet. */
  #buffered: HostRows[] = [];
  #bufferedBytes = 0;
  /** The buffered rows to free after they are written. */
  #own: HostRows[] = [];
  /** The number of rows, written or not. */
  numRows = 0;

  /** Creates no file yet. `rule` decides when text needs 64-bit offsets. */
  constructor(folder: TempFolder, batchBytes: number, rule: OffsetRule = defaultOffsetRule) {
    this.#folder = folder;
    this.#rule = rule;
    this.#batchBytes = batchBytes;
  }

  /** Appends rows. The file buffers them until a write is worthwhile. */
  add(rows: HostRows): void {
    if (rows.numRows > 0) this.#add(rows);
  }

  /** Appends rows, and takes ownership of their buffers. */
  take(rows: HostRows): void {
    if (rows.numRows === 0) return;
    this.#own.push(rows);
    this.#add(rows);
  }

  #add(rows: HostRows): void {
    this.numRows += rows.numRows;
    this.#buffered.push(rows);
    this.#bufferedBytes += rowsBytes(rows);
    if (this.#bufferedBytes >= this.#batchBytes) this.#flush();
  }

  /** Ends the writing of the last file. */
  finish(): void {
    this.#flush();
    this.#files.at(-1)?.file.finish();
  }

  /** Yields the rows in batches, in order. It may be called again. */
  async *rows(): AsyncGenerator<HostRows, void, void> {
    for (const { file } of this.#files) {
      for await (const batch of file.batches()) yield rowsOf(batch);
    }
  }

  /** Removes the files. */
  remove(): void {
    for (const { file } of this.#files) file.remove();
    this.#files.length = 0;
    this.#buffered = [];
    this.#own = [];
  }

  #flush(): void {
    if (this.#buffered.length === 0) return;
    const rows = concatRows(this.#buffered);
    for (const batch of cutRows(rows, 2 * this.#batchBytes)) this.#write(batch);
    if (this.#buffered.length > 1) freeRows(rows);
    this.#own.forEach(freeRows);
    this.#buffered = [];
    this.#bufferedBytes = 0;
    this.#own = [];
  }

  #write({ columns, numRows }: HostRows): void {
    const plain = this.#plain ??= plainSchema(columns);
    const data = columns.map((column, index) =>
      toArrow(settleOffsets(column, this.#rule, ""), plain.fields[index]!.type)
    );
    // Its types are the large ones if the text of this batch needs 64-bit offsets.
    const batch = recordBatchOf(plain, numRows, data);
    let last = this.#files.at(-1);
    if (last === undefined || !sameTypes(last.schema, batch.schema)) {
      last?.file.finish();
      last = { file: this.#folder.create(batch.schema), schema: batch.schema };
      this.#files.push(last);
    }
    last.file.write(batch);
  }
}

function rowsOf({ data, numRows }: RecordBatch): HostRows {
  return { columns: data.children.map(fromArrow), numRows };
}

function plainSchema(columns: readonly HostColumn[]): Schema {
  return new Schema(columns.map(({ type }, index) => fieldOf(String(index), type)));
}

function sameTypes(left: Schema, right: Schema): boolean {
  return left === right ||
    left.fields.every(({ type }, index) => String(type) === String(right.fields[index]!.type));
}

function fieldOf(name: string, type: ColumnType): Field {
  return new Field(name, arrowType(type), true);
}

const INTEGERS = {
  8: [new Uint8(), new Int8()],
  16: [new Uint16(), new Int16()],
  32: [new Uint32(), new Int32()],
  64: [new Uint64(), new Int64()],
} as const;
const FLOATS = { 16: new Float16(), 32: new Float32(), 64: new Float64() } as const;

/** Returns an Arrow type with the same physical type. */
function arrowType(type: ColumnType): DataType {
  switch (type.kind) {
    case "bool":
      return new Bool();
    case "int":
      return INTEGERS[type.bits][type.signed ? 1 : 0];
    case "float":
      return FLOATS[type.bits];
    case "string":
      return new Binary();
    case "fixed":
      return new FixedSizeBinary(type.byteWidth);
    case "list":
      return new List(fieldOf("item", type.item));
    case "struct":
      return new Struct(type.fields.map((field, index) => fieldOf(String(index), field)));
  }
}
