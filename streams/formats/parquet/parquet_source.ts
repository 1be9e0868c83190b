/**
 * The source over a Parquet file: which thread decodes it.
 *
 * @module
 */

import type { Duplicates } from "../../types/distinct_names.ts";
import type { FileInput } from "../../bytes/file_input.ts";
import { fileSource } from "../../source/file_source.ts";
import type { HttpOptions } from "../../bytes/http/http_options.ts";
import { largeFileBytes } from "./worker/large_file.ts";
import type { RowRequest } from "../../rows/row_request.ts";
import type { InvalidText } from "../../text/sound_text.ts";
import type { OpenOptions, Source, SourceRows } from "../../plan/source.ts";
import { isStdin } from "../../bytes/standard_streams.ts";
import { isUrl } from "../../../base/url.ts";

/** How a source of the library reads Parquet. */
interface ParquetSourceOptions {
  /** How URLs are read. */
  readonly http?: HttpOptions | undefined;
  /** What becomes of columns of one name. */
  readonly duplicates?: Duplicates | undefined;
  /** What becomes of text that is not UTF-8; "replace" lets it pass to who replaces it. */
  readonly invalid?: InvalidText | undefined;
  /** Bytes that another thread may decode ahead; 0 or absent: no other thread is used. */
  readonly aheadBytes?: number | undefined;
  /** For tests: bytes of a file from which another thread is used. */
  readonly leastBytes?: number;
}

/** A source of the rows of a Parquet file, which another thread may decode (see `readParquet`). */
export function parquetSource(
  path: string,
  { http, duplicates, invalid, aheadBytes = 0, leastBytes = largeFileBytes }: ParquetSourceOptions,
): Source {
  const mayBeInvalid = invalid === "replace";
  // Other threads read files by their own names, and as they are.
  const isOwn = duplicates !== "number" && !mayBeInvalid;
  const mayAsk = aheadBytes > 0 && !isUrl(path) && !isStdin(path) && isOwn;
  let loaded: ReturnType<typeof loadReader> | undefined;
  const load = () => loaded ??= loadReader(duplicates);
  let helper: ReturnType<typeof loadHelper> | undefined;
  const help = (input: FileInput) =>
    mayAsk && hasBytes(input, leastBytes) ? helper ??= loadHelper(path, aheadBytes) : undefined;

  const readHere = async (input: FileInput, request: RowRequest, options: OpenOptions) => {
    const { reader, head } = await load();
    return reader.readParquetRows(input, head, request, { ...options, mayBeInvalid });
  };

  return fileSource(path, {
    kind: "Parquet",
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
  }, http);
}

/** The rows that a helper reads; those of `readHere` if it cannot, and so has yielded none. */
async function* orElse(
  helped: AsyncGenerator<SourceRows, boolean, void>,
  readHere: () => Promise<AsyncIterable<SourceRows>>,
  { signal }: OpenOptions,
): AsyncGenerator<SourceRows, void, void> {
  if (yield* helped) return;
  if (signal?.aborted !== true) yield* await readHere();
}

/** Whether it is a file, and has at least so many bytes. */
function hasBytes({ numBytes, identity }: FileInput, leastBytes: number): boolean {
  return identity !== undefined && numBytes !== undefined && numBytes >= leastBytes;
}

async function loadHelper(path: string, aheadBytes: number) {
  const { DecodeHelper } = await import("./worker/decode_helper.ts");
  return new DecodeHelper(path, aheadBytes);
}

/** What reads Parquet, and what it will know of one file: loaded when a file is opened. */
async function loadReader(duplicates: Duplicates | undefined) {
  const [reader, { KeptHead }] = await Promise.all([
    import("./reader.ts"),
    import("./head.ts"),
  ]);
  return { reader, head: new KeptHead(duplicates) };
}
