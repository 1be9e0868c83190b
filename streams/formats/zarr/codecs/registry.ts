/**
 * The registry of codecs that an array may name. A chain has any number of codecs from array to array,
 * one from array to bytes, and any number from bytes to bytes. A codec is loaded when the first array
 * needs it.
 *
 * @module
 */

import { errorOfPart } from "../metadata/metadata_error.ts";
import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";
import type { CodecSpec } from "../metadata/array_spec.ts";
import type { ArrayToArray, ArrayToBytes, BytesToBytes, ZarrCodec } from "./codec.ts";

const registry: ReadonlyMap<string, () => Promise<ZarrCodec>> = new Map<
  string,
  () => Promise<ZarrCodec>
>([
  ["transpose", async () => (await import("./transpose.ts")).transpose],
  ["delta", async () => (await import("./number_codecs.ts")).delta],
  ["bitround", async () => (await import("./number_codecs.ts")).bitround],
  ["fixedscaleoffset", async () => (await import("./scale_offset.ts")).fixedScaleOffset],
  ["bytes", async () => (await import("./turned_items.ts")).bytes],
  ["vlen-utf8", async () => (await import("./vlen.ts")).vlenUtf8],
  ["vlen-bytes", async () => (await import("./vlen.ts")).vlenBytes],
  ["sharding_indexed", async () => (await import("./sharding.ts")).shardingIndexed],
  ["gzip", async () => (await import("./zlib_codecs.ts")).gzip],
  ["zlib", async () => (await import("./zlib_codecs.ts")).zlib],
  ["zstd", async () => (await import("./zlib_codecs.ts")).zstd],
  ["crc32c", async () => (await import("./crc32c.ts")).crc32cChecksum],
  ["shuffle", async () => (await import("./shuffle.ts")).shuffle],
  ["lz4", async () => (await import("./lz4_codec.ts")).lz4],
  ["blosc", async () => (await import("./blosc.ts")).blosc],
]);

/** Returns a codec by name. An unknown name is looked up in zarrita's registry. */
export async function codecNamed(name: string): Promise<ZarrCodec> {
  // In version 3, the names of numcodecs' codecs have a prefix.
  const load = registry.get(name.replace(/^numcodecs\./, ""));
  if (load !== undefined) return await load();
  return (await import("./registered_codec.ts")).registered(name);
}

/** Receives the codecs of a chain in order. */
interface ChainSteps {
  reorder(codec: ArrayToArray, spec: CodecSpec): void;
  pack(codec: ArrayToBytes, spec: CodecSpec): Promise<void>;
  encode(codec: BytesToBytes, spec: CodecSpec): Promise<void>;
}

/**
 * Reads a chain. Throws a TypeError that names a codec with a wrong place or configuration, or an
 * UnsupportedZarrError for an unknown one, as a clause about the array.
 */
export async function readChain(codecs: readonly CodecSpec[], steps: ChainSteps): Promise<void> {
  let isPacked = false;
  for (const spec of codecs) {
    try {
      const codec = await codecNamed(spec.name);
      if (isPacked !== (codec.kind === "bytes->bytes")) {
        // An unknown codec may be one from array to bytes.
        throw isPacked
          ? new TypeError("is not allowed in this position")
          : new UnsupportedZarrError("is not supported");
      }
      if (codec.kind === "bytes->bytes") await steps.encode(codec, spec);
      else if (codec.kind === "array->array") steps.reorder(codec, spec);
      else await steps.pack(codec, spec);
      isPacked ||= codec.kind === "array->bytes";
    } catch (cause) {
      throw errorOfPart(`its codec ${spec.name}`, cause);
    }
  }
  if (!isPacked) throw new TypeError("it has no codec from array to bytes");
}
