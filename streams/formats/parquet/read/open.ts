/**
 * Opens a Parquet file, one row group at a time, for parquet-wasm.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { FileInput } from "../../../bytes/file_input.ts";
import { withMetadata } from "../metadata/footer.ts";
import type { KeptHead, ParquetHead } from "../metadata/head.ts";
import { type Leaf, leavesOf, type RowGroup } from "../metadata/metadata.ts";
import { loadParquetWasm, type ParquetWasm } from "../module/module.ts";
import { ModuleFile } from "../module/module_file.ts";
import { narrowSchema } from "../module/narrow_type.ts";
import { GroupPages } from "../pages/group_pages.ts";
import { fileRanges, KeptRanges } from "../metadata/range_blob.ts";
import { withTextAsBytes } from "../metadata/text_as_bytes.ts";
import { goesOnWithTexts } from "../metadata/writer_version.ts";

/** An open file. Declare it with `using`. */
export class OpenParquet implements Disposable {
  readonly wasm: ParquetWasm;
  readonly input: FileInput;
  readonly head: ParquetHead;
  /** The columns as parquet-wasm decodes them, with narrowed types. */
  readonly decodedSchema: Schema;
  /** Reads ranges of the file, and keeps some for a second read. */
  readonly kept: KeptRanges;
  /** The row group that parquet-wasm has open. */
  #open: { readonly key: string; readonly file: ModuleFile } | undefined;
  /** The pages of the row group that was read last. */
  #pages: { readonly group: number; readonly own: GroupPages } | undefined;
  #leaves: readonly Leaf[] | undefined;
  #distrustsIndex = false;
  #hasWrongPages = false;
  #readsTextAsBytes = false;

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

  /** Whether a row group has a page index that Sluice still trusts. */
  hasIndex(group: number): boolean {
    if (this.#distrustsIndex) return false;
    return this.groups[group]!.columns?.[0]?.offsetIndexOffset !== undefined;
  }

  /**
   * Reads and checks the page index of a row group. Returns whether it leads to the pages of these
   * columns.
   */
  async canUseIndex(group: number, columns: ReadonlySet<string>): Promise<boolean> {
    if (!this.hasIndex(group)) return false;
    const pages = this.#pagesOf(group);
    // Keep the index: parquet-wasm reads it too.
    this.kept.keep();
    const isRight = await pages.canUseIndex(columns);
    this.kept.stopKeeping();
    if (!isRight) this.distrustIndex();
    return isRight;
  }

  /**
   * Rewrites pages of a row group that parquet-wasm would misread (see `plainPages`); in a file
   * without any so far, only if `isSure`. Returns whether there were any.
   */
  async rewritePages(
    group: number,
    columns: ReadonlySet<string>,
    isSure: boolean,
  ): Promise<boolean> {
    if (!isSure && !this.#hasWrongPages) return false;
    this.#hasWrongPages = true;
    return await this.#pagesOf(group).rewrite(columns);
  }

  /** Stops using the page index of this file. */
  distrustIndex(): void {
    this.#distrustsIndex = true;
  }

  /** Whether text is read as bytes (see `withTextAsBytes`). */
  get readsTextAsBytes(): boolean {
    return this.#readsTextAsBytes;
  }

  /** Reads text as bytes from now on. */
  readTextAsBytes(): void {
    this.#readsTextAsBytes = true;
  }

  /** Whether a page of lists begins at a row, according to the checked page index. */
  beginsPageOfLists(group: number, row: number): boolean {
    return this.#pagesOf(group).beginsPageOfLists(row);
  }

  /**
   * Opens a row group as a file of its own, so that parquet-wasm reads neither the page index nor
   * the metadata of other groups. The pages of `columns` are checked as they are read. The file is
   * closed when another one is opened.
   */
  async groupFile(
    group: number,
    columns: ReadonlySet<string>,
    withIndex: boolean,
  ): Promise<ModuleFile> {
    const pages = this.#pagesOf(group);
    const asBytes = this.#readsTextAsBytes;
    const key = JSON.stringify([group, withIndex, pages.numRewritten, asBytes, ...columns]);
    if (this.#open?.key === key) return this.#open.file;
    this.#closeGroup();
    const { metadata, stop } = pages;
    const read = pages.reader(columns, withIndex);
    const rowGroup = withIndex ? metadata : withoutIndex(metadata);
    const all = asBytes ? withTextAsBytes(this.head.metadata) : this.head.metadata;
    const onlyIt = { ...all, rowGroups: [rowGroup], numRows: metadata.numRows };
    const file = await ModuleFile.open(this.wasm, withMetadata(onlyIt, stop, read));
    this.#open = { key, file };
    return file;
  }

  #pagesOf(group: number): GroupPages {
    if (this.#pages?.group === group) return this.#pages.own;
    const { metadata, pagesStop } = this.head;
    const leaves = this.#leaves ??= leavesOf(metadata);
    const { read } = this.kept;
    const mayGoOn = goesOnWithTexts(metadata);
    const own = new GroupPages(this.groups[group]!, group, { leaves, mayGoOn, pagesStop, read });
    this.#pages = { group, own };
    return own;
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

/** Returns the columns as parquet-wasm decodes them, from the metadata without row groups. */
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
