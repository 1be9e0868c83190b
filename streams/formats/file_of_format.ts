/**
 * Creates sources and sinks of files from their format.
 *
 * @module
 */

import { type HttpOptions, httpSettings } from "../bytes/http/http_options.ts";
import type { Source } from "../plan/source.ts";
import { fileSink } from "../sink/file_sink.ts";
import type { FileSink } from "../sink/sink_job.ts";
import { fileSource } from "../source/file_source.ts";
import type { FileFormat, FileReadOptions, FileWriteOptions } from "./format.ts";

/** Creates a source of a file. Throws a TypeError if its format can only be written. */
export function sourceOfFormat(
  format: FileFormat,
  path: string,
  { http, ...options }: FileReadOptions & { readonly http?: HttpOptions | undefined } = {},
): Source {
  if (format.read === undefined) throw new TypeError(`${path}: ${format.name} is only written`);
  if (http !== undefined) httpSettings(http);
  return fileSource(path, { ...format, openDecoder: format.read(path, options) }, http);
}

/** Creates a sink that writes a file. Throws a TypeError if its format can only be read. */
export function sinkOfFormat(
  format: FileFormat,
  path: string,
  options: FileWriteOptions = {},
): FileSink {
  if (format.write === undefined) throw new TypeError(`${path}: ${format.name} is only read`);
  const { offsets = "split" } = options;
  const policy = format.traits.includes("offsets") ? offsets : undefined;
  return fileSink(path, format.write(path, options), policy);
}
