/**
 * Decodes a Parquet file, on this thread or with the help of another.
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
  /** For tests: bytes of a file from which another thread is used. */
  readonly leastBytes?: number;
}

/** Creates the decoder of a file. `invalid: "replace"` lets text pass that is not UTF-8, to be replaced. */
export function parquetDecoder(path: string, options: ParquetOptions): FileDecoder {
  const { duplicates, invalid, aheadBytes = 0, leastBytes = largeFileBytes } = options;
  const mayBeInvalid = invalid === "replace";
  // Other threads read files by their own names, and as they are.
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

/** Yields the rows that a helper reads; those of `readHere` if it cannot, and so has yielded none. */
async function* orElse(
  helped: AsyncGenerator<SourceRows, boolean, void>,
  readHere: () => Promise<AsyncIterable<SourceRows>>,
  { signal }: OpenOptions,
): AsyncGenerator<SourceRows, void, void> {
  if (yield* helped) return;
  if (signal?.aborted !== true) yield* await readHere();
}

/** Whether it is a file, and has at least `leastBytes`. */
function hasBytes({ numBytes, identity }: FileInput, leastBytes: number): boolean {
  return identity !== undefined && numBytes !== undefined && numBytes >= leastBytes;
}

async function loadHelper(path: string, aheadBytes: number) {
  const { DecodeHelper } = await import("./worker/decode_helper.ts");
  return new DecodeHelper(path, aheadBytes);
}

/** Loads the reader, and creates what it will know of one file. */
async function loadReader(duplicates: Duplicates | undefined) {
  const [reader, { KeptHead }] = await Promise.all([
    import("./read/reader.ts"),
    import("./metadata/head.ts"),
  ]);
  return { reader, head: new KeptHead(duplicates) };
}
