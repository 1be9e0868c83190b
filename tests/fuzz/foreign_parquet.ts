/** Parquet files as other programs write them: codecs, versions of pages, encodings, dictionaries, indexes. */

import { DataType, tableFromIPC } from "apache-arrow";
import { loadParquetWasm } from "../../streams/formats/parquet/module/module.ts";
import { valuesOf } from "../support/values/arrow_values.ts";
import type { ModelColumn } from "../support/models/expr_model_types.ts";
import { loadPeer } from "../support/judges/peers.ts";
import { SeededRandom } from "../support/random/seeded_random.ts";
import { duckRows, sqlText } from "./duck_connection.ts";

/** Who writes a file anew. */
export const PARQUET_WRITERS = ["parquet-rs", "duckdb", "polars", "hyparquet"] as const;
export type ParquetWriter = typeof PARQUET_WRITERS[number];

/** How it writes. Each has some of these options. */
interface ParquetStyle {
  readonly codec: string;
  /** The version of pages. */
  readonly version: 1 | 2;
  readonly rowGroupRows: number;
  readonly pageBytes: number;
  readonly hasDictionary: boolean;
  /** Whether values have the encodings of newer versions. */
  readonly isDelta: boolean;
  /** Whether the file says where pages begin, and between which values theirs are. */
  readonly hasIndex: boolean;
}

const CODECS: Readonly<Record<ParquetWriter, readonly string[]>> = {
  "parquet-rs": ["uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4_raw"],
  duckdb: ["uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4_raw"],
  polars: ["uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4"],
  hyparquet: ["uncompressed", "snappy"],
};

/** The style that a number stands for. */
export function parquetStyle(writer: ParquetWriter, seed: number): ParquetStyle {
  const random = new SeededRandom(seed);
  return {
    codec: random.pick(CODECS[writer]),
    version: random.pick([1, 2]),
    rowGroupRows: random.pick([1, 3, 7, 30, 3000]),
    pageBytes: random.pick([20, 100, 1000, 1 << 20]),
    hasDictionary: random.chance(0.5),
    isDelta: random.chance(0.5),
    hasIndex: random.chance(0.5),
  };
}

/** All words for styles of files. */
export const PARQUET_STYLES: readonly string[] = [
  ...[...new Set(Object.values(CODECS).flat())].map((codec) => `written in ${codec}`),
  ...["pages of version 1", "pages of version 2", "dictionaries", "deltas", "plain values"],
  ...["indexes", "no indexes"],
];

/** The words for a style of a writer. */
export function styleWords(writer: ParquetWriter, style: ParquetStyle): readonly string[] {
  const { codec, version, hasDictionary, isDelta, hasIndex } = style;
  const values = hasDictionary ? "dictionaries" : isDelta ? "deltas" : "plain values";
  return [
    `written in ${codec}`,
    ...(hasVersions(writer) ? [`pages of version ${version}`] : []),
    ...(writer === "parquet-rs" ? [values] : []),
    ...(writer === "hyparquet" ? [hasIndex ? "indexes" : "no indexes"] : []),
  ];
}

function hasVersions(writer: ParquetWriter): boolean {
  return writer === "parquet-rs" || writer === "duckdb";
}

/** Whether a writer gives back a column of a type as it was. */
export function keepsParquetType(writer: ParquetWriter, type: DataType): boolean {
  if (writer === "parquet-rs") return !DataType.isFixedSizeList(type);
  const isTexts = DataType.isList(type) && DataType.isUtf8(type.valueType);
  const isPlain = DataType.isBool(type) || DataType.isInt(type) || DataType.isUtf8(type) ||
    (DataType.isFloat(type) && type.precision > 0);
  if (isPlain || isTexts) return true;
  if (writer === "hyparquet") return false;
  const isDay = DataType.isDate(type) && type.unit === 0;
  const isTime = DataType.isTimestamp(type) && type.timezone == null &&
    type.unit > (writer === "duckdb" ? 1 : 0);
  return isDay || isTime || DataType.isBinary(type);
}

/** Writes a file of ours with these columns anew. */
export async function writeParquetAnew(
  path: string,
  writer: ParquetWriter,
  style: ParquetStyle,
  columns: readonly ModelColumn[],
): Promise<void> {
  switch (writer) {
    case "parquet-rs":
      return Deno.writeFileSync(path, await byParquetRs(Deno.readFileSync(path), style));
    case "hyparquet": {
      const own = columns.some(hasBothZeros) ? { ...style, hasDictionary: false } : style;
      return Deno.writeFileSync(path, await byHyparquet(Deno.readFileSync(path), own));
    }
    case "duckdb":
      await byDuckDb(path, style, columns);
      break;
    case "polars":
      await byPolars(path, style);
  }
  Deno.renameSync(`${path}.anew`, path);
}

