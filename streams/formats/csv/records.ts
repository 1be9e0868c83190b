/**
 * The records of a CSV file, one at a time.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import { FileError } from "../../../base/errors/file_error.ts";
import type { FileInput } from "../../bytes/file_input.ts";
import { GrowingBytes } from "../../bytes/growing_bytes.ts";
import { joinBytes } from "../../bytes/join_bytes.ts";
import { type RowLimit, rowLimit } from "../../rows/row_limit.ts";
import type { InvalidText } from "../../text/valid_utf8.ts";
import type { TypeGuess } from "./infer.ts";
import { fieldBytes, RecordScanner } from "./record_scanner.ts";

const carriageReturn = 0x0d;
const byteOrderMark = [0xef, 0xbb, 0xbf];
/** From this many bytes on, a record is large: each read doubles its buffer. */
const leastLargeBytes = 1 << 20;
/** The most bytes of a record: positions and the offsets of a batch are 32-bit integers. */
const mostRecordBytes = 2 ** 31 - 2 ** 24;
const whyMost = "the most of CSV";

/** Options for reading records. */
export interface RecordDialect extends RowLimit {
  /** The name of the file in errors. */
  readonly name: string;
  /** The byte between fields. */
  readonly delimiter: number;
  /** The treatment of a header that is not UTF-8. Default: an error. */
  readonly invalid?: InvalidText;
  /** From this many bytes on, a record is large. Default: 1 MiB. */
  readonly largeRecordBytes?: number;
}

/**
 * Reads the records of a file, of which the first is the header. Errors name the row. Declare it
 * with `using`.
 */
export class CsvRecords implements Disposable {
  /** The fields of the last record, as positions in `bytes`. */
  readonly scanner: RecordScanner;
  /** The buffer; valid until the next record is requested. */
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** Bytes of the last record, including its line end. */
  numBytes = 0;
  /** Whether to skip empty lines instead of reading them as one empty field. */
  skipsEmptyLines = true;
  readonly #name: string;
  readonly #input: FileInput;
  readonly #largeBytes: number;
  readonly #invalid: InvalidText;
  readonly #limit: ReturnType<typeof rowLimit>;
  /** Owns `bytes` if they were read for a large record. */
  #large: GrowingBytes | undefined;
  #numRecords = 0;
  #position = 0;
  #isLast = false;
  #isAtStart = true;

  constructor(input: FileInput, dialect: RecordDialect) {
    const { name, delimiter, largeRecordBytes, invalid = "error" } = dialect;
    this.#limit = rowLimit(dialect, mostRecordBytes, whyMost);
    this.#input = input;
    this.#name = name;
    this.#invalid = invalid;
    this.#largeBytes = largeRecordBytes ?? leastLargeBytes;
    this.scanner = new RecordScanner(delimiter);
  }

  /** Moves to the next record; false at the end of the file. */
  async next(): Promise<boolean> {
    while (!this.nextBuffered()) {
      if (this.#isLast) return false;
      await this.#readMore();
    }
    return true;
  }

  /** Moves to the next record if all of it is buffered. */
  nextBuffered(): boolean {
    do {
      if (this.#position >= this.bytes.length) return false;
      const stop = this.#scan();
      if (stop < 0) return false;
      this.numBytes = stop - this.#position;
      this.#position = stop;
    } while (this.skipsEmptyLines && this.#isEmptyLine());
    this.#numRecords++;
    return true;
  }

  /** Returns the fields of the last record as text. */
  texts(): string[] {
    const decoder = new TextDecoder("utf-8", {
      fatal: this.#invalid === "error",
      ignoreBOM: true,
    });
    const { starts, stops, quoting, numFields } = this.scanner;
    return Array.from({ length: numFields }, (_, i) => {
      try {
        return decoder.decode(fieldBytes(this.bytes, starts[i]!, stops[i]!, quoting[i]!));
      } catch (cause) {
        throw new FileError(this.#name, "invalid UTF-8 in the header", { cause });
      }
    });
  }

  /**
   * Whether an unquoted field of the last record has a carriage return, most likely meant as a line
   * end.
   */
  endsLinesByReturns(): boolean {
    const { starts, stops, quoting, numFields } = this.scanner;
    for (let i = 0; i < numFields; i++) {
      const field = this.bytes.subarray(starts[i], stops[i]);
      if (quoting[i] === 0 && field.includes(carriageReturn)) return true;
    }
    return false;
  }

  /** Adds the last record to the guesses. Surplus fields are reported when the record is read. */
  guess(guesses: readonly TypeGuess[]): void {
    const { starts, stops, numFields } = this.scanner;
    for (let i = 0; i < Math.min(numFields, guesses.length); i++) {
      if (starts[i] !== stops[i]) guesses[i]!.add(this.bytes, starts[i]!, stops[i]!);
    }
  }

  /** Frees the memory of a large record. The caller must not use the record afterwards. */
  freeRecord(): void {
    const rest = this.bytes.subarray(this.#position);
    if (this.#large === undefined || rest.length >= this.#largeBytes) return;
    this.bytes = rest.slice();
    this.#position = 0;
    this.#freeLarge();
  }

  [Symbol.dispose](): void {
    this.#freeLarge();
  }

  #scan(): number {
    try {
      return this.scanner.scan(this.bytes, this.#position, this.#isLast);
    } catch (cause) {
      if (!isSluiceError(cause, "RecordError")) throw cause;
      const row = this.#numRecords - 1;
      if (row < 0) throw new FileError(this.#name, `the header ${cause.message}`, { cause });
      throw new FileError(this.#name, `row ${row} ${cause.message}`, { cause, row });
    }
  }

  #tooLong(): FileError {
    const row = this.#numRecords - 1;
    const what = row < 0 ? "the header" : `row ${row}`;
    const { bytes, why } = this.#limit;
    const problem = `${what} has more than ${bytes} bytes, ${why}, or a quote that is never closed`;
    return new FileError(this.#name, problem, row < 0 ? {} : { row });
  }

  #isEmptyLine(): boolean {
    const { numFields, starts, stops, quoting } = this.scanner;
    return numFields === 1 && starts[0] === stops[0] && quoting[0] === 0;
  }

  async #readMore(): Promise<void> {
    const rest = this.bytes.subarray(this.#position);
    const room = this.#limit.bytes - rest.length;
    if (room <= 0) throw this.#tooLong();
    if (rest.length < this.#largeBytes) {
      const chunk = await this.#input.readSome();
      this.#isLast = chunk.length === 0;
      this.bytes = rest.length === 0 ? chunk : joinBytes([rest, chunk]);
      this.#freeLarge();
    } else {
      const large = this.#largeRecord(rest);
      this.#isLast = await large.fill(this.#input, Math.min(large.length, room)) === 0;
      this.bytes = large.bytes;
    }
    this.#position = 0;
    if (this.#isAtStart && this.bytes.length >= byteOrderMark.length) {
      this.#isAtStart = false;
      const hasMark = byteOrderMark.every((byte, index) => this.bytes[index] === byte);
      if (hasMark) this.#position = byteOrderMark.length;
    }
  }

  /** Returns the bytes of a large record so far, which can grow. */
  #largeRecord(rest: Uint8Array): GrowingBytes {
    if (this.#large !== undefined && this.#position === 0) return this.#large;
    const large = new GrowingBytes();
    large.append(rest);
    this.#freeLarge();
    return this.#large = large;
  }

  #freeLarge(): void {
    this.#large?.free();
    this.#large = undefined;
  }
}
