/**
 * Files that hold rows while memory does not.
 *
 * A file knows physical types only: text is binary, a date its integer, a dictionary its values. So
 * nothing is checked or converted on the way, and the rows come back with the same bytes.
 *
 * Nothing is compressed: zstd takes longer over the bytes than the system takes to write and read them.
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
 * Rows in one or more files, in pieces of about `pieceBytes`. All have the same columns; a second
 * file begins only where text needs wider offsets than before.
 */
export class RowFile {
  readonly #folder: TempFolder;
  readonly #pieceBytes: number;
  readonly #rule: OffsetRule;
  readonly #files: { readonly file: TempFile; readonly schema: Schema }[] = [];
  /** The schema of rows without wide text. */
  #plain: Schema | undefined;
  /** Rows that are not written yet. */
  #waiting: HostRows[] = [];
  #waitingBytes = 0;
  /** Those of them that are freed once they are written. */
  #own: HostRows[] = [];
  /** Rows of it, written or not. */
  numRows = 0;

  /** Creates nothing yet. `rule` says when text needs offsets of 64 bits. */
  constructor(folder: TempFolder, pieceBytes: number, rule: OffsetRule = defaultOffsetRule) {
    this.#folder = folder;
    this.#rule = rule;
    this.#pieceBytes = pieceBytes;
  }

  /** Appends rows. They are kept in memory until they are worth a write. */
  add(rows: HostRows): void {
    if (rows.numRows > 0) this.#add(rows);
  }

  /** Appends rows whose buffers nobody else holds, and which nobody uses any more. */
  take(rows: HostRows): void {
    if (rows.numRows === 0) return;
    this.#own.push(rows);
    this.#add(rows);
  }

  #add(rows: HostRows): void {
    this.numRows += rows.numRows;
    this.#waiting.push(rows);
    this.#waitingBytes += rowsBytes(rows);
    if (this.#waitingBytes >= this.#pieceBytes) this.#flush();
  }

  /** Ends the writing. */
  finish(): void {
    this.#flush();
    this.#files.at(-1)?.file.finish();
  }

  /** The rows, in order, in pieces. It can be called again. */
  async *rows(): AsyncGenerator<HostRows, void, void> {
    for (const { file } of this.#files) {
      for await (const batch of file.batches()) yield rowsOf(batch);
    }
  }

  /** Removes the files. */
  remove(): void {
    for (const { file } of this.#files) file.remove();
    this.#files.length = 0;
    this.#waiting = [];
    this.#own = [];
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const rows = concatRows(this.#waiting);
    for (const piece of cutRows(rows, 2 * this.#pieceBytes)) this.#write(piece);
    if (this.#waiting.length > 1) freeRows(rows);
    this.#own.forEach(freeRows);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#own = [];
  }

  #write({ columns, numRows }: HostRows): void {
    const plain = this.#plain ??= plainSchema(columns);
    const data = columns.map((column, index) =>
      toArrow(settleOffsets(column, this.#rule, ""), plain.fields[index]!.type)
    );
    // Its types are the large ones where the text of this piece needs 64-bit offsets.
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

/** An Arrow type that is stored as the physical type. */
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
