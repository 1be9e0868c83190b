/**
 * Codecs of zarrita's registry: those of numcodecs, and those that a program adds.
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

/** Creates a codec by name. Throws an UnsupportedZarrError without one from bytes to bytes. */
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

/** Creates a codec. Throws a TypeError with our own message where its class rejects the configuration. */
function configured(codec: CodecClass, configuration: unknown, place: object): RegisteredCodec {
  try {
    return codec.fromConfig(configuration, place);
  } catch (cause) {
    const shown = shortJson(configuration);
    throw new TypeError(`does not accept the configuration ${shown}`, { cause });
  }
}

/** The sizes of the codecs that numcodecs compiled to WebAssembly. */
export const compiledSizes = {
  isFixed: false,
  encodedBytes: (numBytes: number) => numBytes + Math.ceil(numBytes / 16) + 1024,
  // Copies of both buffers in the memory of WebAssembly, which grows in advance, and the output.
  decodeScratch: (numBytes: number) => 5 * numBytes,
  encodeScratch: (numBytes: number) => 5 * numBytes,
};

/** Returns a codec that only zarrita's registry knows. */
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
