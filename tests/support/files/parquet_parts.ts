/** Parquet files as other writers could have made them: page by page, each fact of any value. */

import { GrowingBytes } from "../../../streams/bytes/growing_bytes.ts";
import { footerOf, splitFooter } from "../../../streams/formats/parquet/metadata/footer.ts";
import {
  type ColumnChunk,
  type FileMetadata,
  fileMetadata,
  offsetIndex,
  type PageHeader,
  pageHeader,
  startOf,
} from "../../../streams/formats/parquet/metadata/metadata.ts";
import {
  readThrift,
  type ValueOf,
  writeThrift,
} from "../../../streams/formats/parquet/metadata/thrift.ts";

/** Where the data pages of a column lie. */
export type OffsetIndex = ValueOf<typeof offsetIndex>;

/** A page. */
export interface PagePart {
  readonly header: PageHeader;
  readonly body: Uint8Array;
}

/** The pages of a column in one row group, and the rows of its data pages in its index. */
export interface ColumnPart {
  readonly chunk: ColumnChunk;
  readonly pages: readonly PagePart[];
  readonly firstRows?: readonly number[];
}

/** A file that was taken apart, by row groups and columns. */
export interface FileParts {
  readonly metadata: FileMetadata;
  readonly groups: readonly (readonly ColumnPart[])[];
}

/** Which page of a file. */
export interface PagePlace {
  readonly group: number;
  readonly column: number;
  readonly page: number;
}

/** What becomes of the facts of a file before they are written, each in its place. */
export interface ChangeFacts {
  readonly header?: (header: PageHeader, place: PagePlace) => void;
  readonly index?: (index: OffsetIndex, place: Omit<PagePlace, "page">) => void;
  readonly footer?: (metadata: FileMetadata) => void;
}

/** Takes a file apart, without statistics and column indexes. */
export function takeApart(bytes: Uint8Array): FileParts {
  const { metadata: encoded } = splitFooter(bytes);
  const metadata = readThrift(encoded, fileMetadata).value;
  const groups = metadata.rowGroups!.map(({ columns }) =>
    columns!.map((chunk): ColumnPart => {
      const pages: PagePart[] = [];
      const start = startOf(chunk);
      const stop = start + chunk.metadata!.compressedBytes!;
      for (let at = start; at < stop;) {
        const { value: header, numBytes } = readThrift(bytes.subarray(at), pageHeader);
        at += numBytes;
        pages.push({ header, body: bytes.slice(at, at + header.compressedBytes!) });
        at += header.compressedBytes!;
      }
      const { offsetIndexOffset: offset, offsetIndexLength = 0 } = chunk;
      if (offset === undefined) return { chunk, pages };
      const index = readThrift(bytes.subarray(offset, offset + offsetIndexLength), offsetIndex);
      return { chunk, pages, firstRows: index.value.pages!.map(({ firstRow }) => firstRow!) };
    })
  );
  return { metadata, groups };
}

/** Puts a file together. All offsets and sizes are right, except for the changes. */
export function assemble(parts: FileParts, change: ChangeFacts = {}): Uint8Array<ArrayBuffer> {
  const file = new GrowingBytes();
  file.append(new TextEncoder().encode("PAR1"));
  const indexed: [ColumnChunk, OffsetIndex, number, number][] = [];
  const rowGroups = parts.groups.map((columns, group) => {
    const chunks = columns.map((part, column): ColumnChunk => {
      const { chunk, places } = appendColumn(file, part, change, { group, column });
      if (part.firstRows !== undefined) indexed.push([chunk, { pages: places }, group, column]);
      return chunk;
    });
    return { ...parts.metadata.rowGroups![group]!, columns: chunks };
  });
  for (const [chunk, index, group, column] of indexed) {
    change.index?.(index, { group, column });
    chunk.offsetIndexOffset = file.length;
    file.append(writeThrift(index, offsetIndex));
    chunk.offsetIndexLength = file.length - chunk.offsetIndexOffset;
  }
  const { rowGroups: _, ...rest } = parts.metadata;
  const metadata: FileMetadata = { ...structuredClone(rest), rowGroups };
  change.footer?.(metadata);
  file.append(footerOf(writeThrift(metadata, fileMetadata)));
  return file.bytes;
}

function appendColumn(
  file: GrowingBytes,
  { chunk, pages, firstRows }: ColumnPart,
  change: ChangeFacts,
  place: Omit<PagePlace, "page">,
) {
  const start = file.length;
  const metadata = structuredClone(chunk.metadata!);
  metadata.dataPageOffset = metadata.dictionaryPageOffset = undefined;
  const places: { offset: number; numBytes: number; firstRow: number }[] = [];
  for (const [page, { header, body }] of pages.entries()) {
    const offset = file.length;
    const own = structuredClone(header);
    change.header?.(own, { ...place, page });
    file.append(writeThrift(own, pageHeader));
    file.append(body);
    if (header.dictionaryPage !== undefined) metadata.dictionaryPageOffset = offset;
    else {
      metadata.dataPageOffset ??= offset;
      const firstRow = firstRows?.[places.length] ?? 0;
      places.push({ offset, numBytes: file.length - offset, firstRow });
    }
  }
  metadata.compressedBytes = file.length - start;
  return { chunk: { fileOffset: start, metadata } as ColumnChunk, places };
}
