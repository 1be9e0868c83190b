/**
 * Splits CSV bytes into records and fields.
 *
 * @module
 */

import { RecordError } from "../../../base/errors/data_error.ts";

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Finds the positions of the fields of one record at a time, without making strings. Quotes follow
 * RFC 4180; a quote inside an unquoted field is an ordinary character. Lines end with LF or CRLF, the
 * last one also with CR or nothing; elsewhere a lone CR is an ordinary character.
 */
export class RecordScanner {
  /** The start and stop of each field, without its quotes. */
  starts = new Int32Array(64);
  stops = new Int32Array(64);
  /** For each field: 0 is plain, 1 quoted, 2 quoted with doubled quotes inside. */
  quoting = new Uint8Array(64);
  /** The number of fields of the last record. */
  numFields = 0;
  readonly #delimiter: number;

  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  /**
   * Scans the record at `position`. Returns the position after its line end, or -1 if the record is
   * incomplete. With `isLast`, the end of the bytes also ends the record.
   */
  scan(bytes: Uint8Array, position: number, isLast: boolean): number {
    const delimiter = this.#delimiter;
    const { length } = bytes;
    let at = position;
    for (let field = 0;; field++) {
      if (field === this.starts.length) this.#grow();
      if (at < length && bytes[at] === quote) {
        at = this.#scanQuoted(bytes, at, field, isLast);
        if (at < 0) return -1;
      } else {
        this.starts[field] = at;
        this.quoting[field] = 0;
        let byte = -1;
        while (at < length && (byte = bytes[at]!) !== delimiter && byte !== lineFeed) at++;
        const atLineEnd = at < length ? byte === lineFeed : isLast;
        const hasReturn = atLineEnd && at > this.starts[field]! &&
          bytes[at - 1] === carriageReturn;
        this.stops[field] = hasReturn ? at - 1 : at;
      }
      this.numFields = field + 1;
      if (at >= length) return isLast ? length : -1;
      if (bytes[at++] === lineFeed) return at;
    }
  }

  /** Scans a quoted field; returns the position of the delimiter or line feed that ends it. */
  #scanQuoted(bytes: Uint8Array, position: number, field: number, isLast: boolean): number {
    const { length } = bytes;
    let at = position + 1;
    this.starts[field] = at;
    this.quoting[field] = 1;
    for (;;) {
      at = bytes.indexOf(quote, at);
      if (at < 0) {
        if (isLast) throw new RecordError("has a quote that is never closed");
        return -1;
      }
      if (at + 1 === length && !isLast) return -1;
      if (bytes[at + 1] !== quote) break;
      this.quoting[field] = 2;
      at += 2;
    }
    this.stops[field] = at++;
    if (bytes[at] === carriageReturn && (at + 1 === length || bytes[at + 1] === lineFeed)) at++;
    if (at >= length) return isLast ? length : -1;
    if (bytes[at] !== this.#delimiter && bytes[at] !== lineFeed) {
      throw new RecordError(`has text after the closing quote of field ${field + 1}`);
    }
    return at;
  }

  #grow(): void {
    const larger = <A extends Int32Array | Uint8Array>(array: A, copy: A): A => {
      copy.set(array);
      return copy;
    };
    const size = this.starts.length * 2;
    this.starts = larger(this.starts, new Int32Array(size));
    this.stops = larger(this.stops, new Int32Array(size));
    this.quoting = larger(this.quoting, new Uint8Array(size));
  }
}

/** Returns the bytes of a field, with doubled quotes unescaped. */
export function fieldBytes(
  bytes: Uint8Array,
  start: number,
  stop: number,
  quoting: number,
): Uint8Array {
  const raw = bytes.subarray(start, stop);
  if (quoting !== 2) return raw;
  const text = new Uint8Array(raw.length);
  let length = 0;
  for (let i = 0; i < raw.length; i++) {
    text[length++] = raw[i]!;
    if (raw[i] === quote) i++;
  }
  return text.subarray(0, length);
}
