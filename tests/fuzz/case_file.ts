/** Streams that go through files and come back. */

import {
  type BatchStream,
  type Engine,
  fromBatches,
  read,
  write,
  type WriteOptions,
} from "../../mod.ts";
import { lengthsKey } from "../../streams/formats/arrow/batch_lengths.ts";
import type { ModelColumn } from "../support/models/expr_model_types.ts";
import { RangeServer } from "../support/files/range_server.ts";
import { readTypes } from "./file_model.ts";
import { type ArrowWriter, writeAnew } from "./foreign_arrow.ts";
import { parquetStyle, type ParquetWriter, writeParquetAnew } from "./foreign_parquet.ts";
import { type TextWriter, writeAsText } from "./foreign_text.ts";
import type { FileFormat } from "./file_format.ts";
import type { CaseStep, FileWriter } from "./fuzz_case.ts";
import type { ModelTable } from "./model_table.ts";
import { inDialect } from "./text_dialect.ts";
import { throughArray } from "./zarr_files.ts";
import { arrayIn } from "./zarr_model.ts";

/**
 * Writes a stream to files, `path` with a number and a suffix each, and reads them as one; those that
 * are served from one of the servers, which are to run until they were read.
 */
export async function throughFiles(
  stream: BatchStream,
  step: CaseStep & { do: "file" },
  path: string,
  table: ModelTable,
  engine: Engine,
  servers: AsyncDisposableStack,
): Promise<BatchStream> {
  const { columns } = table;
  const {
    format,
    batchRows,
    parts = 1,
    compression,
    isForeign,
    isMended,
    served,
    dialect,
    writer,
    style = 0,
  } = step;
  if (format === "zarr") {
    const name = step.layout?.column ?? arrayIn(table)!.name;
    return await throughArray(stream, step, { folder: path, name, columns, engine });
  }
  const options = {
    ...(batchRows === undefined ? {} : { rowGroupRows: batchRows }),
    ...(compression === undefined ? {} : { compression }),
  };
  const streams = parts === 1 ? [stream] : await inParts(stream, parts, engine);
  const paths = streams.map((_, part) => `${path}-${part}.${format}`);
  for (const [part, stream] of streams.entries()) {
    await writeBy(writer, stream, paths[part]!, { format, options, style, columns });
    if (isForeign) hideLengths(paths[part]!);
    if (dialect !== undefined) {
      const bytes = inDialect(Deno.readFileSync(paths[part]!), format, dialect);
      Deno.writeFileSync(paths[part]!, bytes);
    }
  }
  const types = readTypes(format, columns);
  return read(served === undefined ? paths : urlsOf(paths, served, servers), {
    engine,
    ...(types === undefined ? {} : { types }),
    ...(isMended ? { invalid: "replace" } : {}),
  });
}

/** Writes a stream to a file, which another writer writes anew if one is given. */
async function writeBy(
  writer: FileWriter | undefined,
  stream: BatchStream,
  path: string,
  { format, options, style, columns }: {
    readonly format: FileFormat;
    readonly options: WriteOptions;
    readonly style: number;
    readonly columns: readonly ModelColumn[];
  },
): Promise<void> {
  const isBinary = format === "arrow" || format === "arrows" || format === "parquet";
  if (writer !== undefined && !isBinary) {
    const between = `${path}.parquet`;
    await stream.pipeTo(write(between));
    return await writeAsText(between, path, format, writer as TextWriter);
  }
  await stream.pipeTo(write(path, options));
  if (writer === undefined) return;
  if (format !== "parquet") return await writeAnew(path, writer as ArrowWriter);
  await writeParquetAnew(
    path,
    writer as ParquetWriter,
    parquetStyle(writer as ParquetWriter, style),
    columns,
  );
}

/** The URLs of files on a server of their own, which ends with the others. */
function urlsOf(
  paths: readonly string[],
  served: "ranges" | "shaky",
  servers: AsyncDisposableStack,
): string[] {
  const names = paths.map((path) => path.slice(path.lastIndexOf("/") + 1));
  const files = paths.map((path, index) => [names[index]!, Deno.readFileSync(path)] as const);
  const server = new RangeServer(Object.fromEntries(files), {
    fault: (_, index) =>
      served === "shaky" && index % 3 === 0 ? { kind: "truncate", bytes: 7 } : undefined,
  });
  servers.use(server);
  return names.map((name) => server.url(name));
}

/** The batches of a stream as at most so many streams, each of which has rows if the stream has. */
async function inParts(stream: BatchStream, parts: number, engine: Engine): Promise<BatchStream[]> {
  const all = await Array.fromAsync(stream);
  const filled = all.filter(({ numRows }) => numRows > 0);
  const batches = filled.length > 0 ? filled : all;
  const count = Math.min(parts, batches.length);
  if (count === 0) throw new Error("a stream without a batch");
  return Array.from({ length: count }, (_, part) => {
    const [start, stop] = [part, part + 1].map((at) => Math.floor(at * batches.length / count));
    return fromBatches(batches.slice(start, stop), { engine });
  });
}

/** Gives the lengths of batches in the footer of an Arrow file another name, as if others had written it. */
function hideLengths(path: string): void {
  const bytes = Deno.readFileSync(path);
  const text = new TextDecoder("latin1").decode(bytes);
  const at = text.lastIndexOf(lengthsKey);
  if (at < 0) throw new Error("there are no lengths in the footer");
  bytes[at] = "S".charCodeAt(0);
  Deno.writeFileSync(path, bytes);
}
