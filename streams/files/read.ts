/**
 * Opens files of any format as one source.
 *
 * @module
 */

import type { WidestType } from "../source/concat_schemas.ts";
import { concatSources } from "../source/concat_sources.ts";
import type { CastColumns } from "../formats/csv/batch_builder.ts";
import { delimitedSource, type ReadCsvOptions } from "../formats/csv/delimited_source.ts";
import { checkDuplicates } from "../types/distinct_names.ts";
import { checkFile, type Format, formatOf } from "../formats/formats.ts";
import { readIpc } from "../formats/arrow/ipc.ts";
import { GivenKeys } from "../formats/ndjson/given_keys.ts";
import { ndjsonSource } from "../formats/ndjson/ndjson_source.ts";
import { parquetSource } from "../formats/parquet/parquet_source.ts";
import type { RowLimit } from "../rows/row_limit.ts";
import { type InvalidText, replaceInvalid } from "../text/sound_text.ts";
import type { Source } from "../plan/source.ts";
import { isUrl, localPath } from "../../base/url.ts";
import { readZarr } from "../formats/zarr/zarr.ts";

/** How files of any format are read. */
export interface SourceOptions extends ReadCsvOptions {
  /** The format. Default: that of the suffix of each name. */
  readonly format?: Format | undefined;
  /** What becomes of text that is not UTF-8: an error, or U+FFFD in its place. Default: an error. */
  readonly invalid?: InvalidText | undefined;
}

/** How the engine has files read. */
export interface EngineSourceOptions extends SourceOptions, RowLimit, CastColumns {
  /** Bytes of a file that another thread may decode ahead; 0 or absent: no other thread is used. */
  readonly aheadBytes?: number;
}

/**
 * A source over one file or several, which must have the same columns and are read one after the
 * other. `-` is stdin; URLs of `http:` and `https:` are files on servers, of which ranges are read, and
 * those of `file:` files on this machine.
 */
export function openSource(
  paths: string | URL | readonly (string | URL)[],
  options: EngineSourceOptions = {},
): Source {
  checkDuplicates("read() option duplicates", options.duplicates);
  const named = Array.isArray(paths) ? paths as readonly (string | URL)[] : [paths as string | URL];
  const guessed = new Map<Source, WidestType>();
  const keys = new GivenKeys(Object.keys(options.types ?? {}));
  const [first, ...rest] = named.map((named) => {
    const path = pathOf(named);
    checkFile("read()", path, options.format);
    const format = options.format ?? formatOf(path);
    const source = readers[format](path, { ...options, keys });
    const widest = widestTypes[format];
    if (widest !== undefined) guessed.set(source, widest);
    return source;
  });
  if (first === undefined) throw new TypeError("No file to read was named");
  return concatSources([first, ...rest], guessed);
}

/** The types that have any value, of formats that guess types. */
const widestTypes: Readonly<Partial<Record<Format, WidestType>>> = {
  csv: "string",
  tsv: "string",
  ndjson: "json",
};

/** What the sources of one call have. */
interface SharedOptions extends EngineSourceOptions {
  readonly keys: GivenKeys;
}

const readers: Readonly<Record<Format, (path: string, options: SharedOptions) => Source>> = {
  arrow: (path, options) => sound(readIpc(path, options), options),
  parquet: (path, options) => sound(parquetSource(path, options), options),
  csv: (path, options) => delimitedSource(path, options, ","),
  tsv: (path, options) => delimitedSource(path, options, "\t"),
  ndjson: ndjsonSource,
  zarr: readZarr,
};

/** The path or URL of what `read` is given; other values are refused later. */
function pathOf(path: string | URL): string {
  if (!(path instanceof URL) || path.protocol === "file:") return localPath(path);
  if (isUrl(path.href)) return path.href;
  throw new TypeError(`read() takes URLs of https:, http: and file:, not of ${path.protocol}`);
}

/** Text of these formats is validated where it is used, unless it is to be replaced. */
function sound(source: Source, { invalid }: SourceOptions): Source {
  return invalid === "replace" ? replaceInvalid(source) : source;
}
