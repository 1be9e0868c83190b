/**
 * Codecs of zarrita's registry: those of numcodecs, and what a program adds to it.
 *
 * @module
 */

import type { Configuration, DataType } from "../metadata/data_type.ts";
import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";
import type { BytesCodec, BytesToBytes } from "./codec.ts";
import { shortJson } from "../metadata/short_json.ts";
import { decodeSound } from "./damaged.ts";
import { checkDecoded } from "./too_large.ts";

/** A codec of zarrita's registry, from bytes to bytes. */
interface RegisteredCodec {
  readonly kind?: string;
  encode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  decode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

interface CodecClass {
  fromConfig(configuration: unknown, place: unknown): RegisteredCodec;
}

/** Makes a codec by its name. Throws an UnsupportedZarrError where there is none from bytes to bytes. */
export async function loadRegistered(
  name: string,
  configuration: unknown,
  type: DataType,
): Promise<RegisteredCodec> {
  const { registry } = await import("zarrita");
  const known = registry as unknown as ReadonlyMap<string, () => Promise<CodecClass>>;
  const load = known.get(name) ?? known.get(`numcodecs.${name}`);
  if (load === undefined) throw new UnsupportedZarrError("is not supported");
  const codec = configured(await load(), configuration, { dataType: type.name });
  if ((codec.kind ?? "bytes_to_bytes") === "bytes_to_bytes") return codec;
  throw new UnsupportedZarrError("is not supported");
}

/** Throws a TypeError in words of our own, where a class of others does not take a configuration. */
function configured(codec: CodecClass, configuration: unknown, place: object): RegisteredCodec {
  try {
    return codec.fromConfig(configuration, place);
  } catch (cause) {
    const shown = shortJson(configuration);
    throw new TypeError(`does not take the configuration ${shown}`, { cause });
  }
}

/** The sizes of codecs that numcodecs has compiled to WebAssembly. */
export const compiledSizes = {
  isFixed: false,
  encodedBytes: (numBytes: number) => numBytes + Math.ceil(numBytes / 16) + 1024,
  // Both buffers once more in the memory of WebAssembly, which grows ahead, and what comes out.
  decodeScratch: (numBytes: number) => 5 * numBytes,
  encodeScratch: (numBytes: number) => 5 * numBytes,
};

/** A codec that is known by its name only. */
export function registered(name: string): BytesToBytes {
  const make = (configuration: Configuration, type: DataType) =>
    registeredCodec(name, configuration, type);
  return { kind: "bytes->bytes", make };
}

async function registeredCodec(
  name: string,
  configuration: Configuration,
  type: DataType,
): Promise<BytesCodec> {
  const codec = await loadRegistered(name, configuration, type);
  return {
    ...compiledSizes,
    encode: (bytes) => codec.encode(bytes),
    async decode(bytes, into) {
      const decoded = await decodeSound(name, () => codec.decode(bytes));
      if (decoded.length > into.length) {
        throw new Error(`decodes to more than ${into.length} bytes`);
      }
      into.set(decoded);
      return decoded.length;
    },
    async decodeBounded(bytes, mostBytes) {
      const decoded = await decodeSound(name, () => codec.decode(bytes));
      checkDecoded(decoded.length, mostBytes);
      return decoded;
    },
  };
}
