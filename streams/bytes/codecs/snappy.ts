/**
 * Decodes raw snappy. Source: https://github.com/google/snappy/blob/main/format_description.txt.
 *
 * @module
 */

/** Decodes a stream into a buffer and returns the number of bytes written. Throws for a corrupt stream. */
export function decodeSnappy(packed: Uint8Array, into: Uint8Array): number {
  let from = 0;
  let to = 0;
  /** Reads a number of `numBytes` bytes, the lowest first. */
  const number = (numBytes: number) => {
    if (from + numBytes > packed.length) throw corrupt();
    let value = 0;
    for (let i = 0; i < numBytes; i++) value += packed[from++]! * 2 ** (8 * i);
    return value;
  };
  // The length of the output, seven bits a byte: it is known already.
  while (number(1) >= 128);
  while (from < packed.length) {
    const tag = number(1);
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >> 2;
      const count = 1 + (short < 60 ? short : number(short - 59));
      if (from + count > packed.length || to + count > into.length) throw corrupt();
      into.set(packed.subarray(from, from + count), to);
      from += count;
      to += count;
      continue;
    }
    const length = kind === 1 ? 4 + ((tag >> 2) & 7) : 1 + (tag >> 2);
    const distance = kind === 1 ? ((tag >> 5) << 8) + number(1) : number(kind === 2 ? 2 : 4);
    if (distance === 0 || distance > to || to + length > into.length) throw corrupt();
    for (let i = 0; i < length; i++, to++) into[to] = into[to - distance]!;
  }
  return to;
}

function corrupt(): Error {
  return new Error("a corrupt snappy block");
}
