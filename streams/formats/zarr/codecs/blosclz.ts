/**
 * Decodes the format of blosclz: FastLZ with matches from farther away.
 * Source: https://github.com/Blosc/c-blosc/blob/main/blosc/blosclz.c.
 *
 * @module
 */

/** The greatest distance of a match that 13 bits can express. */
const nearest = 8191;

/** Decodes a stream into a buffer, and returns the number of bytes written. Throws for corrupt data. */
export function decodeBlosclz(packed: Uint8Array, into: Uint8Array): number {
  let from = 0;
  let to = 0;
  const next = () => {
    if (from >= packed.length) throw corrupt();
    return packed[from++]!;
  };
  // The first control byte always starts literals; its highest bits are ignored.
  for (let control = next() & 31;; control = packed[from++]!) {
    if (control < 32) {
      const count = control + 1;
      if (from + count > packed.length || to + count > into.length) throw corrupt();
      into.set(packed.subarray(from, from + count), to);
      from += count;
      to += count;
    } else {
      let length = (control >> 5) + 2;
      if (length === 9) {
        let more: number;
        do length += more = next(); while (more === 255);
      }
      const low = next();
      let distance = ((control & 31) << 8) + low + 1;
      if (low === 255 && (control & 31) === 31) {
        const high = next();
        distance = (high << 8) + next() + nearest + 1;
      }
      if (distance > to || to + length > into.length) throw corrupt();
      for (let i = 0; i < length; i++, to++) into[to] = into[to - distance]!;
    }
    if (from >= packed.length) return to;
  }
}

function corrupt(): Error {
  return new Error("a corrupt blosclz block");
}
