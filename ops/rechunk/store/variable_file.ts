/**
 * A file format for variable items: offsets that begin with 0, then the bytes, in host byte order.
 *
 * @module
 */

import type { VariableItems } from "../../../streams/formats/zarr/items/array.ts";
import { OFFSET_BYTES } from "../plan/item_sizes.ts";
import { readFully } from "./chunk_folder.ts";

/** Returns the parts of the file for some items. */
export function partsOf({ offsets, data }: VariableItems): Uint8Array[] {
  const first = offsets[0]!;
  const own = first === 0 ? offsets : offsets.map((offset) => offset - first);
  return [
    new Uint8Array(own.buffer, own.byteOffset, own.byteLength),
    data.subarray(first, offsets.at(-1)!),
  ];
}

/** Whether a file is complete for a number of items. */
export function isWhole(file: Deno.FsFile, numItems: number): boolean {
  const { size } = file.statSync();
  const offsetBytes = OFFSET_BYTES * (numItems + 1);
  if (size < offsetBytes) return false;
  const last = new Int32Array(1);
  file.seekSync(offsetBytes - OFFSET_BYTES, Deno.SeekMode.Start);
  file.readSync(new Uint8Array(last.buffer));
  return size === offsetBytes + last[0]!;
}

/** Reads files of items one at a time into one memory, which grows. */
export class VariableFileReader {
  #bytes = new Uint8Array(0);

  /** Reads a file with a number of items, which stay valid until the next call. */
  read(file: Deno.FsFile, numItems: number): VariableItems {
    const { size } = file.statSync();
    const bytes = this.#memoryOf(size);
    readFully(file, bytes);
    const offsets = new Int32Array(bytes.buffer, bytes.byteOffset, numItems + 1);
    return { offsets, data: bytes.subarray(OFFSET_BYTES * (numItems + 1)) };
  }

  #memoryOf(size: number): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length < size) {
      // Frees the memory immediately rather than when it is collected.
      this.#bytes.buffer.transfer(0);
      this.#bytes = new Uint8Array(size);
    }
    return this.#bytes.subarray(0, size);
  }
}
