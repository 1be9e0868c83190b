import { assert, assertEquals, assertMatch } from "@std/assert";
import { readParquet } from "../../../../../streams/formats/parquet/parquet.ts";
import type {
  FileMetadata,
  PageHeader,
} from "../../../../../streams/formats/parquet/metadata/metadata.ts";
import type { RowPick } from "../../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../../streams/rows/row_slice.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import {
  assemble,
  type ChangeFacts,
  type FileParts,
  type OffsetIndex,
  takeApart,
} from "../../../../support/files/parquet_parts.ts";
import {
  someParquetFiles,
  type WrittenRow,
  writtenRow,
} from "../../../../support/files/parquet_writers.ts";
import {
  assertSameOrRefused,
  changedNumber,
  type Mutant,
  NUMBER_CHANGES,
} from "../../../../support/files/same_or_refused.ts";
import type { SeededRandom } from "../../../../support/random/seeded_random.ts";
import { plain } from "../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";

/** What is read of a file. */
interface Reading {
  readonly bytes: Uint8Array;
  readonly pick: RowPick | undefined;
  readonly columns: readonly (keyof WrittenRow)[];
}

/** Numbers that stand in a part of a file. */
type Facts = Record<string, number | undefined>;

/** The parts of a file that state facts, and which. */
const stated: Readonly<Record<string, readonly string[]>> = {
  "the file": ["numRows"],
  "a row group": ["numRows", "totalBytes"],
  "a chunk": ["fileOffset", "offsetIndexOffset", "offsetIndexLength"],
  "a column": [
    ...["codec", "type", "numValues", "uncompressedBytes", "compressedBytes"],
    ...["dataPageOffset", "dictionaryPageOffset"],
  ],
  "a page": ["type", "uncompressedBytes", "compressedBytes", "crc"],
  "a page of version 1": ["numValues", "encoding", "definitionEncoding", "repetitionEncoding"],
  "a page of version 2": [
    ...["numValues", "numNulls", "numRows", "encoding", "definitionBytes", "repetitionBytes"],
  ],
  "a dictionary": ["numValues", "encoding"],
  "a page of an index": ["offset", "numBytes", "firstRow"],
};
const kinds = Object.entries(stated).flatMap(([part, facts]) =>
  facts.map((fact) => `${fact} of ${part}`)
);
/** Facts that have more than 31 bits. */
const wide =
  /Offset|offset|numRows of (the|a row)|Bytes of a column|numValues of a column|Row|total/;

/** A part of a file: which one, and how to get at what it states while the file is written. */
interface Part {
  readonly name: string;
  readonly facts: (use: (facts: Facts) => void) => ChangeFacts;
}

/** The parts of a file. */
function* partsOf({ groups }: FileParts): Generator<Part, void, void> {
  const footer = (name: string, of: (metadata: FileMetadata) => unknown): Part => ({
    name,
    facts: (use) => ({ footer: (metadata) => use(of(metadata) as Facts) }),
  });
  yield footer("the file", (metadata) => metadata);
  for (const [group, columns] of groups.entries()) {
    yield footer("a row group", ({ rowGroups }) => rowGroups![group]);
    for (const [column, { pages, firstRows }] of columns.entries()) {
      const chunkOf = ({ rowGroups }: FileMetadata) => rowGroups![group]!.columns![column]!;
      yield footer("a chunk", chunkOf);
      yield footer("a column", (metadata) => chunkOf(metadata).metadata);
      const isOwn = (place: { group: number; column: number }) =>
        place.group === group && place.column === column;
      for (const [page, { header: { dataPage, dictionaryPage } }] of pages.entries()) {
        const header = (name: string, of: (header: PageHeader) => unknown): Part => ({
          name,
          facts: (use) => ({
            header: (header, place) => {
              if (isOwn(place) && place.page === page) use(of(header) as Facts);
            },
          }),
        });
        yield header("a page", (header) => header);
        if (dictionaryPage !== undefined) yield header("a dictionary", (own) => own.dictionaryPage);
        else if (dataPage !== undefined) yield header("a page of version 1", (own) => own.dataPage);
        else yield header("a page of version 2", (own) => own.dataPageV2);
      }
      for (const page of firstRows?.keys() ?? []) {
        const index = ({ pages }: OffsetIndex) => pages![page] as Facts;
        const facts: Part["facts"] = (use) => ({
          index: (own, place) => isOwn(place) && use(index(own)),
        });
        yield { name: "a page of an index", facts };
      }
    }
  }
}

/** Changes one fact of a file; undefined if none of the parts that were drawn states it. */
function mutate(parts: FileParts, random: SeededRandom) {
  const kind = random.pick(kinds);
  const [fact, name] = kind.split(/ of (.*)/) as [string, string];
  const own = [...partsOf(parts)].filter((part) => part.name === name);
  if (own.length === 0) return undefined;
  let changed: { change: string; what: string } | undefined;
  const change = random.pick(own).facts((facts) => {
    const before = facts[fact];
    if (before === undefined) return;
    const { change, value } = changedNumber(
      random,
      before,
      wide.test(kind) ? 2 ** 51 : 2 ** 31 - 1,
    );
    facts[fact] = value;
    changed = { change, what: `${kind}, ${before} -> ${value}` };
  });
  const bytes = assemble(parts, change);
  return changed && { bytes, kinds: [kind, changed.change], what: changed.what };
}