async function byParquetRs(bytes: Uint8Array, style: ParquetStyle): Promise<Uint8Array> {
  const { codec, version, rowGroupRows, pageBytes, hasDictionary, isDelta } = style;
  const wasm = await loadParquetWasm();
  const table = wasm.readParquet(bytes);
  let properties = new wasm.WriterPropertiesBuilder()
    .setCompression(wasm.Compression[codec.toUpperCase() as keyof typeof wasm.Compression])
    .setWriterVersion(version === 1 ? wasm.WriterVersion.V1 : wasm.WriterVersion.V2)
    .setMaxRowGroupSize(rowGroupRows).setWriteBatchSize(3).setDataPageSizeLimit(pageBytes)
    .setDictionaryEnabled(hasDictionary);
  for (
    const { name, type } of tableFromIPC(wasm.readParquet(bytes).intoIPCStream()).schema.fields
  ) {
    const encoding = deltaEncoding(type);
    if (isDelta && encoding !== undefined) {
      properties = properties.setColumnEncoding(name, wasm.Encoding[encoding]);
    }
  }
  return wasm.writeParquet(table, properties.build());
}

function deltaEncoding(type: DataType) {
  if (DataType.isUtf8(type) || DataType.isBinary(type)) return "DELTA_BYTE_ARRAY" as const;
  if (DataType.isFloat(type)) return "BYTE_STREAM_SPLIT" as const;
  const isInteger = DataType.isInt(type) || DataType.isDate(type) || DataType.isTimestamp(type);
  return isInteger ? "DELTA_BINARY_PACKED" as const : undefined;
}

/**
 * Whether the differences of values of 32 bits have more: version 2 of DuckDB writes them so that only
 * DuckDB reads them.
 */
function hasWideDeltas({ type, values }: ModelColumn): boolean {
  const isShort = (DataType.isInt(type) && type.bitWidth <= 32) || DataType.isDate(type);
  if (!isShort) return false;
  const numbers = values.filter((value) => value !== null).map(Number);
  return Math.max(0, ...numbers) - Math.min(0, ...numbers) >= 2 ** 31;
}

/** Whether a column has 0 and -0, one in the dictionaries of DuckDB and hyparquet-writer. */
function hasBothZeros({ type, values }: ModelColumn): boolean {
  return DataType.isFloat(type) && [0, -0].every((zero) => values.some((x) => Object.is(x, zero)));
}

async function byDuckDb(
  path: string,
  { codec, version, rowGroupRows }: ParquetStyle,
  columns: readonly ModelColumn[],
): Promise<void> {
  const options = [
    `COMPRESSION ${codec}`,
    `PARQUET_VERSION V${columns.some(hasWideDeltas) ? 1 : version}`,
    `ROW_GROUP_SIZE ${rowGroupRows}`,
    ...(columns.some(hasBothZeros) ? ["DICTIONARY_SIZE_LIMIT 0"] : []),
  ];
  await duckRows(
    `COPY (SELECT * FROM read_parquet(${sqlText(path)})) TO ${sqlText(`${path}.anew`)} ` +
      `(FORMAT parquet, ${options.join(", ")})`,
  );
}

async function byPolars(path: string, style: ParquetStyle): Promise<void> {
  const { codec, rowGroupRows, pageBytes } = style;
  const { default: polars } = await loadPeer("polars");
  const options = { compression: codec, rowGroupSize: rowGroupRows, dataPagesizeLimit: pageBytes };
  await polars.scanParquet(path).sinkParquet(`${path}.anew`, options).collect();
}

async function byHyparquet(bytes: Uint8Array, style: ParquetStyle): Promise<Uint8Array> {
  const { codec, rowGroupRows, pageBytes, hasDictionary, hasIndex } = style;
  const { parquetWriteBuffer } = await loadPeer("hyparquet");
  const wasm = await loadParquetWasm();
  const { schema, batches, numRows } = tableFromIPC(wasm.readParquet(bytes).intoIPCStream());
  const elements = schema.fields.flatMap(({ name, type }) => hyparquetElements(name, type));
  const columnData = schema.fields.map(({ name }, index) => ({
    name,
    data: batches.flatMap(({ data }) => valuesOf(data.children[index]!)),
    offsetIndex: hasIndex,
    columnIndex: hasIndex,
    ...(hasDictionary ? {} : { encoding: "PLAIN" }),
  }));
  const written = parquetWriteBuffer({
    columnData,
    schema: [{ name: "root", num_children: schema.fields.length }, ...elements],
    codec: codec.toUpperCase(),
    rowGroupSize: Math.max(1, Math.min(rowGroupRows, numRows)),
    pageSize: pageBytes,
  });
  return new Uint8Array(written);
}

/** The elements of the schema of a column. */
function hyparquetElements(name: string, type: DataType, repetition = "OPTIONAL"): object[] {
  const leaf = (physical: string, converted?: string) => [{
    name,
    type: physical,
    repetition_type: repetition,
    ...(converted === undefined ? {} : { converted_type: converted }),
  }];
  if (DataType.isUtf8(type)) return leaf("BYTE_ARRAY", "UTF8");
  if (DataType.isBool(type)) return leaf("BOOLEAN");
  if (DataType.isFloat(type)) return leaf(type.precision === 2 ? "DOUBLE" : "FLOAT");
  if (DataType.isInt(type)) {
    const converted = `${type.isSigned ? "" : "U"}INT_${type.bitWidth}`;
    return leaf(type.bitWidth === 64 ? "INT64" : "INT32", converted);
  }
  return [
    { name, repetition_type: repetition, num_children: 1, converted_type: "LIST" },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    ...hyparquetElements(
      "element",
      (type as { children: { type: DataType }[] } & DataType).children[0]!.type,
    ),
  ];
}
