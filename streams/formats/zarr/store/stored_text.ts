/**
 * An array of text or bytes in a folder: what its metadata says, and the codecs for it.
 *
 * @module
 */

import { product } from "../grid/grid.ts";
import type { ArraySpec, ZarrMetadata } from "../metadata/array_spec.ts";
import { metadataError, specOf } from "../metadata/read_metadata.ts";
import type { TextArrayInfo } from "../items/text_array.ts";
import type { VariableCodec } from "../codecs/variable_codec.ts";
import { variableChain } from "../codecs/variable_chain.ts";
import { VariableShard } from "../codecs/variable_shard.ts";

/** What those who read and those who write chunks have in common. */
export interface StoredText {
  readonly info: TextArrayInfo;
  readonly metadata: ZarrMetadata;
  readonly spec: ArraySpec;
  /** The codecs of what is one file. */
  readonly codec: VariableCodec;
  /** The same, where files are shards whose chunks can be read alone. */
  readonly shard: VariableShard | undefined;
  /** The file of a chunk, or of a shard, as the user named the array. */
  path(index: readonly number[]): string;
}

/** What those classes show of it. */
export class ShownText implements TextArrayInfo {
  readonly name: TextArrayInfo["name"];
  readonly grid: TextArrayInfo["grid"];
  readonly writeGrid: TextArrayInfo["writeGrid"];
  readonly dataType: TextArrayInfo["dataType"];
  readonly fill: TextArrayInfo["fill"];
  readonly dimensionNames: TextArrayInfo["dimensionNames"];
  readonly attributes: TextArrayInfo["attributes"];
  readonly metadata: ZarrMetadata;

  constructor({ info, metadata }: StoredText) {
    this.name = info.name;
    this.grid = info.grid;
    this.writeGrid = info.writeGrid;
    this.dataType = info.dataType;
    this.fill = info.fill;
    this.dimensionNames = info.dimensionNames;
    this.attributes = info.attributes;
    this.metadata = metadata;
  }
}

/** Items of a chunk that offsets of 32 bits can count. */
const mostItems = 2 ** 31 - 2;

/** Understands the metadata of an array of text or bytes. Throws a FileError that names it. */
export async function storedText(
  name: string,
  metadata: ZarrMetadata,
  spec: ArraySpec = specOf(name, metadata),
): Promise<StoredText> {
  try {
    const { shape, chunk, fill, dimensionNames, attributes } = spec;
    if (product(chunk) > mostItems) {
      throw new TypeError(`its chunks [${chunk}] have more than ${mostItems} items`);
    }
    const kind = spec.type.kind === "vlen-utf8" ? "string" : "bytes";
    const codec = await variableChain(spec.codecs, chunk, spec);
    const shard = codec instanceof VariableShard ? codec : undefined;
    const inner = shard?.inner.shape ?? chunk;
    return {
      info: {
        name,
        grid: { shape, chunk: inner },
        writeGrid: { shape, chunk },
        dataType: kind,
        fill,
        dimensionNames,
        attributes,
      },
      metadata,
      spec,
      codec,
      shard,
      path: (index) => `${name}/${spec.chunkPath(index)}`,
    };
  } catch (cause) {
    throw metadataError(name, cause);
  }
}
