/**
 * Opens a file on a server: the first request tells its size, its version, and the bytes at its end or at
 * its beginning.
 *
 * @module
 */

import type { ByteRange } from "../byte_store.ts";
import { BodyStore } from "./body_store.ts";
import type { Exchange } from "./exchange.ts";
import { type RemoteFile, statusOf } from "./remote_file.ts";
import {
  checkEncoding,
  checkRange,
  contentRange,
  type FileVersion,
  hasAllBytes,
  isOther,
  readBody,
  sizeOfNone,
  versionOf,
  wasReplaced,
} from "./request_range.ts";
import { UrlFile } from "./url_file.ts";
import { readWholeBody } from "./whole_body.ts";

/** The bytes that are requested first. */
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
  const asked = from === "start" ? fromStart(numBytes) : { text: `bytes=-${numBytes}`, numBytes };
  const opened = await tryRange(remote, asked, signal);
  if (opened instanceof UrlFile) return opened;
  const again = nextRange(opened, first);
  let last = opened;
  if (again !== undefined) {
    await opened.exchange.cancel();
    const second = await tryRange(remote, again, signal);
    if (second instanceof UrlFile) return second;
    last = second;
  }
  if (hasAllBytes(last.exchange.response)) return await allOf(remote, last, first, signal);
  await last.exchange.cancel();
  throw remote.error(last.problem);
}

/** A range as it is asked for. Without a start it is counted from the end of the file. */
interface AskedRange {
  readonly text: string;
  readonly start?: number;
  readonly numBytes: number;
}

/** An answer that has not the range that was asked for. */
interface OtherAnswer {
  readonly exchange: Exchange;
  /** Bytes of the file, as far as the answer tells; or NaN. */
  readonly size: number;
  /** What is wrong with the answer, where no other range helps. */
  readonly problem: string;
}

function fromStart(numBytes: number): AskedRange {
  return { text: `bytes=0-${numBytes - 1}`, start: 0, numBytes };
}

/**
 * What is asked for where a server did not understand the first range: one that is counted from the
 * start, and lies in the file. Undefined if nothing is better than that answer.
 */
function nextRange(
  { exchange: { response }, size }: OtherAnswer,
  { from, numBytes }: FirstRange,
): AskedRange | undefined {
  const isSmall = size <= numBytes;
  if (hasAllBytes(response)) {
    // Some servers serve ranges, but none that is counted from the end.
    const mayServe = response.headers.get("accept-ranges") === "bytes";
    if (from === "start" || !mayServe || isSmall || Number.isNaN(size)) return undefined;
  }
  if (isSmall) return fromStart(size);
  if (from === "start") return undefined;
  if (Number.isNaN(size)) return fromStart(numBytes);
  const start = size - numBytes;
  return { text: `bytes=${start}-${size - 1}`, start, numBytes };
}

function tryRange(
  remote: RemoteFile,
  asked: AskedRange,
  signal: AbortSignal | undefined,
): Promise<UrlFile | OtherAnswer> {
  return remote.retry(async () => {
    const exchange = await remote.send({ range: asked.text }, signal);
    const { response } = exchange;
    let isKept = false;
    try {
      const version = versionOf(response);
      const other = (size: number, problem = "") => {
        isKept = true;
        return { exchange, size, problem };
      };
      if (hasAllBytes(response)) return other(version.size);
      if (response.status === 416) {
        const size = sizeOfNone(response);
        return size === 0
          ? emptyFile(remote, response)
          : other(size, `the server says ${statusOf(response)}`);
      }
      const told = contentRange(remote, response).size;
      const size = Number.isNaN(told) ? await askSize(remote, version, signal) : told;
      let range = rangeIn(asked, size);
      try {
        range = checkRange(remote, response, range);
      } catch (error) {
        // A range that is counted from the end is asked for again, counted from the start.
        if (asked.start !== undefined) throw error;
        return other(size);
      }
      const bytes = new Uint8Array(range.stop - range.start);
      await readBody(remote, exchange, bytes, () => {});
      return new UrlFile(remote, { ...version, size }, { start: range.start, bytes });
    } finally {
      if (!isKept) await exchange.cancel();
    }
  }, signal);
}

/**
 * Returns the size of a file whose answers do not state one: the end of its last byte.
 * Throws a FileError if the server does not tell that either.
 */
async function askSize(
  remote: RemoteFile,
  version: FileVersion,
  signal: AbortSignal | undefined,
): Promise<number> {
  const last = await sizeIn(remote, "bytes=-1", version, signal);
  // A server that does not count from the end has sent another byte.
  const size = Number.isNaN(last)
    ? last
    : await sizeIn(remote, `bytes=${last}-${last}`, version, signal, last);
  if (Number.isNaN(size)) {
    throw remote.error("the answer does not say how many bytes the file has");
  }
  return size;
}

/**
 * Returns the size that the answer to a range tells, or shows by the last byte of the file; `ifNone` where it
 * says that the range has no bytes and no size; else NaN.
 */
async function sizeIn(
  remote: RemoteFile,
  range: string,
  version: FileVersion,
  signal: AbortSignal | undefined,
  ifNone = NaN,
): Promise<number> {
  const exchange = await remote.send({ range }, signal);
  try {
    const { response } = exchange;
    const now = versionOf(response);
    const unknown = { size: NaN };
    if (response.status === 416) {
      const size = sizeOfNone(response);
      return Number.isNaN(size) ? ifNone : size;
    }
    if (isOther({ ...version, ...unknown }, { ...now, ...unknown })) {
      throw remote.error(wasReplaced);
    }
    if (hasAllBytes(response)) return now.size;
    const { start, stop, size } = contentRange(remote, response);
    if (!Number.isNaN(size)) return size;
    return Number.isNaN(ifNone) && stop - start === 1 ? stop : NaN;
  } finally {
    await exchange.cancel();
  }
}

/** Returns the part of a requested range that lies in a file of some size. */
function rangeIn({ start, numBytes }: AskedRange, size: number): ByteRange {
  const first = start ?? Math.max(0, size - numBytes);
  return { start: first, stop: Math.min(size, first + numBytes) };
}

/** Opens a file without bytes, of which no range can be requested. */
function emptyFile(remote: RemoteFile, response: Response): UrlFile {
  const version = { ...versionOf(response), size: 0 };
  return new UrlFile(remote, version, { start: 0, bytes: new Uint8Array(0) });
}

/** Returns all bytes of an answer: as they come, or in memory if they cannot be read forwards. */
async function allOf(
  remote: RemoteFile,
  answer: OtherAnswer,
  first: FirstRange,
  signal: AbortSignal | undefined,
): Promise<UrlFile | BodyStore> {
  const { needsRanges } = first;
  const { exchange } = answer;
  if (needsRanges === undefined) {
    try {
      checkEncoding(remote, exchange.response, "which was not asked for");
    } catch (error) {
      await exchange.cancel();
      throw error;
    }
    return new BodyStore(remote, exchange);
  }
  let next: Exchange | undefined = exchange;
  return await remote.retry(async () => {
    const current = next ?? await remote.send({}, signal);
    next = undefined;
    try {
      if (!hasAllBytes(current.response)) {
        throw remote.error(`the server says ${statusOf(current.response)}`);
      }
      const version = versionOf(current.response);
      const bytes = await readWholeBody(remote, current, version.size);
      if (bytes === undefined) {
        const problem = `the server serves no ranges, which ${needsRanges} needs`;
        throw remote.error(`${problem}; download it first`);
      }
      return new UrlFile(remote, { ...version, size: bytes.length }, { start: 0, bytes });
    } finally {
      await current.cancel();
    }
  }, signal);
}
