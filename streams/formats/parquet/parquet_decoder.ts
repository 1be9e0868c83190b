/**
 * Decodes a Parquet file, on this thread or with the help of a worker.
 *
 * @module
 */

import type { FileInput } from "../../bytes/file_input.ts";
import { isStdin } from "../../bytes/standard_streams.ts";
import { isUrl } from "../../../base/url.ts";
import type { OpenOptions, SourceRows } from "../../plan/source.ts";
import type { RowRequest } from "../../rows/row_request.ts";
import type { FileDecoder } from "../../source/file_decoder.ts";
import type { Duplicates } from "../../types/distinct_names.ts";
import type { FileReadOptions } from "../format.ts";
import { largeFileBytes } from "./worker/large_file.ts";

/** Options for decoding a Parquet file. */
interface ParquetOptions extends FileReadOptions {
  /** For tests: the bytes of a file from which a worker is used. */
  readonly leastBytes?: number;
}

/**
 * Creates the decoder of a file. With `invalid: "replace"` it passes invalid UTF-8 on, to be
 * replaced later.
 */
export function parquetDecoder(path: string, options: ParquetOptions): FileDecoder {
  const { duplicates, invalid, aheadBytes = 0, leastBytes = largeFileBytes } = options;
  const mayBeInvalid = invalid === "replace";
  // A worker knows neither renamed columns nor invalid text.
  const isPlain = duplicates !== "number" && !mayBeInvalid;
  const mayAsk = aheadBytes > 0 && !isUrl(path) && !isStdin(path) && isPlain;
  let loaded: ReturnType<typeof loadReader> | undefined;
  const load = () => loaded ??= loadReader(duplicates);
  let helper: ReturnType<typeof loadHelper> | undefined;
  const help = (input: FileInput) =>
    mayAsk && hasBytes(input, leastBytes) ? helper ??= loadHelper(path, aheadBytes) : undefined;
  const readHere = async (input: FileInput, request: RowRequest, options: OpenOptions) => {
    const { reader, head } = await load();
    return reader.readParquetRows(input, head, request, { ...options, mayBeInvalid });
  };
  return {
    async schema(input) {
      const described = await (await help(input))?.describe(input);
      if (described !== undefined) return described.schema;
      const { reader, head } = await load();
      return await reader.readParquetSchema(input, head);
    },
    async numRows(input) {
      const known = (await helper)?.numRowsOf(input);
      if (known !== undefined) return known;
      const { reader, head } = await load();
      return await reader.countParquetRows(input, head);
    },
    async rows(input, request, options) {
      const helped = (await help(input))?.rows(input, request, options);
      if (helped === undefined) return await readHere(input, request, options);
      return orElse(helped, () => readHere(input, request, options), options);
    },
    seeking: {
      async describe(input, request) {
        const { reader, head } = await load();
        return await reader.describeParquetRows(input, head, request);
      },
      rereads: true,
    },
  };
}

/** Yields the rows that a worker reads, or those of `readHere` if the worker cannot read any. */
async function* orElse(
  helped: AsyncGenerator<SourceRows, boolean, void>,
  readHere: () => Promise<AsyncIterable<SourceRows>>,
  { signal }: OpenOptions,
): AsyncGenerator<SourceRows, void, void> {
  if (yield* helped) return;
  if (signal?.aborted !== true) yield* await readHere();
}

/** Whether the input is a regular file of at least `leastBytes`. */
function hasBytes({ numBytes, identity }: FileInput, leastBytes: number): boolean {
  return identity !== undefined && numBytes !== undefined && numBytes >= leastBytes;
}

async function loadHelper(path: string, aheadBytes: number) {
  const { DecodeHelper } = await import("./worker/decode_helper.ts");
  return new DecodeHelper(path, aheadBytes);
}

/** Loads the reader, and creates the cache of the file's head. */
async function loadReader(duplicates: Duplicates | undefined) {
  const [reader, { KeptHead }] = await Promise.all([
    import("./read/reader.ts"),
    import("./metadata/head.ts"),
  ]);
  return { reader, head: new KeptHead(duplicates) };
}
