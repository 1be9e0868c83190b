/** The source of a Parquet file, with the options that only tests and the engine set. */

import { parquetFormat } from "../../../streams/formats/parquet/format.ts";
import { parquetDecoder } from "../../../streams/formats/parquet/parquet_decoder.ts";
import type { Source } from "../../../streams/plan/source.ts";
import { fileSource } from "../../../streams/source/file_source.ts";

/** Reads a Parquet file. */
export function parquetSource(
  path: string,
  options: Parameters<typeof parquetDecoder>[1],
): Source {
  return fileSource(path, {
    ...parquetFormat,
    openDecoder: () => parquetDecoder(path, options),
  });
}
