/**
 * The kinds of Zarr codecs, and their order in a chain. Codecs of arrays reorder or change items, one
 * codec turns items into bytes, and codecs of bytes compress them or add a checksum.
 *
 *     array->array  ...  array->bytes  bytes->bytes  ...
 *
 * Items of a fixed size are in C order and in host byte order, in buffers of known size. Items of a
 * variable size come with their offsets.
 *
 * @module
 */

import type { CodecSpec } from "../metadata/array_spec.ts";
import type { Configuration, DataType } from "../metadata/data_type.ts";
import type { BufferPool } from "./buffer_pool.ts";
import type { VariableItems } from "../items/array.ts";

/** A codec in the registry: its kind, and how to create it for an array. */
export type ZarrCodec = ArrayToArray | ArrayToBytes | BytesToBytes;

/** Creates a codec from array to array. */
export interface ArrayToArray {
  readonly kind: "array->array";
  /** Whether it only moves items, and so accepts items of a variable size. */
  readonly movesItems: boolean;
  /** Creates the codec. Throws a TypeError or an UnsupportedZarrError whose message is a clause. */
  make(place: CodecPlace, type: DataType): ArrayCodec;
}

/** Creates a codec from items to bytes: items of a fixed size, of a variable size, or both. */
export interface ArrayToBytes {
  readonly kind: "array->bytes";
  readonly fixed?: PackingMaker<ChunkCodec>;
  readonly variable?: PackingMaker<VariableCodec>;
}

/** Creates it for a place in a chain. Throws a TypeError or an UnsupportedZarrError with a clause. */
type PackingMaker<Codec> = (
  place: Omit<CodecPlace, "itemBytes">,
  array: EncodedArray,
  chains: { readonly fixed: ChainMaker<ChunkCodec>; readonly own: ChainMaker<Codec> },
) => Codec | Promise<Codec>;

/** Creates a codec from bytes to bytes. */
export interface BytesToBytes {
  readonly kind: "bytes->bytes";
  /**
   * Creates the codec for at most `numBytes` of input. Throws a TypeError or an UnsupportedZarrError
   * whose message is a clause.
   */
  make(
    configuration: Configuration,
    type: DataType,
    numBytes: number,
  ): BytesCodec | Promise<BytesCodec>;
}

/** The facts about an array on which the codecs of its chunks depend. */
export interface EncodedArray {
  readonly type: DataType;
  readonly fill: Uint8Array;
  readonly hasFill: boolean;
}

/** Creates all codecs for chunks of a shape. */
export type ChainMaker<Codec> = (
  codecs: readonly CodecSpec[],
  shape: readonly number[],
  array: EncodedArray,
) => Promise<Codec>;

/** The chunks for which a codec is created, and its configuration. */
export interface CodecPlace {
  readonly shape: readonly number[];
  readonly itemBytes: number;
  readonly configuration: Configuration;
}

/** A codec that turns items into other items, in equal number. */
export interface ArrayCodec {
  /** The shape of its output, and the type of its items. */
  readonly encodedShape: readonly number[];
  readonly encodedType: DataType;
  /** Encodes from one buffer into another. */
  encode(items: Uint8Array, into: Uint8Array): void;
  decode(items: Uint8Array, into: Uint8Array): void;
}

/** A codec from bytes to bytes. */
export interface BytesCodec {
  /** Returns the size of the output for an input: exact where `isFixed`, else an upper bound. */
  encodedBytes(numBytes: number): number;
  readonly isFixed: boolean;
  /** Returns the bytes needed besides both buffers: to decode to, or encode from, a number of bytes. */
  decodeScratch(numBytes: number): number;
  encodeScratch(numBytes: number): number;
  /** Returns the encoded bytes: in `target`, which has the greatest size, or, unless `isFixed`, elsewhere. */
  encode(bytes: Uint8Array, target: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Returns the number of bytes written; throws where `into` is too small. */
  decode(bytes: Uint8Array, into: Uint8Array): number | Promise<number>;
  /**
   * Decodes bytes whose decoded size is unknown. Throws an Error whose message is a clause about the chunk:
   * a TooLargeError as soon as the output proves larger than `mostBytes`.
   */
  decodeBounded(bytes: Uint8Array, mostBytes: number): Promise<Uint8Array>;
}

/** Uses bytes that are valid until the call ends. */
export type UseBytes = (bytes: Uint8Array) => void | Promise<void>;

/** The chain of codecs of a chunk whose items have a fixed size. */
export interface ChunkCodec {
  /** The number of bytes of its items. */
  readonly numBytes: number;
  /** The number of encoded bytes: exact where `isFixed`, else an upper bound. */
  readonly encodedBytes: number;
  readonly isFixed: boolean;
  /** Whether data from other writers may have unused bytes in between, as shards may. */
  readonly hasGaps: boolean;
  /** Where the codec only swaps byte order: the bytes of a number, 1 for no swap. Else undefined. */
  readonly turnedBytes: number | undefined;
  /** Bytes that decoding takes besides input and output, and that encoding takes, output included. */
  readonly decodeScratch: number;
  readonly encodeScratch: number;
  /** The pool of its buffers, which readers and writers of its bytes share. */
  readonly pool: BufferPool;
  /** Fills `into`. Throws an Error whose message is a clause about the chunk. */
  decode(encoded: Uint8Array, into: Uint8Array): Promise<void>;
  /** Passes the bytes to `use`; they are valid until its promise resolves. */
  encode(items: Uint8Array, use: UseBytes): Promise<void>;
}

/** The chain of codecs of a chunk whose items have a variable size. */
export interface VariableCodec {
  /** The number of items of a chunk along each axis. */
  readonly shape: readonly number[];
  /** Returns an upper bound of the encoded bytes for items of `numBytes`, offsets included. */
  encodedBytes(numBytes: number): number;
  /**
   * Decodes a chunk, and may change the bytes. Throws an Error whose message is a clause about the chunk: a
   * TooLargeError as soon as its items with their offsets prove larger than `mostBytes`.
   */
  decode(encoded: Uint8Array, mostBytes: number): Promise<VariableItems>;
  /** Passes the bytes to `use`; they are valid until its promise resolves. */
  encode(items: VariableItems, use: UseBytes): Promise<void>;
}
