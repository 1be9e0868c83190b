/**
 * Reads and writes Arrow IPC: `.arrow`, `.feather` and `.arrows`.
 *
 * @module
 */

import type { ArrowCompression, ArrowFormat, ArrowReader } from "./arrow.ts";
import type { Duplicates } from "../../types/distinct_names.ts";
import { fileSource } from "../../source/file_source.ts";
import { type FileSink, fileSink } from "../../sink/file_sink.ts";
import type { HttpOptions } from "../../bytes/http/http_options.ts";
import { checkOffsetsPolicy, type OffsetsPolicy } from "../../sink/sink_offsets.ts";
import type { OpenOptions, Source } from "../../plan/source.ts";
import { isStdout } from "../../bytes/standard_streams.ts";

export type { FileSink, OffsetsPolicy, OpenOptions, Source };

/** How Arrow data is read. */
interface ReadIpcOptions {
  /** How URLs are read. */
  readonly http?: HttpOptions | undefined;
  /** What becomes of columns of one name. */
  readonly duplicates?: Duplicates | undefined;
}

/** How Arrow data is written. */
interface WriteIpcOptions {
  /** The file format or the stream format. Default: stream for `.arrows` and stdout, else file. */
  readonly format?: ArrowFormat | undefined;
  /** Compresses every buffer. Default: "none". */
  readonly compression?: ArrowCompression | undefined;
  /**
   * How text and binary data that needs 64-bit offsets is written (see `OffsetsPolicy`). Except with
   * "large", LargeUtf8 columns become Utf8. Default: "split".
   */
  readonly offsets?: OffsetsPolicy | undefined;
}

/**
 * A source of the record batches of an Arrow file or stream, detected from the first bytes. `-` is
 * stdin. Columns that are not wanted are not read, nor batches that have none of the wanted rows.
 * Buffers may be compressed with zstd or LZ4. Truncated or corrupt data is a FileError that names the
 * message, counted from 1, and its first byte.
 */
export function readIpc(path: string, { http, duplicates }: ReadIpcOptions = {}): Source {
  let loaded: Promise<ArrowReader> | undefined;
  const load = () =>
    loaded ??= import("./arrow.ts").then(({ ArrowReader }) => new ArrowReader(duplicates));
  return fileSource(path, {
    kind: "Arrow data",
    schema: async (input) => await (await load()).schema(input),
    numRows: async (input, options) => await (await load()).numRows(input, options),
    rows: async (input, request, options) => await (await load()).rows(input, request, options),
    seeking: {
      canSeek: async (input) => await (await load()).canSeek(input),
      describe: async (input, request) => await (await load()).describe(input, request),
    },
  }, http);
}

/**
 * A sink that writes Arrow data. `-` is stdout. The footer of a file has the rows of each batch, as
 * custom metadata `sluice.batch_lengths`: rows in the middle are then found without reading headers.
 */
export function writeIpc(path: string, options: WriteIpcOptions = {}): FileSink {
  const { compression = "none", format = defaultFormat(path), offsets = "split" } = options;
  checkOffsetsPolicy(offsets, "writeIpc() option offsets");
  if (!compressions.includes(compression)) {
    const known = compressions.join(", ");
    const given = JSON.stringify(compression);
    throw new TypeError(`writeIpc() option compression is one of ${known}, not ${given}`);
  }
  const openEncoder = async () =>
    await (await import("./ipc_encoder.ts")).openIpcEncoder(path, format, compression);
  return fileSink(path, openEncoder, offsets);
}

const compressions: readonly string[] = ["none", "zstd", "lz4"];

function defaultFormat(path: string): ArrowFormat {
  return isStdout(path) || path.endsWith(".arrows") ? "stream" : "file";
}
