/**
 * What codecs of Zarr do to the bytes of a chunk. Items are in C order and in the byte order of the
 * host; a chunk goes through those of arrays, becomes bytes, and goes through those of bytes.
 *
 * @module
 */

import type { Configuration, DataType } from "../metadata/data_type.ts";
import type { Rooms } from "./rooms.ts";

/** A codec that gives other items, as many. */
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
  /** Bytes that so many become: exactly where `isFixed`, at most otherwise. */
  encodedBytes(numBytes: number): number;
  readonly isFixed: boolean;
  /** Bytes that it needs besides both buffers, to decode to so many, and to encode so many. */
  decodeScratch(numBytes: number): number;
  encodeScratch(numBytes: number): number;
  /** The encoded bytes: in `room`, which has as many as can be, or, unless `isFixed`, elsewhere. */
  encode(bytes: Uint8Array, room: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Gives how many bytes it wrote; throws where `into` has not enough. */
  decode(bytes: Uint8Array, into: Uint8Array): number | Promise<number>;
  /** Where more bytes may come out than `encodedBytes` says of what is encoded here: all of them. */
  decodeAll?(bytes: Uint8Array): Promise<Uint8Array>;
}

/** Uses bytes while they hold. */
export type UseBytes = (bytes: Uint8Array) => void | Promise<void>;

/** All codecs of a chunk, one after the other. */
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
  readonly rooms: Rooms;
  /** Fills `into`. Throws an Error whose message is a clause about the chunk. */
  decode(encoded: Uint8Array, into: Uint8Array): Promise<void>;
  /** Hands on the bytes, which hold until what `use` gives is fulfilled. */
  encode(items: Uint8Array, use: UseBytes): Promise<void>;
}

/** What a codec is made for. */
export interface CodecPlace {
  readonly shape: readonly number[];
  readonly itemBytes: number;
  readonly configuration: Configuration;
}