/** Some rows by position, or all of them. */
function pickOf(random: SeededRandom, numRows: number): { pick?: RowPick; rows: number[] } {
  const start = random.below(numRows);
  const all = Array.from({ length: numRows }, (_, row) => row);
  switch (random.pick(["whole", "at", "slice", "tail", "list"])) {
    case "at":
      return { pick: rowSlice(start, start + 1), rows: [start] };
    case "slice": {
      const stop = Math.min(numRows, start + 1 + random.below(200));
      return { pick: rowSlice(start, stop), rows: all.slice(start, stop) };
    }
    case "tail":
      return { pick: rowSlice(start - numRows), rows: all.slice(start) };
    case "list": {
      const parts = Array.from({ length: 5 }, () => random.below(numRows));
      return { pick: { kind: "list", parts }, rows: parts };
    }
    default:
      return { rows: all };
  }
}

function textOf(row: object): string {
  return JSON.stringify(plain(row));
}

/** The rows of a file as texts. */
async function read(path: string, { bytes, pick, columns }: Reading): Promise<string[]> {
  await Deno.writeFile(path, bytes);
  const source = readParquet(path);
  const rows: string[] = [];
  if (pick === undefined) {
    for await (const batch of sourceBatches(source, { columns })) {
      for (const row of batch.toArray()) rows.push(textOf(row!.toJSON()));
    }
    assertEquals(await source.numRows(), rows.length, "the number of rows of a file");
    return rows;
  }
  for await (const { batch, runs } of source.rows([pick], { columns })) {
    for (const { start, step, count } of runs ?? [{ start: 0, step: 1, count: batch.numRows }]) {
      for (let i = 0; i < count; i++) rows.push(textOf(batch.get(start + i * step)!.toJSON()));
    }
  }
  return rows;
}

Deno.test("a Parquet file with one wrong fact gives the same rows, or one clear refusal", () =>
  inFolder(async (folder) => {
    const files = [...await someParquetFiles()].map(([name, { bytes, numRows }]) => ({
      name,
      numRows,
      parts: takeApart(bytes),
    }));
    const { messages } = await assertSameOrRefused<Reading, string[]>({
      draws: 300,
      kinds: [...kinds, ...NUMBER_CHANGES, ...files.map(({ name }) => name)],
      refusal: /mutant\.parquet: /,
      mutate(random): Mutant<Reading, string[]> {
        for (;;) {
          const { name, numRows, parts } = random.pick(files);
          const mutant = mutate(parts, random);
          if (mutant === undefined) continue;
          const all = ["id", "name", "score", "tags"] as const;
          const some = all.filter(() => random.chance(0.5));
          const columns = some.length === 0 ? all : some;
          const { pick, rows } = pickOf(random, numRows);
          const right = rows.map((row) => {
            const own = writtenRow(row);
            return textOf(Object.fromEntries(columns.map((column) => [column, own[column]])));
          });
          return {
            input: { bytes: mutant.bytes, pick, columns },
            right,
            kinds: [name, ...mutant.kinds],
            what: `${name}: ${mutant.what}; ${columns} of ${JSON.stringify(pick) ?? "all rows"}`,
          };
        }
      },
      read: (input) => read(`${folder}/mutant.parquet`, input),
    });
    // A module that no longer works would refuse whatever it gets.
    assertEquals([...messages.keys()].filter((message) => message.includes("no longer works")), []);
  }));

Deno.test("a page of lists with a value too few or too many is seen by whoever reads that page alone", () =>
  inFolder(async (folder) => {
    let numRefused = 0;
    for (const [name, { bytes }] of await someParquetFiles()) {
      const parts = takeApart(bytes);
      const tags = parts.groups[0]!.at(-1)!;
      const { firstRows } = tags;
      if (firstRows === undefined) continue;
      const isData = ({ header }: typeof tags.pages[number]) => header.dictionaryPage === undefined;
      const firstPage = tags.pages.findIndex(isData);
      for (const [index, row] of firstRows.entries()) {
        const last = (firstRows[index + 1] ?? parts.metadata.rowGroups![0]!.numRows!) - 1;
        for (const by of [-1, 1]) {
          const changed = assemble(parts, {
            header: ({ dataPage, dataPageV2 }, place) => {
              const isOwn = place.group === 0 && place.column === parts.groups[0]!.length - 1 &&
                place.page === firstPage + index;
              if (isOwn) (dataPage ?? dataPageV2)!.numValues! += by;
            },
          });
          for (const at of new Set([row, last])) {
            const what = `${name}: row ${at}, page ${index}, ${by}`;
            const input = {
              bytes: changed,
              pick: rowSlice(at, at + 1),
              columns: ["tags" as const],
            };
            const error = await read(`${folder}/mutant.parquet`, input).catch((error) => error);
            assert(error instanceof Error, what);
            assertMatch(error.message, /mutant\.parquet: column tags, row group 0, is corrupt: /);
            numRefused++;
          }
        }
      }
    }
    assert(numRefused > 20, `${numRefused}`);
  }));
