/**
 * An array in a folder: its parsed metadata, and its codecs.
 *
 * @module
 */

import type { ChunkCodec, VariableCodec } from "../codecs/codec.ts";
import { fixedChain } from "../codecs/fixed_chain.ts";
import { FixedShard } from "../codecs/fixed_shard.ts";
import type { VariableShard } from "../codecs/variable_shard.ts";
import { product } from "../grid/grid.ts";
import type { AnyArray, FixedArray, VariableArray } from "../items/array.ts";
import { ArrayInfo } from "../items/array_info.ts";
import type { ArraySpec, ZarrMetadata } from "../metadata/array_spec.ts";
import { hasAnyLength } from "../metadata/data_type.ts";
import { metadataError, specOf } from "../metadata/read_metadata.ts";

/** The parts that readers and writers of an array share. */
interface StoredPart<Info, Codec, Shard> {
  readonly info: Info;
  readonly metadata: ZarrMetadata;
  readonly spec: ArraySpec;
  /** The codecs of a file. */
  readonly codec: Codec;
  /** The same, if files are shards whose chunks can be read separately. */
  readonly shard: Shard | undefined;
  /** Returns the path of the file of a chunk or a shard, below the path that the user wrote. */
  path(index: readonly number[]): string;
}

export type StoredFixed = StoredPart<FixedArray, ChunkCodec, FixedShard>;
export type StoredVariable = StoredPart<VariableArray, VariableCodec, VariableShard>;
/** An array of either kind. */
type StoredArray = StoredFixed | StoredVariable;

/** Whether the items of an array have a fixed size. */
export function isStoredFixed(array: StoredArray): array is StoredFixed {
  return array.info.itemBytes !== undefined;
}

/** An array whose metadata another array can take over. */
export interface Stored {
  readonly metadata: ZarrMetadata;
}

/** The public facts about an array in a folder, for its readers and writers. */
export class ShownArray<A extends AnyArray> extends ArrayInfo<A> implements Stored {
  readonly metadata: ZarrMetadata;

  constructor({ info, metadata }: { readonly info: A; readonly metadata: ZarrMetadata }) {
    super(info);
    this.metadata = metadata;
  }
}

/** The greatest number of items of a chunk that 32-bit offsets can count. */
const mostVariableItems = 2 ** 31 - 2;

/** Parses the metadata of an array. Throws a FileError that names it and the problem. */
export async function storedArray(name: string, metadata: ZarrMetadata): Promise<StoredArray> {
  const spec = specOf(name, metadata);
  try {
    const path = (index: readonly number[]) => `${name}/${spec.chunkPath(index)}`;
    const stored = { metadata, spec, path };
    return hasAnyLength(spec.type)
      ? { ...stored, ...await variableParts(name, spec) }
      : { ...stored, ...await fixedParts(name, spec) };
  } catch (cause) {
    throw metadataError(name, cause);
  }
}

async function fixedParts(name: string, spec: ArraySpec) {
  const codec = await fixedChain(spec.codecs, spec.chunk, spec);
  const shard = codec instanceof FixedShard ? codec : undefined;
  const { name: dataType, itemBytes } = spec.type;
  const facts = factsOf(name, spec, shard?.grid.chunk ?? spec.chunk);
  return { codec, shard, info: { ...facts, dataType, itemBytes } };
}

async function variableParts(name: string, spec: ArraySpec) {
  if (product(spec.chunk) > mostVariableItems) {
    throw new TypeError(`its chunks [${spec.chunk}] have more than ${mostVariableItems} items`);
  }
  const [{ variableChain }, { VariableShard }] = await Promise.all([
    import("../codecs/variable_chain.ts"),
    import("../codecs/variable_shard.ts"),
  ]);
  const codec = await variableChain(spec.codecs, spec.chunk, spec);
  const shard = codec instanceof VariableShard ? codec : undefined;
  const dataType = spec.type.kind === "vlen-utf8" ? "string" as const : "bytes" as const;
  const facts = factsOf(name, spec, shard?.inner.shape ?? spec.chunk);
  return { codec, shard, info: { ...facts, dataType } };
}

function factsOf(name: string, spec: ArraySpec, chunk: readonly number[]) {
  const { shape, fill, dimensionNames, attributes } = spec;
  const writeGrid = { shape, chunk: spec.chunk };
  return { name, grid: { shape, chunk }, writeGrid, fill, dimensionNames, attributes };
}
