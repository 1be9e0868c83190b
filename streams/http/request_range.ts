/**
 * One range of a file on a server.
 *
 * @module
 */

import type { ByteRange } from "../bytes/byte_store.ts";
import type { Exchange } from "./exchange.ts";
import { type RemoteFile, statusOf } from "./remote_file.ts";
import { RequestFailure } from "./retry.ts";

/** What tells one version of a file from another. */
export interface FileVersion {
  /** Size in bytes; NaN if it is not told. */
  readonly size: number;
  /** The ETag, if it is a strong one. */
  readonly tag: string | undefined;
  /** The Last-Modified header, compared where there is no tag. */
  readonly modified: string | undefined;
}

/** The problem with a file of another version. */
export const wasReplaced = "was replaced by another file while it was read";

/**
 * The bytes of a range, which lies in the file. What a failed try has brought is not asked for
 * again. A server that no longer has the first version is a FileError.
 */
export async function requestRange(
  file: RemoteFile,
  version: FileVersion,
  { start, stop }: ByteRange,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const target = new Uint8Array(stop - start);
  let filled = 0;
  await file.retry(async () => {
    const rest = { start: start + filled, stop };
    const headers = {
      range: `bytes=${rest.start}-${rest.stop - 1}`,
      ...(version.tag === undefined ? {} : { "if-range": version.tag }),
    };
    const exchange = await file.send(headers, signal);
    try {
      checkAnswer(file, exchange.response, version, rest);
      await readBody(exchange, target.subarray(filled), (count) => void (filled += count));
    } finally {
      await exchange.cancel();
    }
  }, signal);
  return target;
}

/** Throws a FileError if an answer is not the range of the version that was asked for. */
function checkAnswer(
  file: RemoteFile,
  response: Response,
  version: FileVersion,
  asked: ByteRange,
): void {
  const { status } = response;
  const found = status === 206 ? contentRange(file, response) : undefined;
  const now = versionOf(response);
  const size = found?.size ?? (status === 416 ? sizeOfNone(response) : now.size);
  if (isOther(version, { ...now, size })) throw file.error(wasReplaced);
  if (found !== undefined) return checkRange(file, found, asked);
  const says = `the server says ${statusOf(response)}`;
  throw file.error(status === 416 ? says : "the server serves no ranges any more");
}

/** Whether two versions differ in what both tell. */
export function isOther(before: FileVersion, now: FileVersion): boolean {
  if (before.size !== now.size && !Number.isNaN(before.size + now.size)) return true;
  if (before.tag !== undefined && now.tag !== undefined) return before.tag !== now.tag;
  if (before.modified === undefined || now.modified === undefined) return false;
  return before.modified !== now.modified;
}

/** The version that the headers of an answer tell. Its size is the length of the body, or NaN. */
export function versionOf({ headers }: Response): FileVersion {
  const tag = headers.get("etag") ?? undefined;
  return {
    size: parseInt(headers.get("content-length") ?? "", 10),
    tag: tag === undefined || tag.startsWith("W/") ? undefined : tag,
    modified: headers.get("last-modified") ?? undefined,
  };
}

/** The Content-Range of an answer: bytes [start, stop) of `size`. */
export interface ContentRange extends ByteRange {
  readonly size: number;
}

/** Reads the Content-Range of a 206. A FileError if there is none, or the bytes are compressed. */
export function contentRange(file: RemoteFile, { headers }: Response): ContentRange {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity") {
    throw file.error(`the answer is compressed by ${encoding}, which ranges cannot be`);
  }
  const header = headers.get("content-range") ?? "";
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header.trim()) ?? [];
  if (size === undefined) throw file.error("the answer does not say which bytes it has");
  if (size === "*") throw file.error("the answer does not say how many bytes the file has");
  return { start: Number(first), stop: Number(last) + 1, size: Number(size) };
}

/** The size that a 416 tells; NaN if it does not. */
export function sizeOfNone({ headers }: Response): number {
  return Number(/^bytes \*\/(\d+)$/.exec(headers.get("content-range")?.trim() ?? "")?.[1]);
}

/** Throws a FileError if an answer has other bytes than it should. */
export function checkRange(file: RemoteFile, found: ByteRange, asked: ByteRange): void {
  if (found.start === asked.start && found.stop === asked.stop) return;
  const bytes = ({ start, stop }: ByteRange) => `${start} to ${stop - 1}`;
  throw file.error(`the answer is for bytes ${bytes(found)} where ${bytes(asked)} were asked`);
}

/**
 * Fills a target with the body of an answer; what it has more is left. Throws a `RequestFailure` if
 * it has less.
 */
export async function readBody(
  exchange: Exchange,
  target: Uint8Array<ArrayBuffer>,
  onFilled: (numBytes: number) => void,
): Promise<void> {
  let filled = 0;
  const short = () => {
    const numBytes = filled;
    return new RequestFailure({ kind: "short", numBytes, wantedBytes: target.length });
  };
  while (filled < target.length) {
    const bytes = await exchange.read().catch((error) => {
      // The connection was lost on the way.
      const isLost = error instanceof RequestFailure && error.failure.kind === "network";
      throw isLost ? short() : error;
    });
    if (bytes === undefined) throw short();
    const used = bytes.subarray(0, target.length - filled);
    target.set(used, filled);
    filled += used.length;
    onFilled(used.length);
  }
  // A body that is read to its end leaves a connection for the next request.
  const isWhole = versionOf(exchange.response).size === target.length;
  if (isWhole) await exchange.read().catch(() => {});
}
