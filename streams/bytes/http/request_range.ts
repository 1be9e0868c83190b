/**
 * Requests one range of a file on a server.
 *
 * @module
 */

import { formatCount } from "../../../base/quantities.ts";
import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { ByteRange, PlacedBytes } from "../byte_store.ts";
import type { FileError } from "../../../base/errors/file_error.ts";
import type { Exchange } from "./exchange.ts";
import { type RemoteFile, statusOf } from "./remote_file.ts";
import { RequestError } from "../../../base/errors/request_error.ts";

/** The facts that tell one version of a file from another. */
export interface FileVersion {
  /** Size in bytes; NaN if it is not told. */
  readonly size: number;
  /** The ETag, if it is a strong one. */
  readonly tag: string | undefined;
  /** The ETag, strong or weak, without the mark of a weak one. */
  readonly mark: string | undefined;
  /** The Last-Modified header, compared where there is no strong tag. */
  readonly modified: string | undefined;
}

/** The problem with a file of another version. */
export const wasReplaced = "was replaced by another file while it was read";

/** A file, and the way to read all of it where a server sends that in place of a range. */
interface RangeSource {
  readonly remote: RemoteFile;
  readonly version: FileVersion;
  /** Reads the body of such an answer; called by several requests, it reads one of them. */
  readonly readWhole: (exchange: Exchange) => Promise<Uint8Array<ArrayBuffer>>;
}

/** The most parts of a range, and the bytes of the range for each further part. */
const mostParts = 16;
const bytesOfPart = 16 << 10;

/**
 * Returns the bytes of a range within the file, or of all of it. Bytes that a failed try has brought are not
 * requested again, nor is a part that a server sends in place of the range. Throws a FileError if the server
 * no longer has the first version.
 */
export async function requestRange(
  { remote, version, readWhole }: RangeSource,
  { start, stop }: ByteRange,
  signal?: AbortSignal,
): Promise<PlacedBytes> {
  const target = new Uint8Array(stop - start);
  const most = mostParts + Math.floor(target.length / bytesOfPart);
  let [filled, numParts] = [0, 0];
  const requestRest = async (): Promise<PlacedBytes | undefined> => {
    const rest = { start: start + filled, stop };
    const headers = {
      range: `bytes=${rest.start}-${rest.stop - 1}`,
      ...(version.tag === undefined ? {} : { "if-range": version.tag }),
    };
    const exchange = await remote.send(headers, signal);
    try {
      checkVersion(remote, exchange.response, version);
      // A server may send all bytes in answer to any range.
      if (hasAllBytes(exchange.response)) return { start: 0, bytes: await readWhole(exchange) };
      const part = checkRange(remote, exchange.response, rest);
      const onFilled = (count: number) => void (filled += count);
      const ownTarget = target.subarray(filled, part.stop - start);
      await readBody(remote, exchange, ownTarget, onFilled);
      return undefined;
    } finally {
      await exchange.cancel();
    }
  };
  return await remote.retry(async () => {
    while (filled < target.length) {
      if (numParts++ >= most) throw tooManyParts(remote, filled, target.length);
      const whole = await requestRest();
      if (whole !== undefined) return whole;
    }
    return { start, bytes: target };
  }, signal);
}

function tooManyParts(remote: RemoteFile, numBytes: number, wantedBytes: number): FileError {
  const [got, wanted] = [numBytes, wantedBytes].map(formatCount);
  return remote.error(
    `the server sends parts so short that only ${got} of ${wanted} bytes arrived`,
  );
}

/** Throws a FileError if an answer is of another version than the first. */
function checkVersion(remote: RemoteFile, response: Response, version: FileVersion): void {
  const now = versionOf(response);
  const hasAll = hasAllBytes(response);
  const size = hasAll
    ? now.size
    : response.status === 416
    ? sizeOfNone(response)
    : contentRange(remote, response).size;
  // A server also sends all bytes if its file no longer has the requested tag.
  const isUnsure = hasAll && version.tag !== undefined && now.tag === undefined;
  if (isUnsure || isOther(version, { ...now, size })) throw remote.error(wasReplaced);
  if (response.status === 416) throw remote.error(`the server says ${statusOf(response)}`);
}

/** Whether two versions differ in a fact that both have. */
export function isOther(before: FileVersion, now: FileVersion): boolean {
  if (before.size !== now.size && !Number.isNaN(before.size + now.size)) return true;
  if (before.mark !== undefined && now.mark !== undefined && before.mark !== now.mark) return true;
  if (before.tag !== undefined && now.tag !== undefined) return false;
  if (before.modified === undefined || now.modified === undefined) return false;
  return before.modified !== now.modified;
}

