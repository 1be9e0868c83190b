/**
 * Items in a file of our own: offsets that begin with 0, then the bytes, in the order of the host.
 *
 * @module
 */

import { toFileError } from "../../../streams/errors.ts";
import type { TextItems } from "../../../streams/zarr/text_array.ts";
import { OFFSET_BYTES } from "./text_sizes.ts";

/** Writes a file, in place of one that is there. Throws a FileError. */
export function writeItems(path: string, { offsets, data }: TextItems): void {
  const first = offsets[0]!;
  const own = first === 0 ? offsets : offsets.map((offset) => offset - first);
  const parts = [
    new Uint8Array(own.buffer, own.byteOffset, own.byteLength),
    data.subarray(first, offsets.at(-1)!),
  ];
  try {
    using file = Deno.openSync(path, { write: true, create: true, truncate: true });
    for (const bytes of parts) {
      for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    }
  } catch (error) {
    throw toFileError(path, error);
  }
}

/** Reads a file with so many items; undefined where there is none. Throws a FileError. */
export function readItems(path: string, numItems: number): TextItems | undefined {
  try {
    const bytes = Deno.readFileSync(path);
    const offsets = new Int32Array(bytes.buffer, bytes.byteOffset, numItems + 1);
    return { offsets, data: bytes.subarray(OFFSET_BYTES * (numItems + 1)) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw toFileError(path, error);
  }
}
