/**
 * Opens the chunks of an array in a folder for reading or writing. The code for variable items is loaded
 * with the first such array.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import type { FixedReader, FixedWriter, VariableReader, VariableWriter } from "../items/array.ts";
import { fixedKind } from "../items/fixed_kind.ts";
import type { ZarrMetadata } from "../metadata/array_spec.ts";
import { ChunkWriter } from "./chunk_writer.ts";
import { FixedChunkReader } from "./fixed_reader.ts";
import {
  isStoredFixed,
  type Stored,
  storedArray,
  type StoredFixed,
  type StoredVariable,
} from "./stored_array.ts";

/** Readers and writers with the metadata of their array, from which another one can be created. */
export type StoredFixedReader = FixedReader & Stored;
export type StoredVariableReader = VariableReader & Stored;
export type StoredReader = StoredFixedReader | StoredVariableReader;
export type StoredFixedWriter = FixedWriter & Stored;
export type StoredVariableWriter = VariableWriter & Stored;
export type StoredWriter = StoredFixedWriter | StoredVariableWriter;

/** Opens an array for reading. Throws a FileError that names it and the problem with its metadata. */
export async function openReader(name: string, metadata: ZarrMetadata): Promise<StoredReader> {
  const array = await storedArray(name, metadata);
  if (isStoredFixed(array)) return new FixedChunkReader(array);
  const { VariableChunkReader } = await import("./variable_reader.ts");
  return new VariableChunkReader(array);
}

/** The options of a writer. */
export interface WriterOptions {
  /** Whether a chunk must be on disk before it becomes visible, so that a run survives a crash. */
  readonly isDurable?: boolean;
}

/** Opens an array for writing its chunks. Throws like `openReader`. */
export async function openWriter(
  name: string,
  metadata: ZarrMetadata,
  { isDurable = false }: WriterOptions = {},
): Promise<StoredWriter> {
  const array = await storedArray(name, metadata);
  return isStoredFixed(array)
    ? fixedWriter(array, { isDurable })
    : await variableWriter(array, { isDurable });
}

function fixedWriter(
  array: StoredFixed,
  options: { readonly isDurable: boolean },
): StoredFixedWriter {
  const { info, codec, shard } = array;
  const chunkBytes = product(info.grid.chunk) * info.itemBytes;
  return new ChunkWriter(array, {
    kind: fixedKind(info),
    scratchBytes: shard?.writeScratch ?? codec.encodeScratch,
    reads(scratch) {
      // A new reader for each check, since a reader caches the indices of shards.
      const reader = new FixedChunkReader(array);
      const into = scratch?.subarray(0, chunkBytes) ?? new Uint8Array(chunkBytes);
      return async (index) => void await reader.readChunk(index, into);
    },
  }, options);
}

async function variableWriter(
  array: StoredVariable,
  options: { readonly isDurable: boolean },
): Promise<StoredVariableWriter> {
  const [{ VariableChunkReader }, { variableKind }] = await Promise.all([
    import("./variable_reader.ts"),
    import("../items/variable_kind.ts"),
  ]);
  return new ChunkWriter(array, {
    kind: variableKind(array.info),
    scratchBytes: 0,
    reads() {
      const reader = new VariableChunkReader(array);
      return async (index) => {
        const items = await reader.readChunk(index);
        if (items !== undefined) reader.free(items);
      };
    },
  }, options);
}
