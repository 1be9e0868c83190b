/**
 * Writing CSV.
 *
 * @module
 */

import { type Data, DataType, type RecordBatch, type Schema, type Vector } from "apache-arrow";
import { checkSameColumns } from "../arrow.ts";
import { ByteOutput } from "../byte_output.ts";
import type { FileEncoder } from "../file_sink.ts";
import { offsetSchema } from "../offsets/offset_type.ts";
import { textOf } from "../text_values.ts";

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Writes a row's field of one column, which is not null. */
type PutField = (row: number) => void;

/** Turns batches into CSV, with a line of names before the first. */
export class CsvEncoder implements FileEncoder {
  readonly #delimiter: number;
  readonly #output = new ByteOutput();
  #schema: Schema | undefined;

  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  batch(batch: RecordBatch): Uint8Array[] {
    // Text may have 32-bit offsets in one batch and 64-bit ones in the next.
    const schema = offsetSchema(batch.schema, 32);
    if (this.#schema === undefined) {
      this.#schema = schema;
      this.#putNames(schema);
    } else checkSameColumns(this.#schema, schema);
    const columns = batch.data.children;
    const puts = columns.map((data, index) =>
      this.#putField(data, batch.getChildAt(index)!, batch.schema.fields[index]!.name)
    );
    for (let row = 0; row < batch.numRows; row++) {
      for (let i = 0; i < puts.length; i++) {
        if (i > 0) this.#output.byte(this.#delimiter);
        if (columns[i]!.getValid(row)) puts[i]!(row);
      }
      this.#output.byte(lineFeed);
    }
    return [this.#output.take()];
  }

  end(): Uint8Array[] {
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

  #putField(data: Data, vector: Vector, name: string): PutField {
    const { type } = data;
    if (DataType.isNull(type)) return () => {};
    if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
      const { valueOffsets, values } = data;
      return (row) =>
        this.#putText(values, Number(valueOffsets[row]), Number(valueOffsets[row + 1]));
    }
    const text = DataType.isUtf8View(type)
      ? (row: number) => vector.get(row) as string
      : textOf(data);
    if (text === undefined) {
      throw new TypeError(`column ${name} is ${type}, which has no form in CSV`);
    }
    const encoder = new TextEncoder();
    const mayNeedQuotes = DataType.isUtf8View(type) || DataType.isDictionary(type) ||
      "0123456789+-.:TZ".includes(String.fromCharCode(this.#delimiter));
    if (!mayNeedQuotes) return (row) => this.#output.text(text(row));
    return (row) => {
      const bytes = encoder.encode(text(row));
      this.#putText(bytes, 0, bytes.length);
    };
  }

  /** Puts a text in quotes where it holds what ends a field, and where it is empty. */
  #putText(bytes: Uint8Array, start: number, stop: number): void {
    if (!this.#needsQuotes(bytes, start, stop)) return this.#output.bytes(bytes, start, stop);
    this.#output.byte(quote);
    for (let i = start; i < stop; i++) {
      const byte = bytes[i]!;
      if (byte === quote) this.#output.byte(quote);
      this.#output.byte(byte);
    }
    this.#output.byte(quote);
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
