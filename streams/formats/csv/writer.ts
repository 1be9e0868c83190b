/**
 * Encodes record batches as CSV.
 *
 * @module
 */

import { type Data, DataType, type Field, type RecordBatch, type Schema } from "apache-arrow";
import { checkSameColumns } from "../../data/arrow_data.ts";
import { ByteOutput } from "../../bytes/byte_output.ts";
import { cellError } from "../../../base/errors/wrap_error.ts";
import type { FileEncoder } from "../../sink/file_sink.ts";
import { offsetSchema } from "../../data/offset_type.ts";
import { plainType } from "../../data/plain_schema.ts";
import { rowValidity, textBytesOf, textOf } from "../../text/column_text.ts";
import { uuidTextOf } from "../../data/extension_type.ts";
import { typeName } from "../../types/type_name.ts";

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** The output is yielded whenever it exceeds this many bytes. */
const stepBytes = 128 << 10;

/** A function that writes the value of a row, which must not be null. */
type PutField = (row: number) => void;

/** Encodes a header, then the rows of batches. */
export class CsvEncoder implements FileEncoder {
  readonly #delimiter: number;
  readonly #output = new ByteOutput();
  #schema: Schema | undefined;
  #rowsBefore = 0;

  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  *batch(batch: RecordBatch): Generator<Uint8Array[], void, void> {
    // The width of offsets may differ between batches.
    const schema = offsetSchema(batch.schema, 32);
    if (this.#schema === undefined) {
      if (schema.fields.length === 0) {
        throw new TypeError("has no columns, but a CSV file needs at least one");
      }
      this.#schema = schema;
      this.#putNames(schema);
    } else checkSameColumns(this.#schema, schema);
    const columns = batch.data.children;
    const puts = columns.map((data, i) => this.#putField(data, batch.schema.fields[i]!));
    const valid = columns.map(rowValidity);
    const output = this.#output;
    for (let row = 0; row < batch.numRows; row++) {
      let i = 0;
      try {
        for (; i < puts.length; i++) {
          if (i > 0) output.byte(this.#delimiter);
          if (valid[i]!(row)) puts[i]!(row);
        }
      } catch (cause) {
        throw cellError(cause, this.#rowsBefore + row, schema.fields[i]!.name);
      }
      output.byte(lineFeed);
      if (output.length >= stepBytes) yield output.take();
    }
    this.#rowsBefore += batch.numRows;
    yield output.take();
  }

  end(): Uint8Array[][] {
    return [];
  }

  #putNames(schema: Schema): void {
    const encoder = new TextEncoder();
    for (const [index, { name }] of schema.fields.entries()) {
      if (index > 0) this.#output.byte(this.#delimiter);
      const bytes = encoder.encode(name);
      this.#putText(bytes, 0, bytes.length);
    }
    this.#output.byte(lineFeed);
  }

  #putField(data: Data, field: Field): PutField {
    const type: DataType = data.type;
    if (DataType.isNull(type)) return () => {};
    const putText = (bytes: Uint8Array, start: number, stop: number) =>
      this.#putText(bytes, start, stop);
    const giveText = textBytesOf(data);
    if (giveText !== undefined) return (row) => giveText(row, putText);
    const text = uuidTextOf(data, field) ?? textOf(data);
    if (text === undefined) {
      throw new TypeError(
        `column ${field.name} is ${typeName(plainType(type))}, which has no form in CSV`,
      );
    }
    const mayNeedQuotes = "0123456789+-.:TZ".includes(String.fromCharCode(this.#delimiter)) ||
      /[a-zA-Z]/.test(String.fromCharCode(this.#delimiter));
    if (!mayNeedQuotes) return (row) => this.#output.text(text(row));
    const encoder = new TextEncoder();
    return (row) => {
      const bytes = encoder.encode(text(row));
      this.#putText(bytes, 0, bytes.length);
    };
  }

  /**
   * Writes text, in quotes if it has a delimiter, quote or line end, or if it is empty, since an
   * empty field is null.
   */
  #putText(bytes: Uint8Array, start: number, stop: number): void {
    const output = this.#output;
    if (!this.#needsQuotes(bytes, start, stop)) return output.bytes(bytes, start, stop);
    output.byte(quote);
    let from = start;
    for (let i = start; i < stop; i++) {
      if (bytes[i] !== quote) continue;
      // The next run begins with the same quote, so the quote is written twice.
      output.bytes(bytes, from, i + 1);
      from = i;
    }
    output.bytes(bytes, from, stop);
    output.byte(quote);
  }

  #needsQuotes(bytes: Uint8Array, start: number, stop: number): boolean {
    for (let i = start; i < stop; i++) {
      const byte = bytes[i]!;
      if (
        byte === this.#delimiter || byte === quote || byte === lineFeed || byte === carriageReturn
      ) return true;
    }
    return start === stop;
  }
}
