/**
 * Copies a few rows of a row group into a small Parquet file for parquet-wasm.
 *
 * parquet-wasm decompresses whole pages, and some writers, such as DuckDB, write one page for each
 * column of a group. Here pages are decompressed only as far as the rows need, and the values are
 * copied with plain encoding; parquet-wasm still interprets them. This works for flat columns,
 * uncompressed or compressed by Snappy, with plain or dictionary encoding.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import type { FileInput } from "../../../bytes/file_input.ts";
import { withMetadata } from "../metadata/footer.ts";
import type { ParquetHead } from "../metadata/head.ts";
import {
  bitPacked,
  codecs,
  type ColumnChunk,
  encoding,
  type FileMetadata,
  leavesOf,
  repetition,
  widthOf,
} from "../metadata/metadata.ts";
import type { RangedFile } from "../metadata/range_blob.ts";
import { ChunkPages } from "./chunk_pages.ts";
import { columnRows } from "./column_rows.ts";
import { PlainPages } from "./plain_pages.ts";
import { PageMemory } from "./page_memory.ts";

/** The wanted rows and columns. */
interface WantedRows {
  readonly group: number;
  readonly columns: ReadonlySet<string>;
  /** Positions in the group, ascending. */
  readonly rows: Int32Array;
}

/**
 * The encodings of values and levels that are read here. Columns without levels may list
 * BIT_PACKED.
 */
const readable: ReadonlySet<number> = new Set([...Object.values(encoding), bitPacked]);

/** Whether rows can be extracted from the pages of all wanted columns of a row group. */
export function canExcerpt(
  { metadata, leaves: meanings }: ParquetHead,
  group: number,
  columns: ReadonlySet<string>,
): boolean {
  const chunks = metadata.rowGroups![group]!.columns ?? [];
  return leavesOf(metadata).every((leaf, index) => {
    if (!columns.has(leaf.column)) return true;
    const { codec, encodings = [], numValues } = chunks[index]!.metadata!;
    const isAsRead = meanings[index] === undefined || meanings[index].kind === "zone";
    return leaf.isFlat && isAsRead && widthOf(leaf.element) !== undefined &&
      (codec === codecs.none || codec === codecs.snappy) &&
      numValues === metadata.rowGroups![group]!.numRows &&
      encodings.every((encoding) => readable.has(encoding));
  });
}

/**
 * Returns a file with only the wanted rows; other columns have no pages. Undefined if a page turns
 * out to be damaged or not as the metadata says: reading it whole then reports the problem.
 */
export async function excerptOf(
  input: FileInput,
  { metadata }: ParquetHead,
  { group, columns, rows }: WantedRows,
): Promise<RangedFile | undefined> {
  const { columns: chunks = [], numRows = 0 } = metadata.rowGroups![group]!;
  const pages = new PlainPages();
  const own: ColumnChunk[] = [];
  using memory = PageMemory.take();
  try {
    for (const [index, leaf] of leavesOf(metadata).entries()) {
      const chunk = chunks[index]!;
      if (columns.has(leaf.column)) {
        memory.clear();
        const bytes = new ChunkPages(input, chunk, memory);
        await bytes.readShare((rows.at(-1)! + 1) / numRows);
        const isOptional = leaf.element.repetition !== repetition.required;
        const width = widthOf(leaf.element)!;
        const taken = await columnRows(bytes, rows, { width, isOptional, numRows }, memory);
        own.push(pages.add(chunk, taken, rows.length));
      } else own.push(pages.absent(chunk, rows.length));
    }
  } catch (error) {
    if (isSluiceError(error, "DamagedPageError")) return undefined;
    throw error;
  }
  const rowGroup = { columns: own, numRows: rows.length, totalBytes: pages.bytes.length };
  const excerpt: FileMetadata = { ...metadata, rowGroups: [rowGroup], numRows: rows.length };
  const read = (start: number, stop: number) =>
    Promise.resolve(pages.bytes.slice(start, stop).buffer as ArrayBuffer);
  return withMetadata(excerpt, pages.bytes.length, read);
}
