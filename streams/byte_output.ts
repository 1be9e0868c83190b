/**
 * Bytes that grow.
 *
 * @module
 */

const encoder = new TextEncoder();
const maxLoopedText = 64;

/** Collects the bytes of a batch. */
export class ByteOutput {
  #bytes = new Uint8Array(64 << 10);
  #length = 0;

  /** Appends one byte. */
  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Appends bytes [start, stop). */
  bytes(source: Uint8Array, start: number, stop: number): void {
    const numBytes = stop - start;
    if (this.#length + numBytes > this.#bytes.length) this.#reserve(numBytes);
    if (numBytes > 32) this.#bytes.set(source.subarray(start, stop), this.#length);
    else {
      const target = this.#bytes;
      for (let from = start, to = this.#length; from < stop;) target[to++] = source[from++]!;
    }
    this.#length += numBytes;
  }

  /** Appends text as UTF-8. */
  text(text: string): void {
    // No UTF-16 unit has more than three bytes.
    if (this.#length + 3 * text.length > this.#bytes.length) this.#reserve(3 * text.length);
    if (text.length > maxLoopedText || !this.#ascii(text)) {
      this.#length += encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
    }
  }

  /** The bytes so far, to keep; the output is empty afterwards. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = new Uint8Array(Math.max(this.#bytes.length, 64 << 10));
    this.#length = 0;
    return taken;
  }

  /** Appends text if it is ASCII, for which a loop is faster than a call of the encoder. */
  #ascii(text: string): boolean {
    const bytes = this.#bytes;
    for (let i = 0, to = this.#length; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 128) return false;
      bytes[to++] = unit;
    }
    this.#length += text.length;
    return true;
  }

  #reserve(numBytes: number): void {
    const larger = new Uint8Array(2 * (this.#bytes.length + numBytes));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
