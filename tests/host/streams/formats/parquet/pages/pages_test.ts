import { assertEquals, assertRejects } from "@std/assert";
import { FileError } from "../../../../../../base/errors/file_error.ts";
import { readParquet } from "../../../../../../streams/formats/parquet/parquet.ts";
import type {
  FileMetadata,
  PageHeader,
} from "../../../../../../streams/formats/parquet/metadata/metadata.ts";
import type { RowPick } from "../../../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../../../streams/rows/row_slice.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import {
  assemble,
  type ColumnPart,
  type FileParts,
  type PagePart,
  type PagePlace,
  takeApart,
} from "../../../../../support/files/parquet_parts.ts";
import {
  byHyparquet,
  byParquetRs,
  withChecksums,
  writtenRows,
} from "../../../../../support/files/parquet_writers.ts";
import { forSeeds } from "../../../../../support/random/seeded_random.ts";
import { plain } from "../../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../../support/pipelines/source_batches.ts";

const numRows = 600;
const rows = writtenRows(numRows);

/** The rows of a pick as texts. */
async function read(path: string, pick: RowPick): Promise<string[]> {
  const texts: string[] = [];
  for await (const { batch, runs } of readParquet(path).rows([pick], {})) {
    for (const { start, step, count } of runs ?? [{ start: 0, step: 1, count: batch.numRows }]) {
      for (let i = 0; i < count; i++) {
        texts.push(JSON.stringify(plain(batch.get(start + i * step)!.toJSON())));
      }
    }
  }
  return texts;
}

/** Asserts that a file has rows, read whole and by position. */
async function assertRows(path: string, expected: readonly object[]): Promise<void> {
  const right = expected.map((row) => JSON.stringify(row));
  const whole: string[] = [];
  for await (const batch of sourceBatches(readParquet(path))) {
    for (const row of batch.toArray()) whole.push(JSON.stringify(plain(row!.toJSON())));
  }
  assertEquals(whole, right);
  for (let row = 0; row < right.length; row++) {
    if (row > 60 && row % 13 > 0) continue;
    assertEquals(await read(path, rowSlice(row, row + 1)), [right[row]], `row ${row}`);
  }
  await forSeeds(10, async (random) => {
    const start = random.below(right.length);
    const stop = Math.min(right.length, start + 1 + random.below(150));
    assertEquals(await read(path, rowSlice(start, stop)), right.slice(start, stop));
    const tail = 1 + random.below(right.length);
    assertEquals(await read(path, rowSlice(-tail)), right.slice(-tail));
    const parts = Array.from({ length: 4 }, () => random.below(right.length));
    assertEquals(await read(path, { kind: "list", parts }), parts.map((row) => right[row]!));
  });
}

/** Where each row of `tags` begins among its values, an empty list being one, and where the last ends. */
const starts = rows.reduce((starts, { tags }) => {
  return [...starts, starts.at(-1)! + Math.max(1, tags.length)];
}, [0]);

/** How pages of a list are written. */
interface ListPages {
  readonly version?: 1 | 2;
  /** Whether levels are of the old encoding BIT_PACKED. */
  readonly isOld?: boolean;
}

/** Pages of the column `tags`, by the values that they begin with. */
function listPages(cuts: readonly number[], { version = 1, isOld = false }: ListPages): PagePart[] {
  const values = rows.flatMap(({ tags }): (number | undefined)[] =>
    tags.length === 0 ? [undefined] : [...tags]
  );
  const repetition = values.map((_, at) => starts.includes(at) ? 0 : 1);
  return cuts.map((start, index) => {
    const stop = cuts[index + 1] ?? values.length;
    const own = values.slice(start, stop);
    const levels = [repetition.slice(start, stop), own.map((value) => value === undefined ? 1 : 3)];
    const encoded = levels.map((levels, index) => isOld ? old(levels, index + 1) : runs(levels));
    const isFramed = version === 1 && !isOld;
    const framed = encoded.map((bytes) => isFramed ? joined([lengthOf(bytes), bytes]) : bytes);
    const present = own.filter((value) => value !== undefined);
    const body = joined([...framed, new Uint8Array(Int32Array.from(present).buffer)]);
    const levelEncoding = isOld ? 4 : 3;
    const size = { uncompressedBytes: body.length, compressedBytes: body.length };
    const dataPage = {
      ...{ numValues: own.length, encoding: 0 },
      ...{ definitionEncoding: levelEncoding, repetitionEncoding: levelEncoding },
    };
    const dataPageV2 = {
      ...{ numValues: own.length, numNulls: own.length - present.length, encoding: 0 },
      numRows: levels[0]!.filter((level) => level === 0).length,
      ...{ repetitionBytes: encoded[0]!.length, definitionBytes: encoded[1]!.length },
    };
    const header = version === 1
      ? { type: 0, ...size, dataPage }
      : { type: 3, ...size, dataPageV2 };
    return { header, body };
  });
}

