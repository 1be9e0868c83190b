/**
 * Writing NDJSON.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import { checkSameColumns } from "../arrow.ts";
import { ByteOutput } from "../byte_output.ts";
import { cellError } from "../errors.ts";
import type { FileEncoder } from "../file_sink.ts";
import { offsetSchema } from "../offsets/offset_type.ts";
import { jsonValues } from "./values.ts";

/** Bytes after which what there is goes to the file. */
const stepBytes = 128 << 10;
const lineFeed = 0x0a;
const endOfObject = 0x7d;

/** Turns each row into an object on a line of its own. */
export class NdjsonEncoder implements FileEncoder {
  readonly #output = new ByteOutput();
  readonly #encoder = new TextEncoder();
  #schema: Schema | undefined;
  #rowsBefore = 0;

  *batch(batch: RecordBatch): Generator<Uint8Array[], void, void> {
    // Text may have 32-bit offsets in one batch and 64-bit ones in the next.
    const schema = offsetSchema(batch.schema, 32);
    checkSameColumns(this.#schema ??= schema, schema);
    const output = this.#output;
    const values = batch.data.children.map((data, index) =>
      jsonValues(data, schema.fields[index]!, output)
    );
    const keys = schema.fields.map(({ name }, index) =>
      this.#encoder.encode(`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`)
    );
    for (let row = 0; row < batch.numRows; row++) {
      if (keys.length === 0) output.text("{");
      let i = 0;
      try {
        for (; i < keys.length; i++) {
          output.bytes(keys[i]!, 0, keys[i]!.length);
          values[i]!(row);
        }
      } catch (cause) {
        throw cellError(cause, this.#rowsBefore + row, schema.fields[i]!.name);
      }
      output.byte(endOfObject);
      output.byte(lineFeed);
      if (output.length >= stepBytes) yield output.take();
    }
    this.#rowsBefore += batch.numRows;
    yield output.take();
  }

  end(): Uint8Array[][] {
    return [];
  }
}
