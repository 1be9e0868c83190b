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
import { checkInvalid, type InvalidText, replaceInvalid } from "../text/valid_utf8.ts";
import { checkDuplicates } from "../types/distinct_names.ts";
import { checkFile, type Format, formatOf, formats } from "./formats.ts";

/** Options for reading files of any format. */
export interface SourceOptions extends ReadCsvOptions {
  /** The format. Default: the one that the suffix of each name says. */
  readonly format?: Format | undefined;
  /** The treatment of text that is not UTF-8: an error, or U+FFFD in its place. Default: an error. */
  readonly invalid?: InvalidText | undefined;
}

/** Options for reading files that the engine adds. */
interface EngineSourceOptions extends SourceOptions, RowLimit, CastColumns {
  /** The bytes of a file that a worker may decode ahead. Default: 0, no worker. */
  readonly aheadBytes?: number;
}

/**
 * Returns a source over one file, or over several with the same columns, one after the other. `-`
 * is stdin. A URL of `http:` or `https:` is a file on a server, of which Sluice reads ranges; a URL
 * of `file:` is a file on this machine.
 */
export function openSource(
  paths: string | URL | readonly (string | URL)[],
  options: EngineSourceOptions = {},
): Source {
  checkDuplicates("read() option duplicates", options.duplicates);
  checkInvalid("read() option invalid", options.invalid);
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

/** Returns a source over one file; `keys` tracks the given keys of all files. */
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

/** Returns the path or URL in an argument of `read`. Other values are rejected later. */
function pathOf(path: string | URL): string {
  if (!(path instanceof URL) || path.protocol === "file:") return localPath(path);
  if (isUrl(path.href)) return path.href;
  throw new TypeError(`read() takes URLs of https:, http: and file:, not of ${path.protocol}`);
}
