/**
 * Codecs of zarrita's registry: blosc and lz4 by numcodecs, and what a program adds to it.
 *
 * @module
 */

import type { Configuration, DataType } from "../data_type.ts";
import { UnsupportedError } from "../metadata_error.ts";
import type { BytesCodec } from "./codec.ts";

/** What the registry holds, as far as bytes become bytes. */
interface Registered {
  readonly kind?: string;
  encode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
  decode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

interface CodecClass {
  fromConfig(configuration: unknown, place: unknown): Registered;
}

/** The bytes that blosc counts in a signed number of 32 bits. */
const mostBloscBytes = 2 ** 31 - 17;

/**
 * A codec by its name. `numBytes` are those that it encodes, at most. Throws an
 * UnsupportedError where there is none from bytes to bytes.
 */
export async function registeredCodec(
  name: string,
  configuration: Configuration,
  type: DataType,
  numBytes: number,
): Promise<BytesCodec> {
  const { registry } = await import("zarrita");
  const known = registry as unknown as ReadonlyMap<string, () => Promise<CodecClass>>;
  const isBlosc = /(^|\.)blosc$/.test(name);
  const isLz4 = /(^|\.)lz4$/.test(name);
  if (isBlosc && numBytes > mostBloscBytes) {
    throw new TypeError(`takes 2 GiB at most, a chunk has ${numBytes} bytes`);
  }
  const load = known.get(name) ?? known.get(`numcodecs.${name}`);
  if (load === undefined) throw new UnsupportedError("is not supported");
  const settings = isBlosc ? bloscSettings(configuration, type) : configuration;
  const codec = (await load()).fromConfig(settings, { dataType: type.name });
  if ((codec.kind ?? "bytes_to_bytes") !== "bytes_to_bytes") {
    throw new UnsupportedError("is not supported");
  }
  return {
    isFixed: false,
    encodedBytes: (decoded) => decoded + Math.ceil(decoded / 16) + 1024,
    // Both buffers once more in the memory of WebAssembly, and a copy of what comes out.
    scratchBytes: (decoded) => 4 * decoded,
    encode: (bytes) => codec.encode(bytes),
    async decode(bytes, into) {
      if (isBlosc) checkBlosc(bytes, into.length);
      if (isLz4) checkSize(bytes, 0, into.length);
      const decoded = await codec.decode(bytes);
      if (decoded.length > into.length) {
        throw new Error(`decodes to more than ${into.length} bytes`);
      }
      into.set(decoded);
      return decoded.length;
    },
  };
}

const shuffles: Readonly<Record<string, number>> = { noshuffle: 0, shuffle: 1, bitshuffle: 2 };

/** The settings that numcodecs takes: shuffle as a number, and -1 resolved by the size of items. */
function bloscSettings(configuration: Configuration, { itemBytes }: DataType): unknown {
  const { shuffle = 1, ...settings } = configuration;
  const number = typeof shuffle === "string" ? shuffles[shuffle] : shuffle;
  if (![-1, 0, 1, 2].includes(number as number)) {
    throw new TypeError(`has the shuffle ${JSON.stringify(shuffle)}`);
  }
  return { ...settings, shuffle: number === -1 ? (itemBytes === 1 ? 2 : 1) : number };
}

/** Throws unless a header agrees with the bytes that are there: the library believes it. */
function checkBlosc(bytes: Uint8Array, mostBytes: number): void {
  if (bytes.length < 16) throw new Error("is shorter than the header of blosc");
  checkSize(bytes, 4, mostBytes);
  const numBytes = viewOf(bytes).getUint32(12, true);
  if (numBytes === bytes.length) return;
  throw new Error(`has ${bytes.length} bytes, its blosc header says ${numBytes}`);
}

/** Throws where a header says that more bytes come out than there may be. */
function checkSize(bytes: Uint8Array, at: number, mostBytes: number): void {
  if (bytes.length < at + 4) throw new Error(`has only ${bytes.length} bytes`);
  if (viewOf(bytes).getUint32(at, true) <= mostBytes) return;
  throw new Error(`decodes to more than ${mostBytes} bytes`);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
