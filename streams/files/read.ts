/**
 * Opens files of any format as one source.
 *
 * @module
 */

import { isUrl, localPath } from "../../base/url.ts";
import type { ReadCsvOptions } from "../formats/csv/csv.ts";
import { sourceOfFormat } from "../formats/file_of_format.ts";
import type { FileFormat, FolderFormat } from "../formats/format.ts";
import { GivenKeys } from "../formats/given_keys.ts";
import type { CastColumns } from "../formats/given_types.ts";
import type { Source } from "../plan/source.ts";
import type { RowLimit } from "../rows/row_limit.ts";
import type { WidestType } from "../source/concat_schemas.ts";
import { concatSources } from "../source/concat_sources.ts";
import { type InvalidText, replaceInvalid } from "../text/valid_utf8.ts";
import { checkDuplicates } from "../types/distinct_names.ts";
import { checkFile, type Format, formatOf, formats } from "./formats.ts";

/** Options for reading files of any format. */
export interface SourceOptions extends ReadCsvOptions {
  /** The format. Default: that of the suffix of each name. */
  readonly format?: Format | undefined;
  /** The treatment of text that is not UTF-8: an error, or U+FFFD in its place. Default: an error. */
  readonly invalid?: InvalidText | undefined;
}

/** Options of the engine for reading files. */
export interface EngineSourceOptions extends SourceOptions, RowLimit, CastColumns {
  /** Bytes of a file that another thread may decode ahead; 0 or absent: no other thread is used. */
  readonly aheadBytes?: number;
}

/**
 * Returns a source over one file or several, which must have the same columns and are read one after the
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
    const format = formats[options.format ?? formatOf(path)];
    const source = sourceOf(format, path, { ...options, keys });
    const { widest } = format;
    if (widest !== undefined) guessed.set(source, widest);
    return source;
  });
  if (first === undefined) throw new TypeError("read() needs the path of a file");
  return concatSources([first, ...rest], guessed);
}

/** Returns a source over one file; `keys` are those of all files. */
function sourceOf(
  format: FileFormat | FolderFormat,
  path: string,
  options: EngineSourceOptions & { readonly keys: GivenKeys },
): Source {
  if ("kind" in format) {
    const source = sourceOfFormat(format, path, options);
    const isDone = options.invalid !== "replace" || format.replacesInvalid === true;
    return isDone ? source : replaceInvalid(source);
  }
  if (format.source === undefined) throw new TypeError(`${path}: ${format.name} is only written`);
  return format.source(path);
}

/** Returns the path or URL of an argument of `read`; other values are refused later. */
function pathOf(path: string | URL): string {
  if (!(path instanceof URL) || path.protocol === "file:") return localPath(path);
  if (isUrl(path.href)) return path.href;
  throw new TypeError(`read() takes URLs of https:, http: and file:, not of ${path.protocol}`);
}
