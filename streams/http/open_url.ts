/**
 * Opens a file on a server: the first request tells its size, its version, and what lies at its end
 * or at its beginning.
 *
 * @module
 */

import { BodyStore } from "./body_store.ts";
import type { Exchange } from "./exchange.ts";
import { type RemoteFile, statusOf } from "./remote_file.ts";
import {
  checkRange,
  type ContentRange,
  contentRange,
  readBody,
  sizeOfNone,
  versionOf,
} from "./request_range.ts";
import { UrlFile } from "./url_file.ts";

/** What is asked for first. */
export interface FirstRange {
  /** Which end of the file. */
  readonly from: "start" | "end";
  readonly numBytes: number;
  /** The format, if it cannot be read forwards. */
  readonly needsRanges?: string | undefined;
}

/**
 * Opens a URL: a file that is read by ranges, or its body where the server serves none. Throws a
 * FileError for answers that are neither.
 */
export async function openUrl(
  remote: RemoteFile,
  first: FirstRange,
  signal?: AbortSignal,
): Promise<UrlFile | BodyStore> {
  const { from, numBytes } = first;
  const fromStart = `bytes=0-${numBytes - 1}`;
  const range = from === "start" ? fromStart : `bytes=-${numBytes}`;
  const opened = await tryRange(remote, range, first, signal);
  if (opened instanceof UrlFile) return opened;
  // Some servers serve ranges, but none that is counted from the end.
  const { size, exchange } = opened;
  const mayServe = exchange.response.headers.get("accept-ranges") === "bytes";
  if (from === "end" && mayServe && size > numBytes) {
    await exchange.cancel();
    const counted = `bytes=${size - numBytes}-${size - 1}`;
    const again = await tryRange(remote, counted, first, signal);
    return again instanceof UrlFile ? again : await bodyOf(remote, again.exchange, first);
  }
  return await bodyOf(remote, exchange, first);
}

/** An answer that has the whole file. */
interface WholeAnswer {
  readonly exchange: Exchange;
  /** Bytes of the body, or NaN. */
  readonly size: number;
}

function tryRange(
  remote: RemoteFile,
  range: string,
  first: FirstRange,
  signal: AbortSignal | undefined,
): Promise<UrlFile | WholeAnswer> {
  return remote.retry(async () => {
    const exchange = await remote.send({ range }, signal);
    const { response } = exchange;
    try {
      const version = versionOf(response);
      if (response.status === 200) return { exchange, size: version.size };
      if (response.status === 416) return emptyFile(remote, response);
      const found = contentRange(remote, response);
      checkRange(remote, found, expected(first, found));
      const bytes = new Uint8Array(found.stop - found.start);
      await readBody(exchange, bytes, () => {});
      return new UrlFile(remote, { ...version, size: found.size }, { start: found.start, bytes });
    } finally {
      if (response.status !== 200) await exchange.cancel();
    }
  }, signal);
}

/** The range that the first answer must have, of a file of its size. */
function expected({ from, numBytes }: FirstRange, { size }: ContentRange) {
  const most = Math.min(numBytes, size);
  return from === "start" ? { start: 0, stop: most } : { start: size - most, stop: size };
}

/** What has no bytes has no range either. */
function emptyFile(remote: RemoteFile, response: Response): UrlFile {
  if (sizeOfNone(response) !== 0) throw remote.error(`the server says ${statusOf(response)}`);
  const version = { ...versionOf(response), size: 0 };
  return new UrlFile(remote, version, { start: 0, bytes: new Uint8Array(0) });
}

async function bodyOf(
  remote: RemoteFile,
  exchange: Exchange,
  { needsRanges }: FirstRange,
): Promise<BodyStore> {
  const encoding = exchange.response.headers.get("content-encoding") ?? "identity";
  const problem = needsRanges !== undefined
    ? `the server serves no ranges, which ${needsRanges} needs; download it first`
    : encoding !== "identity"
    ? `the answer is compressed by ${encoding}, which was not asked for`
    : undefined;
  if (problem === undefined) return new BodyStore(remote, exchange);
  await exchange.cancel();
  throw remote.error(problem);
}
