/**
 * A reusable output buffer for encoders of text formats.
 *
 * @module
 */

const encoder = new TextEncoder();
const maxLoopedText = 64;
const bufferBytes = 256 << 10;
/** Bytes of this size or more are not copied. */
const longBytes = 64 << 10;

/**
 * Collects bytes in a buffer that is reused: the caller writes the chunks that it has taken before it adds
 * more bytes.
 */
export class ByteOutput {
  /** The number of bytes not taken yet. */
  length = 0;
  #bytes = new Uint8Array(bufferBytes);
  /** The range of the buffer that is in no chunk yet. */
  #start = 0;
  #stop = 0;
  #chunks: Uint8Array[] = [];

  /** Appends one byte. */
  byte(value: number): void {
    if (this.#stop === this.#bytes.length) this.#reserve(1);
    this.#bytes[this.#stop++] = value;
    this.length++;
  }

  /** Appends the bytes [start, stop). Long ranges are not copied, and must not change until written. */
  bytes(source: Uint8Array, start: number, stop: number): void {
    const numBytes = stop - start;
    this.length += numBytes;
    if (numBytes >= longBytes) {
      this.#closeChunk();
      this.#chunks.push(source.subarray(start, stop));
      return;
    }
    if (this.#stop + numBytes > this.#bytes.length) this.#reserve(numBytes);
    if (numBytes > 32) this.#bytes.set(source.subarray(start, stop), this.#stop);
    else {
      const target = this.#bytes;
      for (let from = start, to = this.#stop; from < stop;) target[to++] = source[from++]!;
    }
    this.#stop += numBytes;
  }

  /** Appends text as UTF-8. */
  text(text: string): void {
    // A UTF-16 unit becomes at most three bytes.
    if (this.#stop + 3 * text.length > this.#bytes.length) this.#reserve(3 * text.length);
    const numBytes = this.#put(text);
    this.#stop += numBytes;
    this.length += numBytes;
  }

  /** Returns the bytes so far and empties the output, whose buffer is then reused. */
  take(): Uint8Array[] {
    this.#closeChunk();
    const taken = this.#chunks;
    this.#chunks = [];
    this.#start = this.#stop = this.length = 0;
    return taken;
  }

  /** Writes text after the bytes; returns its length in bytes. */
  #put(text: string): number {
    const bytes = this.#bytes;
    if (text.length <= maxLoopedText) {
      // For short ASCII, a loop is faster than the encoder.
      let i = 0;
      for (let to = this.#stop; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        if (unit >= 128) break;
        bytes[to++] = unit;
      }
      if (i === text.length) return i;
    }
    return encoder.encodeInto(text, bytes.subarray(this.#stop)).written;
  }

  #closeChunk(): void {
    if (this.#stop > this.#start) this.#chunks.push(this.#bytes.subarray(this.#start, this.#stop));
    this.#start = this.#stop;
  }

  /** Allocates a new buffer; chunks keep the old one. */
  #reserve(numBytes: number): void {
    this.#closeChunk();
    this.#bytes = new Uint8Array(Math.max(bufferBytes, numBytes));
    this.#start = this.#stop = 0;
  }
}
