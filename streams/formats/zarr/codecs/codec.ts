/**
 * What a codec of Zarr is. Its kind says how codecs follow each other: those of arrays reorder or change
 * items, one makes bytes of items, and those of bytes compress them or add a checksum.
 *
 *     array->array  ...  array->bytes  bytes->bytes  ...
 *
 * Items of a fixed size are in C order and in the byte order of the host, in buffers whose sizes are known
 * before; items of a variable size come with their offsets, and as many bytes as they have.
 *
 * @module
 */

import type { CodecSpec } from "../metadata/array_spec.ts";
import type { Configuration, DataType } from "../metadata/data_type.ts";
import type { BufferPool } from "./buffer_pool.ts";
import type { VariableItems } from "../items/array.ts";

/** A codec as the registry has it: what it takes, what it returns, and how it is made for an array. */
export type ZarrCodec = ArrayToArray | ArrayToBytes | BytesToBytes;

/** Makes a codec from array to array. */
export interface ArrayToArray {
  readonly kind: "array->array";
  /** Whether it only moves items, so that items of a variable size can go through it. */
  readonly movesItems: boolean;
  /** Throws a TypeError or an UnsupportedZarrError, its message a clause. */
  make(place: CodecPlace, type: DataType): ArrayCodec;
}

/** Makes a codec that makes bytes of items: of a fixed size, of a variable size, or of both. */
export interface ArrayToBytes {
  readonly kind: "array->bytes";
  readonly fixed?: PackingMaker<ChunkCodec>;
  readonly variable?: PackingMaker<VariableCodec>;
}

/** Makes it for a part of a chain. Throws a TypeError or an UnsupportedZarrError, its message a clause. */
export type PackingMaker<Codec> = (
  place: Omit<CodecPlace, "itemBytes">,
  array: EncodedArray,
  chains: { readonly fixed: ChainMaker<ChunkCodec>; readonly own: ChainMaker<Codec> },
) => Codec | Promise<Codec>;

/** Makes a codec from bytes to bytes. */
export interface BytesToBytes {
  readonly kind: "bytes->bytes";
  /** Throws a TypeError or an UnsupportedZarrError, its message a clause. At most `numBytes` come in. */
  make(
    configuration: Configuration,
    type: DataType,
    numBytes: number,
  ): BytesCodec | Promise<BytesCodec>;
}

/** An array whose chunks are encoded: what its codecs depend on. */
export interface EncodedArray {
  readonly type: DataType;
  readonly fill: Uint8Array;
  readonly hasFill: boolean;
}

/** Makes all codecs of chunks of a shape. */
export type ChainMaker<Codec> = (
  codecs: readonly CodecSpec[],
  shape: readonly number[],
  array: EncodedArray,
) => Promise<Codec>;

/** The chunks that a codec is made for, and its configuration. */
export interface CodecPlace {
  readonly shape: readonly number[];
  readonly itemBytes: number;
  readonly configuration: Configuration;
}

/** A codec that returns other items, as many. */
export interface ArrayCodec {
  /** The shape of what it encodes to, and the type of its items. */
  readonly encodedShape: readonly number[];
  readonly encodedType: DataType;
  /** From one buffer into another. */
  encode(items: Uint8Array, into: Uint8Array): void;
  decode(items: Uint8Array, into: Uint8Array): void;
}

/** A codec from bytes to bytes. */
export interface BytesCodec {
  /** The bytes that some number of bytes becomes: exactly where `isFixed`, at most otherwise. */
  encodedBytes(numBytes: number): number;
  readonly isFixed: boolean;
  /** Bytes that it needs besides both buffers, to decode to a number of bytes, and to encode them. */
  decodeScratch(numBytes: number): number;
  encodeScratch(numBytes: number): number;
  /** The encoded bytes: in `room`, which has as many as can be, or, unless `isFixed`, elsewhere. */
  encode(bytes: Uint8Array, room: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Returns how many bytes it wrote; throws where `into` has not enough. */
  decode(bytes: Uint8Array, into: Uint8Array): number | Promise<number>;
  /**
   * Decodes bytes of which nobody knows how many come out. Throws an Error whose message is a clause about
   * the chunk: a TooLargeError as soon as it is seen that more than `mostBytes` come out.
   */
  decodeBounded(bytes: Uint8Array, mostBytes: number): Promise<Uint8Array>;
}

/** Uses bytes while they hold. */
export type UseBytes = (bytes: Uint8Array) => void | Promise<void>;

/** All codecs of a chunk whose items have a fixed size, one after the other. */
export interface ChunkCodec {
  /** Bytes of its items. */
  readonly numBytes: number;
  /** Bytes that they become: exactly where `isFixed`, at most otherwise. */
  readonly encodedBytes: number;
  readonly isFixed: boolean;
  /** Whether what others encoded may have more, unused bytes between those that are used: shards. */
  readonly hasGaps: boolean;
  /** Where items are only turned around: bytes of what is turned, 1 for none. */
  readonly turnedBytes: number | undefined;
  /** Bytes that decoding takes besides what goes in and what comes out, and encoding, with what comes out. */
  readonly decodeScratch: number;
  readonly encodeScratch: number;
  /** Its buffers, also for those who read and write its bytes. */
  readonly pool: BufferPool;
  /** Fills `into`. Throws an Error whose message is a clause about the chunk. */
  decode(encoded: Uint8Array, into: Uint8Array): Promise<void>;
  /** Hands on the bytes, which hold until what `use` returns is fulfilled. */
  encode(items: Uint8Array, use: UseBytes): Promise<void>;
}

/** All codecs of a chunk whose items have a variable size, one after the other. */
export interface VariableCodec {
  /** Items of a chunk along each axis. */
  readonly shape: readonly number[];
  /** The bytes that items of `numBytes`, offsets included, become at most. */
  encodedBytes(numBytes: number): number;
  /**
   * Throws an Error whose message is a clause about the chunk: a TooLargeError as soon as it is seen that
   * its items have more than `mostBytes` bytes with their offsets. May change the bytes.
   */
  decode(encoded: Uint8Array, mostBytes: number): Promise<VariableItems>;
  /** Hands on the bytes, which hold until what `use` returns is fulfilled. */
  encode(items: VariableItems, use: UseBytes): Promise<void>;
}
