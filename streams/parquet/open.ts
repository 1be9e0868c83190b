/**
 * Opens a Parquet file: repairs its metadata for parquet-wasm, and narrows the types that it decodes.
 *
 * @module
 */

import {
  Binary,
  DataType,
  Dictionary,
  Field,
  FixedSizeList,
  List,
  Schema,
  Struct,
  Utf8,
} from "apache-arrow";
import { mapType } from "../arrow_data.ts";
import type { FileInput } from "../file_input.ts";
import { withMetadata } from "./footer.ts";
import type { KeptHead, ParquetHead } from "./head.ts";
import type { RowGroup } from "./metadata.ts";
import { loadParquetWasm, type ParquetWasm } from "./module.ts";
import { ModuleFile } from "./module_file.ts";
import { fileRanges, KeptRanges } from "./range_blob.ts";

/** An open file. Close it when it is no longer needed. */
export class OpenParquet implements Disposable {
  readonly wasm: ParquetWasm;
  readonly input: FileInput;
  readonly head: ParquetHead;
  /** The columns as parquet-wasm decodes them, their types narrowed. */
  readonly decodedSchema: Schema;
  /** Reads the pages. */
  readonly kept: KeptRanges;
  /** The row group that was read last, in the memory of parquet-wasm. */
  #open: { readonly key: string; readonly file: ModuleFile } | undefined;
  #distrustsIndex = false;

  private constructor(
    wasm: ParquetWasm,
    input: FileInput,
    head: ParquetHead,
    decodedSchema: Schema,
  ) {
    this.wasm = wasm;
    this.input = input;
    this.head = head;
    this.decodedSchema = decodedSchema;
    this.kept = new KeptRanges(fileRanges(input));
  }

  static async open(input: FileInput, kept: KeptHead): Promise<OpenParquet> {
    const head = await kept.of(input);
    const wasm = await loadParquetWasm();
    const decodedSchema = head.decodedSchema ??= await decodeSchema(wasm, head);
    return new OpenParquet(wasm, input, head, decodedSchema);
  }

  get groups(): readonly RowGroup[] {
    return this.head.metadata.rowGroups!;
  }

  /** Whether the page index of a row group can be used. */
  hasIndex(group: number): boolean {
    if (this.#distrustsIndex) return false;
    return this.groups[group]!.columns?.[0]?.offsetIndexOffset !== undefined;
  }

  /** Uses no page index of this file any more. */
  distrustIndex(): void {
    this.#distrustsIndex = true;
  }

  /**
   * A row group as a file with no other, so that parquet-wasm reads the page index of no other, and in
   * files of many groups no other metadata. It is closed when another is opened.
   */
  async groupFile(group: number, withIndex: boolean): Promise<ModuleFile> {
    const key = `${group} ${withIndex}`;
    if (this.#open?.key === key) return this.#open.file;
    this.#closeGroup();
    const { metadata, pagesStop } = this.head;
    const own = this.groups[group]!;
    const rowGroup = withIndex ? own : withoutIndex(own);
    const onlyIt = { ...metadata, rowGroups: [rowGroup], numRows: own.numRows };
    const pages = withMetadata(onlyIt, pagesStop, this.kept.read);
    const file = await ModuleFile.open(this.wasm, pages);
    this.#open = { key, file };
    return file;
  }

  /** Frees the memory of parquet-wasm; the input stays open. */
  [Symbol.dispose](): void {
    this.#closeGroup();
  }

  #closeGroup(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.file.close();
  }
}

/** The columns as parquet-wasm decodes them: it reads the metadata without the row groups. */
async function decodeSchema(wasm: ParquetWasm, { metadata, pagesStop }: ParquetHead) {
  const noRows = { ...metadata, rowGroups: [], numRows: 0 };
  const noPages = () => Promise.reject(new TypeError("a schema has no pages"));
  const file = await ModuleFile.open(wasm, withMetadata(noRows, pagesStop, noPages));
  try {
    return narrowSchema(file.schema());
  } finally {
    file.close();
  }
}

function withoutIndex(group: RowGroup): RowGroup {
  const columns = group.columns?.map((chunk) => ({
    ...chunk,
    offsetIndexOffset: undefined,
    offsetIndexLength: undefined,
  }));
  return { ...group, columns };
}

export function narrowSchema(schema: Schema): Schema {
  return new Schema(schema.fields.map(narrowField), schema.metadata);
}

/** Utf8 for LargeUtf8 and Utf8View, and so on, also in nested types. Other types stay. */
export function narrowType(type: DataType): DataType {
  if (DataType.isLargeUtf8(type) || DataType.isUtf8View(type)) return new Utf8();
  if (DataType.isLargeBinary(type) || DataType.isBinaryView(type)) return new Binary();
  if (DataType.isList(type) || DataType.isLargeList(type)) {
    return new List(narrowField(type.children[0]!));
  }
  if (DataType.isFixedSizeList(type)) {
    return new FixedSizeList(type.listSize, narrowField(type.children[0]!));
  }
  if (DataType.isStruct(type)) return new Struct(type.children.map(narrowField));
  if (DataType.isMap(type)) {
    return mapType(narrowField(type.children[0]!), type.keysSorted);
  }
  if (DataType.isDictionary(type)) {
    const { dictionary, indices, id, isOrdered } = type;
    return new Dictionary(narrowType(dictionary), indices, id, isOrdered);
  }
  return type;
}

function narrowField(field: Field): Field {
  return new Field(field.name, narrowType(field.type), field.nullable, field.metadata);
}
