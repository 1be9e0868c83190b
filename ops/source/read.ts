/** @module */

import { BatchStream } from "../../streams/batch_stream.ts";
import { openSource, type SourceOptions } from "../../streams/read.ts";
import { checkNames } from "../rows/column_names.ts";
import { defaultEngine } from "../engine/engine.ts";
import type { EngineOption } from "../engine/operator_of.ts";
import { selectKind } from "../rows/select.ts";
import { nodeOf } from "../engine/node.ts";

/** How files are read, and which engine runs what is piped onto them. */
export interface ReadOptions extends SourceOptions, EngineOption {
  /** Names of the columns to read; the others are not touched. Default: all of them. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * Reads one file or several with the same columns, in the order of the first, as a stream of record batches: Arrow (`.arrow`,
 * `.arrows`, `.feather`), Parquet, CSV (`.csv`, `.tsv`) or NDJSON (`.ndjson`, `.jsonl`). `-` is an
 * Arrow stream on stdin. Nothing is opened before the first read.
 *
 * An array of Zarr is a folder (`a.zarr`, `group.zarr/temperature`), and each of its chunks a row: a
 * column with its items, an `arrow.fixed_shape_tensor`, and `origin`, where in the array it begins.
 *
 * Of a URL (`https:`, `http:`) only those bytes are requested that are needed, if its server serves
 * ranges: metadata, and what the wanted rows and columns lie in. Parquet needs such a server.
 *
 * A file that is missing, cut short or not what its suffix says is a FileError that names it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { read, toTable } from "../../mod.ts";
 *
 * const path = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(path, "iata,city\nLAX,Los Angeles\n");
 * const table = await toTable(read(path));
 * assertEquals(table.toArray().map((row) => row.city), ["Los Angeles"]);
 * await Deno.remove(path);
 * ```
 */
export function read(
  paths: string | URL | readonly (string | URL)[],
  options: ReadOptions = {},
): BatchStream {
  const { columns, engine = defaultEngine(), ...rest } = options;
  if (columns !== undefined) checkNames("read() option columns", columns);
  const nodes = Object.freeze(columns === undefined ? [] : [nodeOf(selectKind, columns)]);
  return new BatchStream(
    Object.freeze({
      source: openSource(paths, {
        ...rest,
        aheadBytes: engine.aheadBytes,
        rowBytes: engine.rowBytes,
      }),
      nodes,
      engine: engine.plans,
    }),
  );
}
