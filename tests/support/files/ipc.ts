/** Sources and sinks over Arrow files, for tests of that format alone. */

import type { ArrowCompression, ArrowFormat } from "../../../streams/formats/arrow/arrow.ts";
import { arrowFormat } from "../../../streams/formats/arrow/format.ts";
import { openIpcEncoder } from "../../../streams/formats/arrow/ipc_encoder.ts";
import { sinkOfFormat, sourceOfFormat } from "../../../streams/formats/file_of_format.ts";
import type { HttpOptions } from "../../../streams/bytes/http/http_options.ts";
import type { OpenOptions, Source } from "../../../streams/plan/source.ts";
import { fileSink } from "../../../streams/sink/file_sink.ts";
import type { FileSink } from "../../../streams/sink/sink_job.ts";
import type { OffsetsPolicy } from "../../../streams/sink/sink_offsets.ts";
import type { Duplicates } from "../../../streams/types/distinct_names.ts";

export type { FileSink, OffsetsPolicy, OpenOptions, Source };

/** Reads an Arrow file or stream. */
export function readIpc(
  path: string,
  options: { http?: HttpOptions | undefined; duplicates?: Duplicates | undefined } = {},
): Source {
  return sourceOfFormat(arrowFormat, path, options);
}

/** Writes an Arrow file, or a stream if the format or the path requires it. */
export function writeIpc(
  path: string,
  options: {
    format?: ArrowFormat | undefined;
    compression?: ArrowCompression | undefined;
    offsets?: OffsetsPolicy | undefined;
  } = {},
): FileSink {
  const { format, compression = "none", offsets = "split" } = options;
  if (format === undefined) return sinkOfFormat(arrowFormat, path, { compression, offsets });
  return fileSink(path, () => openIpcEncoder(path, format, compression), offsets);
}
