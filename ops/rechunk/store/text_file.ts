/**
 * Items in a file of our own: offsets that begin with 0, then the bytes, in the order of the host.
 *
 * @module
 */

import { FileError } from "../../../base/errors/file_error.ts";
import { toFileError } from "../../../base/errors/wrap_error.ts";
import { createFresh, writeFully } from "../../../streams/bytes/own_files/fresh_file.ts";
import type { TextItems } from "../../../streams/formats/zarr/items/text_array.ts";
import { OFFSET_BYTES } from "../plan/text_sizes.ts";

/** Writes a file, in place of one that is there. Throws a FileError. */
export function writeItems(path: string, { offsets, data }: TextItems): void {
  const first = offsets[0]!;
  const own = first === 0 ? offsets : offsets.map((offset) => offset - first);
  const parts = [
    new Uint8Array(own.buffer, own.byteOffset, own.byteLength),
    data.subarray(first, offsets.at(-1)!),
  ];
  try {
    using file = createFresh(path);
    for (const bytes of parts) writeFully(file, bytes);
  } catch (error) {
    throw toFileError(path, error);
  }
}

/** Whether the file exists and has the expected number of items. Throws a FileError. */
export function areWhole(path: string, numItems: number): boolean {
  try {
    using file = Deno.openSync(path);
    const { size } = file.statSync();
    const offsetBytes = OFFSET_BYTES * (numItems + 1);
    if (size < offsetBytes) return false;
    const last = new Int32Array(1);
    file.seekSync(offsetBytes - OFFSET_BYTES, Deno.SeekMode.Start);
    file.readSync(new Uint8Array(last.buffer));
    return size === offsetBytes + last[0]!;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw toFileError(path, error);
  }
}

/** Reads files of items one after the other into one piece of memory, which grows. */
export class TextFileReader {
  #bytes = new Uint8Array(0);

  /**
   * Reads a file with so many items; undefined where there is none. They stay until the next is read.
   * Throws a FileError.
   */
  read(path: string, numItems: number): TextItems | undefined {
    try {
      using file = Deno.openSync(path);
      const { size } = file.statSync();
      const bytes = this.#room(size);
      for (let at = 0; at < size;) {
        const read = file.readSync(bytes.subarray(at));
        if (read === null) throw new FileError(path, `has ${at} bytes, not ${size}`);
        at += read;
      }
      const offsets = new Int32Array(bytes.buffer, bytes.byteOffset, numItems + 1);
      return { offsets, data: bytes.subarray(OFFSET_BYTES * (numItems + 1)) };
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw toFileError(path, error);
    }
  }

  #room(size: number): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length < size) {
      // Given back at once, before the collector would.
      this.#bytes.buffer.transfer(0);
      this.#bytes = new Uint8Array(size);
    }
    return this.#bytes.subarray(0, size);
  }
}