/** Returns the version that the headers of an answer tell. Its size is the length of the body, or NaN. */
export function versionOf({ headers }: Response): FileVersion {
  const tag = headers.get("etag") ?? undefined;
  const length = headers.get("content-length")?.trim() ?? "";
  return {
    size: /^\d+$/.test(length) ? Number(length) : NaN,
    tag: tag?.startsWith("W/") ? undefined : tag,
    mark: tag?.replace(/^W\//, ""),
    modified: headers.get("last-modified") ?? undefined,
  };
}

/** The Content-Range of an answer: bytes [start, stop) of `size`, which is NaN if it is missing. */
interface ContentRange extends ByteRange {
  readonly size: number;
}

/** Reads the Content-Range of a 206. A FileError if there is none, or the bytes are compressed. */
export function contentRange(file: RemoteFile, response: Response): ContentRange {
  checkEncoding(file, response, "which ranges cannot be");
  const header = response.headers.get("content-range") ?? "";
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(header.trim()) ?? [];
  if (size === undefined) throw file.error("the answer does not say which bytes it has");
  return { start: Number(first), stop: Number(last) + 1, size: Number(size) };
}

/**
 * Whether an answer has all bytes of the file. An answer that names its part, and is as long as that part, is
 * a part whatever its status.
 */
export function hasAllBytes(response: Response): boolean {
  if (response.status !== 200) return false;
  const header = response.headers.get("content-range")?.trim() ?? "";
  const [, first, last, all] = /^bytes (\d+)-(\d+)\/(\d+)$/i.exec(header) ?? [];
  const length = Number(last) - Number(first) + 1;
  return all === undefined || length === Number(all) || versionOf(response).size !== length;
}

/** Throws a FileError if the bytes of an answer are compressed. */
export function checkEncoding(file: RemoteFile, { headers }: Response, but: string): void {
  const encoding = headers.get("content-encoding")?.trim() ?? "";
  if (encoding === "" || encoding.toLowerCase() === "identity") return;
  throw file.error(`the answer is compressed by ${encoding}, ${but}`);
}

/** Returns the size that a 416 tells; NaN if it tells none. */
export function sizeOfNone({ headers }: Response): number {
  return Number(/^bytes \*\/(\d+)$/i.exec(headers.get("content-range")?.trim() ?? "")?.[1]);
}

/**
 * Returns the bytes of an answer: the requested ones, or only the first of them. Throws a FileError if it has
 * others, or contradicts itself.
 */
export function checkRange(file: RemoteFile, response: Response, asked: ByteRange): ByteRange {
  const found = contentRange(file, response);
  const bytes = ({ start, stop }: ByteRange) => `${start} to ${stop - 1}`;
  const isPart = found.start === asked.start && found.start < found.stop &&
    found.stop <= asked.stop;
  if (!isPart) {
    throw file.error(`the answer has bytes ${bytes(found)}, but ${bytes(asked)} were requested`);
  }
  const { size } = versionOf(response);
  if (Number.isNaN(size) || size === found.stop - found.start) return found;
  throw file.error(`the answer states bytes ${bytes(found)}, but its body has ${size} bytes`);
}

/**
 * Fills a target with the body of an answer. Throws a `RequestError` if it has less, and a FileError if it
 * has more: then nobody knows which of its bytes were requested.
 */
export async function readBody(
  file: RemoteFile,
  exchange: Exchange,
  target: Uint8Array<ArrayBuffer>,
  onFilled: (numBytes: number) => void,
): Promise<void> {
  let filled = 0;
  const short = () => {
    const numBytes = filled;
    return new RequestError({ kind: "short", numBytes, wantedBytes: target.length });
  };
  const long = () => {
    const numBytes = formatCount(target.length);
    return file.error(`the answer has more than the ${numBytes} bytes that it states`);
  };
  while (filled < target.length) {
    const bytes = await exchange.read().catch((error) => {
      // The connection was lost on the way.
      const isLost = isSluiceError(error, "RequestError") && error.failure.kind === "network";
      throw isLost ? short() : error;
    });
    if (bytes === undefined) throw short();
    if (bytes.length > target.length - filled) throw long();
    target.set(bytes, filled);
    filled += bytes.length;
    onFilled(bytes.length);
  }
  // A body that was read to its end leaves a connection for the next request.
  const more = await exchange.read().catch(() => undefined);
  if (more !== undefined && more.length > 0) throw long();
}
