/**
 * Remembers bytes that are known to be ASCII. A reader that checks them notes the result here, so that
 * neither the host nor a device inspects the text again.
 *
 * @module
 */

/** The bytes [start, stop) of a buffer. */
interface KnownRange {
  readonly start: number;
  readonly stop: number;
}

/** By buffer, since apache-arrow creates new views of it. One range for each buffer is enough. */
const asciiRanges = new WeakMap<ArrayBufferLike, KnownRange>();

/**
 * Notes that every byte of an array is below 0x80. Nobody may write to these bytes afterwards, so they must
 * not lie in memory that is reused, such as that of WebAssembly.
 */
export function noteAscii({ buffer, byteOffset, length }: Uint8Array): void {
  asciiRanges.set(buffer, { start: byteOffset, stop: byteOffset + length });
}

/** Whether the bytes [start, stop) of an array are known to be below 0x80. */
export function isKnownAscii(
  { buffer, byteOffset }: Uint8Array,
  start: number,
  stop: number,
): boolean {
  const range = asciiRanges.get(buffer);
  return range !== undefined && range.start <= byteOffset + start &&
    byteOffset + stop <= range.stop;
}
