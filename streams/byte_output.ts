/**
 * Bytes on their way to a file.
 *
 * @module
 */

const encoder = new TextEncoder();
const maxLoopedText = 64;
const bufferBytes = 256 << 10;
/** Bytes from here on are not copied. */
const longBytes = 64 << 10;

/**
 * Collects the bytes of rows in a buffer that is used over and over: what was taken must be written
 * before more is put.
 */
export class ByteOutput {
  /** Bytes that wait to be taken. */
  length = 0;
  #bytes = new Uint8Array(bufferBytes);
  /** Where the bytes that are in no chunk begin in the buffer, and where they end. */
  #start = 0;
  #stop = 0;
  #chunks: Uint8Array[] = [];

  /** Appends one byte. */
  byte(value: number): void {
    if (this.#stop === this.#bytes.length) this.#reserve(1);
    this.#bytes[this.#stop++] = value;
    this.length++;
  }

  /** Appends bytes [start, stop). Where these are many, they must stay as they are until taken. */
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
    // No UTF-16 unit has more than three bytes.
    if (this.#stop + 3 * text.length > this.#bytes.length) this.#reserve(3 * text.length);
    const numBytes = this.#put(text);
    this.#stop += numBytes;
    this.length += numBytes;
  }

  /** The bytes so far, in order; the output is empty afterwards, its buffer will be used again. */
  take(): Uint8Array[] {
    this.#closeChunk();
    const taken = this.#chunks;
    this.#chunks = [];
    this.#start = this.#stop = this.length = 0;
    return taken;
  }

  /** Puts text behind the bytes and gives its length. */
  #put(text: string): number {
    const bytes = this.#bytes;
    if (text.length <= maxLoopedText) {
      // For short ASCII a loop is faster than a call of the encoder.
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

  /** Makes room in a new buffer; chunks keep the one they lie in. */
  #reserve(numBytes: number): void {
    this.#closeChunk();
    this.#bytes = new Uint8Array(Math.max(bufferBytes, numBytes));
    this.#start = this.#stop = 0;
  }
}