function lengthOf({ length }: Uint8Array): Uint8Array {
  return new Uint8Array(Uint32Array.of(length).buffer);
}

/** Levels as runs of one. */
function runs(levels: readonly number[]): Uint8Array {
  return Uint8Array.from(levels.flatMap((level) => [2, level]));
}

/** Levels of some bits each, from the most significant on. */
function old(levels: readonly number[], width: number): Uint8Array {
  const bits = levels.map((level) => level.toString(2).padStart(width, "0")).join("");
  const padded = bits.padEnd(8 * Math.ceil(bits.length / 8), "0");
  return Uint8Array.from(padded.match(/.{8}/g)!, (byte) => parseInt(byte, 2));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** A file of one row group with nothing but the given pages of the column `tags`. */
function onlyTags(pages: readonly PagePart[], firstRows?: readonly number[]): Promise<FileParts> {
  return only(3, 3, [0, 3, 4], { pages, ...(firstRows && { firstRows }) });
}

/** A file of one row group with nothing but the given pages of the column `name`, by parquet-mr 1.7. */
function onlyNames(pages: readonly PagePart[]): Promise<FileParts> {
  return only(1, 1, [3, 7], { pages }, "parquet-mr version 1.7.0 (build 1)");
}

/** A file of one column of those that parquet-rs writes, with other pages. */
async function only(
  column: number,
  numElements: number,
  encodings: number[],
  pages: Omit<ColumnPart, "chunk">,
  createdBy = "parquet-mr version 1.12.0",
): Promise<FileParts> {
  const parts = takeApart(await byParquetRs({ rowGroupRows: numRows }));
  const { chunk } = parts.groups[0]![column]!;
  chunk.metadata!.encodings = encodings;
  const { metadata } = parts;
  const [root, ...elements] = metadata.schema!;
  metadata.schema = [
    { ...root!, numChildren: 1 },
    ...elements.slice(column, column + numElements),
  ];
  // The schema that the writer notes for Arrow has the other columns too.
  metadata.keyValues = [];
  metadata.createdBy = new TextEncoder().encode(createdBy);
  return { metadata, groups: [[{ chunk, ...pages }]] };
}

const names = rows.map(({ name }) => ({ name: name === null ? null : `city of ${name}` }));

/**
 * Pages of version 2 of DELTA_BYTE_ARRAY, by the rows that they begin with. The first value of a page goes
 * on with the last one of the page before.
 */
function deltaPages(starts: readonly number[]): PagePart[] {
  let last = new Uint8Array(0);
  return starts.map((start, index) => {
    const own = names.slice(start, starts[index + 1] ?? numRows);
    const texts = own.flatMap(({ name }) => name === null ? [] : [new TextEncoder().encode(name)]);
    const prefixes = texts.map((text) => {
      const differs = text.findIndex((byte, at) => byte !== last[at]);
      last = text;
      return differs < 0 ? text.length : differs;
    });
    const suffixes = texts.map((text, at) => text.subarray(prefixes[at]));
    const levels = Uint8Array.from(own.flatMap(({ name }) => [2, name === null ? 0 : 1]));
    const lengths = suffixes.map(({ length }) => length);
    const body = joined([levels, delta(prefixes), delta(lengths), ...suffixes]);
    const header = {
      type: 3,
      uncompressedBytes: body.length,
      compressedBytes: body.length,
      dataPageV2: {
        numValues: own.length,
        numNulls: own.length - texts.length,
        numRows: own.length,
        encoding: 7,
        definitionBytes: levels.length,
        repetitionBytes: 0,
      },
    };
    return { header, body };
  });
}

/** Integers in DELTA_BINARY_PACKED, in blocks of one part in which each has 32 bits. */
function delta(values: readonly number[]): Uint8Array {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [value % 128 | 128, ...varint(Math.floor(value / 128))];
  const zigzag = (value: number) => varint(value < 0 ? -2 * value - 1 : 2 * value);
  const parts = [Uint8Array.from([128, 1, 1, ...varint(values.length), ...zigzag(values[0]!)])];
  const deltas = values.slice(1).map((value, index) => value - values[index]!);
  for (let at = 0; at < deltas.length; at += 128) {
    const own = deltas.slice(at, at + 128);
    const least = Math.min(...own);
    const packed = Uint32Array.from({ length: 128 }, (_, index) => (own[index] ?? least) - least);
    parts.push(Uint8Array.from([...zigzag(least), 32]), new Uint8Array(packed.buffer));
  }
  return joined(parts);
}

const everyFifty = Array.from({ length: 26 }, (_, index) => 51 * index);
const onlyTagsRows = rows.map(({ tags }) => ({ tags }));

/** How files are made whose facts are wrong or unusual, and the rows that they have. */
const files: Record<string, () => Promise<readonly [Uint8Array, readonly object[]]>> = {
  "whose page index begins every page at row 0": async () => {
    const parts = takeApart(await byParquetRs({}));
    const index = ({ pages }: { pages?: { firstRow?: number | undefined }[] | undefined }) => {
      for (const page of pages!) page.firstRow = 0;
    };
    return [assemble(parts, { index }), rows];
  },
  "whose pages of version 2 begin in the middle of rows": async () => [
    await byHyparquet(numRows),
    rows,
  ],
  "whose pages of version 2 say values where they mean rows": async () => {
    const cuts = starts.slice(0, -1).filter((_, row) => row % 40 === 0);
    const header = ({ dataPageV2 }: PageHeader) => {
      dataPageV2!.numRows = dataPageV2!.numValues;
    };
    return [assemble(await onlyTags(listPages(cuts, { version: 2 })), { header }), onlyTagsRows];
  },
  "whose pages of version 2 count nulls wrongly": async () => {
    const header = ({ dataPageV2 }: PageHeader) => {
      if (dataPageV2 !== undefined) dataPageV2.numNulls = 1;
    };
    return [assemble(takeApart(await byParquetRs({ version: 2 })), { header }), rows];
  },
  "whose pages of version 1 begin in the middle of rows": async () => [
    assemble(await onlyTags(listPages(everyFifty, {}))),
    onlyTagsRows,
  ],
  "whose page index leads to pages that begin in the middle of rows": async () => {
    const pages = listPages(everyFifty, {});
    // The rows that begin in front of a page.
    const firstRows = everyFifty.map((cut) => starts.filter((start) => start < cut).length);
    return [assemble(await onlyTags(pages, firstRows)), onlyTagsRows];
  },
  "with levels of the encoding BIT_PACKED": async () => [
    assemble(await onlyTags(listPages(everyFifty, { isOld: true }))),
    onlyTagsRows,
  ],
  "of texts that go on with those of the page before (PARQUET-246)": async () => [
    assemble(await onlyNames(deltaPages([0, 40, 41, 300]))),
    names,
  ],
  "whose elements have no repetition where they are required": async () => {
    const footer = ({ schema }: FileMetadata) => {
      for (const element of schema!) {
        if (element.repetition === 0) element.repetition = undefined;
      }
    };
    const parts = takeApart(await byParquetRs({ isRequired: true }));
    assertEquals(parts.metadata.schema!.filter(({ repetition }) => repetition === 0).length, 3);
    return [assemble(parts, { footer }), rows];
  },
  "with checksums": async () => [withChecksums(await byParquetRs({})), rows],
};

for (const [what, make] of Object.entries(files)) {
  Deno.test(`readParquet() reads a file ${what}, whole and by position`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.parquet`;
      const [bytes, rows] = await make();
      await Deno.writeFile(path, bytes);
      await assertRows(path, rows);
    }));
}

Deno.test("a page that does not match its checksum is refused, however its rows are read", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const bytes = withChecksums(await byParquetRs({}));
    const parts = takeApart(bytes);
    const header = (header: PageHeader, { group, column, page }: PagePlace) => {
      const isWrong = group === 1 && column === 2 && page === 3;
      if (isWrong) header.crc = header.crc! ^ 1;
    };
    await Deno.writeFile(path, assemble(parts, { header }));
    const message = "column score, row group 1, is corrupt: the bytes of page 3 do not match";
    for (const pick of [rowSlice(0), rowSlice(250, 500), rowSlice(-345)]) {
      await assertRejects(() => read(path, pick), FileError, message);
    }
    // Of the pages of other rows nothing is known.
    assertEquals((await read(path, rowSlice(0, 250))).length, 250);
  }));
