/**
 * Applies the policy of a sink for text that needs 64-bit offsets.
 *
 * @module
 */

import { showValue } from "../../base/kind_of.ts";
import { type Data, DataType, type RecordBatch, type Schema } from "apache-arrow";
import { firstWhere } from "../../base/search.ts";
import { checkSameColumns, layoutOf } from "../data/arrow_data.ts";
import { FileError } from "../../base/errors/file_error.ts";
import { offsetSchema } from "../data/offset_type.ts";
import { withSchema } from "../data/with_schema.ts";

/**
 * A file has one schema, but the width of offsets may differ between the batches of a stream. `split`
 * writes 32-bit offsets and cuts larger batches by rows, `large` writes 64-bit offsets from the first
 * batch on, `error` writes 32-bit offsets and fails if a batch does not fit.
 */
export type OffsetsPolicy = "split" | "large" | "error";

/** The number of bytes from which text and binary data need 64-bit offsets. */
const wideBytes = 2 ** 31 - 1;

const policies: readonly string[] = ["split", "large", "error"] satisfies OffsetsPolicy[];

/** Converts batches to the one schema of a file. */
export class SinkOffsets {
  readonly #file: string;
  readonly #policy: OffsetsPolicy;
  readonly #threshold: number;
  #schema: Schema | undefined;
  #rowsBefore = 0;

  /**
   * `file` is the name in errors. Data of `threshold` bytes or more is treated as needing 64-bit
   * offsets; tests lower it.
   */
  constructor(file: string, policy: OffsetsPolicy, threshold = wideBytes) {
    if (!policies.includes(policy)) {
      const [known, given] = [policies.join(", "), showValue(policy)];
      throw new TypeError(`The option offsets must be one of ${known}, not ${given}`);
    }
    this.#file = file;
    this.#policy = policy;
    this.#threshold = threshold;
  }

  /**
   * Splits a batch into batches with the schema of the file, nearly always one. Throws a FileError
   * that names row and column if the policy forbids a split, or if a single row is too large for
   * `split`.
   */
  *split(batch: RecordBatch): Generator<RecordBatch, void, void> {
    const bits = this.#policy === "large" ? 64 : 32;
    const schema = offsetSchema(batch.schema, bits);
    this.#schema ??= schema;
    checkSameColumns(this.#schema, schema);
    for (const [start, stop] of this.#cuts(batch)) {
      const part = stop - start === batch.numRows ? batch : batch.slice(start, stop);
      yield schema === batch.schema ? part : withSchema(part, schema);
    }
    this.#rowsBefore += batch.numRows;
  }

  /** Returns the row ranges of the parts. */
  *#cuts(batch: RecordBatch): Generator<readonly [number, number], void, void> {
    const { numRows } = batch;
    const wide = this.#policy === "large" ? [] : this.#wideSpans(batch);
    if (wide.length === 0) return yield [0, numRows];
    if (this.#policy === "error") throw this.#refusal(wide[0]!, numRows);
    for (let start = 0; start < numRows;) {
      const stops = wide.map((span) => lastFit(span, start, numRows, this.#threshold));
      const stop = Math.min(...stops);
      if (stop === start) throw this.#largeRow(wide[stops.indexOf(start)]!, start);
      yield [start, stop];
      start = stop;
    }
  }

  #wideSpans({ data, schema, numRows }: RecordBatch): TextSpan[] {
    return data.children.flatMap((column, index) => textSpans(schema.fields[index]!.name, column))
      .filter((span) => span.bytes(0, numRows) >= this.#threshold);
  }

  #refusal(span: TextSpan, numRows: number): FileError {
    const row = this.#rowsBefore + lastFit(span, 0, numRows, this.#threshold);
    const problem = `row ${row}, column ${span.column}: here the batch, which has ` +
      `${span.bytes(0, numRows)} bytes of it, passes what 32-bit offsets can address; ` +
      `regroup, or choose the offsets "split" or "large"`;
    return new FileError(this.#file, problem, { row, column: span.column });
  }

  #largeRow(span: TextSpan, index: number): FileError {
    const row = this.#rowsBefore + index;
    const problem = `row ${row}, column ${span.column}: a value of ` +
      `${span.bytes(index, index + 1)} bytes is more than 32-bit offsets can address; ` +
      `choose the offsets "large"`;
    return new FileError(this.#file, problem, { row, column: span.column });
  }
}

/** Returns the last stop such that the rows from `start` have less than `threshold` bytes. */
function lastFit(span: TextSpan, start: number, numRows: number, threshold: number): number {
  return firstWhere(start + 1, numRows + 1, (stop) => span.bytes(start, stop) >= threshold) - 1;
}

/** The text of a column, or of one nested in it. */
interface TextSpan {
  /** The path of the column, with fields of structs separated by points. */
  readonly column: string;
  /** Returns the bytes of the rows [start, stop) of the batch. */
  bytes(start: number, stop: number): number;
}

/** Maps a row of the batch to the first row of a nested column under it. */
type RowOf = (row: number) => number;

/** Returns the texts of a column: one for each part that has offsets into bytes. */
function textSpans(column: string, data: Data): TextSpan[] {
  return spansOf(column, data, (row) => row);
}

function spansOf(column: string, data: Data, rowOf: RowOf): TextSpan[] {
  const { type, children } = data;
  switch (layoutOf(type)) {
    case "bytes32":
    case "bytes64": {
      const offsetOf = offsetsOf(data);
      return [{ column, bytes: (start, stop) => offsetOf(rowOf(stop)) - offsetOf(rowOf(start)) }];
    }
    case "list32":
    case "list64": {
      const offsetOf = offsetsOf(data);
      return childSpans(column, children[0], (row) => offsetOf(rowOf(row)));
    }
    case "fixed_list": {
      const { listSize } = type as unknown as { listSize: number };
      return childSpans(column, children[0], (row) => listSize * rowOf(row));
    }
    case "struct":
      return children.flatMap((child, index) => {
        const name = DataType.isStruct(type) ? type.children[index]!.name : "";
        return childSpans(`${column}.${name}`, child, rowOf);
      });
    default:
      return [];
  }
}

/** apache-arrow omits nested columns when it makes an empty batch. */
function childSpans(column: string, child: Data | undefined, rowOf: RowOf): TextSpan[] {
  return child === undefined ? [] : spansOf(column, child, rowOf);
}

/** Returns offsets as numbers; a column without rows may have none. */
function offsetsOf({ valueOffsets }: Data): RowOf {
  const offsets = valueOffsets as Int32Array | BigInt64Array | undefined;
  return (row) => Number(offsets?.[row] ?? 0);
}
