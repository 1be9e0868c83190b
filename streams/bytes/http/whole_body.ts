/**
 * The whole file, where a server sends that in place of a range.
 *
 * @module
 */

import type { PlacedBytes } from "../byte_store.ts";
import { cutRange } from "../coalesce.ts";
import type { Exchange } from "./exchange.ts";
import type { RemoteFile } from "./remote_file.ts";
import { checkEncoding, readBody } from "./request_range.ts";

/** The largest file that is kept in memory, in bytes. */
const mostWholeBytes = 64 << 20;

/**
 * Reads the body of an answer with status 200, of `numBytes` bytes if that is known, else NaN. Returns
 * undefined if it is too large to be kept. Throws as `readBody` does.
 */
export async function readWholeBody(
  file: RemoteFile,
  exchange: Exchange,
  numBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  checkEncoding(file, exchange.response, "which was not asked for");
  if (numBytes > mostWholeBytes) return undefined;
  if (!Number.isNaN(numBytes)) {
    const target = new Uint8Array(numBytes);
    await readBody(file, exchange, target, () => {});
    return target;
  }
  const parts: PlacedBytes[] = [];
  let length = 0;
  for (let bytes = await exchange.read(); bytes !== undefined; bytes = await exchange.read()) {
    parts.push({ start: length, bytes });
    length += bytes.length;
    if (length > mostWholeBytes) return undefined;
  }
  return cutRange({ start: 0, stop: length }, parts);
}
