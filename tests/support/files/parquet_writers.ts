/** The same rows in Parquet files of several writers, with several row groups and pages. */

import { crc32 } from "node:zlib";
import { encodeArrow } from "../../../streams/formats/arrow/arrow.ts";
import { loadParquetWasm } from "../../../streams/formats/parquet/module/module.ts";
import { assemble, takeApart } from "./parquet_parts.ts";
import { loadPeer, queryDuckDb } from "../judges/peers.ts";
import { inFolder } from "./folder.ts";
import { bareBatchOf } from "../values/streams_samples.ts";
import { Field, Float64, Int32, List, RecordBatch, Schema, Utf8 } from "apache-arrow";

/** A row of the files. */
export interface WrittenRow {
  readonly id: number;
  readonly name: string | null;
  readonly score: number;
  readonly tags: readonly number[];
}

const cities = ["Zürich", "Lima", "", "Þórshöfn"];

/** The row at a position. */
export function writtenRow(i: number): WrittenRow {
  const name = i % 7 === 3 ? null : cities[i % 4]! + i % 50;
  const tags = Array.from({ length: i % 5 }, (_, k) => 10 * i + k);
  return { id: i, name, score: i / 4, tags };
}

/** The rows of a file. */
export function writtenRows(numRows: number): WrittenRow[] {
  return Array.from({ length: numRows }, (_, i) => writtenRow(i));
}

/** A file of the rows from the first one on. */
interface WrittenFile {
  readonly bytes: Uint8Array;
  readonly numRows: number;
}

const fewRows = 600;
/** DuckDB writes row groups of 2,048 rows at least. */
const manyRows = 2500;

/** Files by their writer, with their peculiarities. */
export async function someParquetFiles(): Promise<ReadonlyMap<string, WrittenFile>> {
  const files = new Map<string, WrittenFile>();
  const add = (name: string, bytes: Uint8Array, numRows = fewRows) =>
    files.set(name, { bytes, numRows });
  add("parquet-rs", await byParquetRs({ compression: "ZSTD" }));
  add("parquet-rs, not compressed", await byParquetRs({}));
  add("with checksums", withChecksums(await byParquetRs({})));
  add("parquet-rs, version 2", await byParquetRs({ compression: "SNAPPY", version: 2 }));
  await inFolder(async (folder) => {
    for (const version of ["V1", "V2"]) {
      const path = `${folder}/${version}.parquet`;
      const options = `ROW_GROUP_SIZE 2048, PARQUET_VERSION ${version}`;
      await queryDuckDb(`COPY (${queryOf(manyRows)}) TO '${path}' (${options})`);
      add(`DuckDB, ${version}`, await Deno.readFile(path), manyRows);
    }
    const path = `${folder}/polars.parquet`;
    await queryDuckDb(`COPY (${queryOf(fewRows)}) TO '${path}.in' (FORMAT parquet)`);
    const { default: polars } = await loadPeer("polars");
    const options = { rowGroupSize: 250, dataPagesizeLimit: 512 };
    await polars.scanParquet(`${path}.in`).sinkParquet(path, options).collect();
    add("Polars", await Deno.readFile(path));
  });
  add("hyparquet-writer", await byHyparquet(fewRows));
  return files;
}

function queryOf(numRows: number): string {
  return `SELECT i::INT AS id,
    CASE WHEN i % 7 = 3 THEN NULL
      ELSE ['Zürich', 'Lima', '', 'Þórshöfn'][1 + i % 4] || (i % 50) END AS name,
    i / 4.0::DOUBLE AS score, list_transform(range(i % 5), k -> (10 * i + k)::INT) AS tags
    FROM range(${numRows}) t(i)`;
}

/** How parquet-rs writes the rows. */
interface ParquetRsOptions {
  readonly compression?: "UNCOMPRESSED" | "SNAPPY" | "ZSTD";
  /** The version of pages. */
  readonly version?: 1 | 2;
  readonly rowGroupRows?: number;
  /** Whether columns without nulls are declared as such. */
  readonly isRequired?: boolean;
}

/** The rows by the library that Sluice writes with, in small pages; by default not compressed. */
export async function byParquetRs(
  { compression = "UNCOMPRESSED", version = 1, rowGroupRows = 250, isRequired = false }:
    ParquetRsOptions,
): Promise<Uint8Array> {
  const wasm = await loadParquetWasm();
  const rows = writtenRows(fewRows);
  const batch = bareBatchOf({
    id: [new Int32(), rows.map(({ id }) => id)],
    name: [new Utf8(), rows.map(({ name }) => name)],
    score: [new Float64(), rows.map(({ score }) => score)],
    tags: [new List(new Field("item", new Int32(), true)), rows.map(({ tags }) => tags)],
  });
  const properties = new wasm.WriterPropertiesBuilder()
    .setCompression(wasm.Compression[compression])
    .setWriterVersion(version === 1 ? wasm.WriterVersion.V1 : wasm.WriterVersion.V2)
    .setMaxRowGroupSize(rowGroupRows).setWriteBatchSize(40).setDataPageSizeLimit(300)
    .setDictionaryEnabled(false).setColumnDictionaryEnabled("name", true)
    .build();
  const schema = isRequired ? required(batch.schema) : batch.schema;
  const table = wasm.Table.fromIPCStream(
    encodeArrow(schema, [new RecordBatch(schema, batch.data)]),
  );
  return wasm.writeParquet(table, properties);
}

/** The schema in which only names may be null. */
function required({ fields }: Schema): Schema {
  return new Schema(
    fields.map(({ name, type }) => new Field(name, type, name === "name")),
  );
}

/** Pages of version 2, of which those of lists begin in the middle of rows, as their index does. */
export async function byHyparquet(numRows: number): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await loadPeer("hyparquet");
  const rows = writtenRows(numRows);
  const columnData = (["id", "name", "score", "tags"] as const).map((name) => ({
    name,
    data: rows.map((row) => row[name]),
    offsetIndex: true,
  }));
  const schema = [
    { name: "root", num_children: 4 },
    { name: "id", type: "INT32", repetition_type: "REQUIRED" },
    { name: "name", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" },
    { name: "score", type: "DOUBLE", repetition_type: "REQUIRED" },
    { name: "tags", repetition_type: "OPTIONAL", num_children: 1, converted_type: "LIST" },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", type: "INT32", repetition_type: "OPTIONAL" },
  ];
  const options = { columnData, schema, rowGroupSize: 250, pageSize: 300 };
  return new Uint8Array(parquetWriteBuffer(options));
}

/** The file with a checksum of each page. */
export function withChecksums(bytes: Uint8Array): Uint8Array {
  const parts = takeApart(bytes);
  return assemble(parts, {
    header(header, { group, column, page }) {
      header.crc = crc32(parts.groups[group]![column]!.pages[page]!.body) | 0;
    },
  });
}
