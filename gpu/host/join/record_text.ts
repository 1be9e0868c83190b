/**
 * Copies text out of records.
 *
 * @module
 */

/**
 * Makes the functions. Threads take along the source of this one, so nothing in it names anything from
 * outside.
 */
export function makeRecordText() {
  /** Text of this many bytes and more is left to the engine's own copy. */
  const LONG = 256;

  /**
   * Text that lies in its records, in 1 to 4 words from `at` on. It goes to `offsets`, of the rows from
   * `start` on, and up to 16 bytes behind each text are written over.
   */
  function copyShort(
    inlineWords: number,
    words: Int32Array,
    places: Int32Array,
    count: number,
    at: number,
    target: DataView,
    offsets: Int32Array,
    start: number,
  ): void {
    const copy = [copyText1, copyText2, copyText3, copyText4][inlineWords - 1]!;
    copy(words, places, count, at, target, offsets, start);
  }

  // Whole words without a test: what is written behind a text the next row overwrites.

  function copyText1(
    words: Int32Array,
    places: Int32Array,
    count: number,
    at: number,
    target: DataView,
    offsets: Int32Array,
    start: number,
  ): void {
    for (let i = 0; i < count; i++) {
      target.setInt32(offsets[start + i]!, words[places[i]! + at]!, true);
    }
  }

  function copyText2(
    words: Int32Array,
    places: Int32Array,
    count: number,
    at: number,
    target: DataView,
    offsets: Int32Array,
    start: number,
  ): void {
    for (let i = 0; i < count; i++) {
      const from = places[i]! + at;
      const to = offsets[start + i]!;
      target.setInt32(to, words[from]!, true);
      target.setInt32(to + 4, words[from + 1]!, true);
    }
  }

  function copyText3(
    words: Int32Array,
    places: Int32Array,
    count: number,
    at: number,
    target: DataView,
    offsets: Int32Array,
    start: number,
  ): void {
    for (let i = 0; i < count; i++) {
      const from = places[i]! + at;
      const to = offsets[start + i]!;
      target.setInt32(to, words[from]!, true);
      target.setInt32(to + 4, words[from + 1]!, true);
      target.setInt32(to + 8, words[from + 2]!, true);
    }
  }

  function copyText4(
    words: Int32Array,
    places: Int32Array,
    count: number,
    at: number,
    target: DataView,
    offsets: Int32Array,
    start: number,
  ): void {
    for (let i = 0; i < count; i++) {
      const from = places[i]! + at;
      const to = offsets[start + i]!;
      target.setInt32(to, words[from]!, true);
      target.setInt32(to + 4, words[from + 1]!, true);
      target.setInt32(to + 8, words[from + 2]!, true);
      target.setInt32(to + 12, words[from + 3]!, true);
    }
  }

  /** Text that may be longer than its record holds, and then lies in `source`. */
  function copyAny(
    { at, inlineWords }: { readonly at: number; readonly inlineWords: number },
    source: Uint8Array,
    words: Int32Array,
    places: Int32Array,
    count: number,
    target: DataView,
    offsets: Int32Array,
    start: number,
  ): void {
    const read = new DataView(source.buffer, source.byteOffset, source.byteLength);
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    for (let i = 0; i < count; i++) {
      let from = places[i]! + at + 1;
      let to = offsets[start + i]!;
      const stop = offsets[start + i + 1]!;
      if (stop - to <= 4 * inlineWords) {
        for (; to < stop; to += 4, from++) target.setInt32(to, words[from]!, true);
        continue;
      }
      let place = words[from + 1]! * 0x1_0000_0000 + (words[from]! >>> 0);
      if (stop - to >= LONG) {
        bytes.set(source.subarray(place, place + stop - to), to);
        continue;
      }
      // Words of 8 bytes as long as the source has them, then bytes.
      for (; to + 8 <= stop; to += 8, place += 8) {
        target.setInt32(to, read.getInt32(place, true), true);
        target.setInt32(to + 4, read.getInt32(place + 4, true), true);
      }
      for (; to < stop; to++, place++) bytes[to] = source[place]!;
    }
  }

  return { copyAny, copyShort };
}
