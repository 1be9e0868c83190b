/**
 * What a sink does with text whose offsets need 64 bits.
 *
 * @module
 */

import { type Data, DataType, type RecordBatch, type Schema } from "apache-arrow";
import { checkSameColumns, layoutOf } from "../arrow.ts";
import { FileError } from "../errors.ts";
import { offsetSchema } from "./offset_type.ts";
import { withSchema } from "./with_schema.ts";

/**
 * A file has one schema, but in a stream the offsets of text are 32-bit in one batch and 64-bit in
 * the next. `split` writes 32-bit offsets and cuts larger batches by rows, `large` writes 64-bit
 * offsets from the first batch on, `error` writes 32-bit offsets and refuses what does not fit.
 */
export type OffsetsPolicy = "split" | "large" | "error";

/** Text and binary data of so many bytes and more need 64-bit offsets. */
const wideBytes = 2 ** 31 - 1;

const policies: readonly string[] = ["split", "large", "error"] satisfies OffsetsPolicy[];

/** Throws where a value is no policy; `what` names it. */
export function checkOffsetsPolicy(value: unknown, what: string): void {
  if (value === undefined || policies.includes(value as string)) return;
  throw new TypeError(`${what} is one of ${policies.join(", ")}, not ${JSON.stringify(value)}`);
}

/** Brings batches to the one schema of a file. */
export class SinkOffsets {
  readonly #file: string;
  readonly #policy: OffsetsPolicy;
  readonly #threshold: number;
  #schema: Schema | undefined;
  #rowsBefore = 0;

  /**
   * `file` is what errors call the file. Tests give a lower `threshold`, in bytes: what spans as
   * many or more is taken to need 64-bit offsets.
   */
  constructor(file: string, policy: OffsetsPolicy, threshold = wideBytes) {
    this.#file = file;
    this.#policy = policy;
    this.#threshold = threshold;
  }

  /**
   * The rows of a batch in pieces that have the schema of the file, which is that of the first
   * batch with 32-bit or 64-bit offsets: nearly always one piece. Throws a FileError that names row
   * and column where the policy does not allow a piece, or a single row is too large for `split`.
   */
  *pieces(batch: RecordBatch): Generator<RecordBatch, void, void> {
    const bits = this.#policy === "large" ? 64 : 32;
    const schema = offsetSchema(batch.schema, bits);
    this.#schema ??= schema;
    checkSameColumns(this.#schema, schema);
    for (const [start, stop] of this.#cuts(batch)) {
      const piece = stop - start === batch.numRows ? batch : batch.slice(start, stop);
      yield schema === batch.schema ? piece : withSchema(piece, schema);
    }
    this.#rowsBefore += batch.numRows;
  }

  /** Row ranges, the pieces. */
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

/** The last stop such that the rows from `start` span less than `threshold` bytes. */
function lastFit(span: TextSpan, start: number, numRows: number, threshold: number): number {
  let low = start;
  let high = numRows + 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (span.bytes(start, middle) < threshold) low = middle;
    else high = middle;
  }
  return low;
}

/** The text of one column, or of one that is nested in it. */
export interface TextSpan {
  /** The column; behind points the fields of structs, to the one that has the text. */
  readonly column: string;
  /** Bytes of the rows [start, stop) of the batch. */
  bytes(start: number, stop: number): number;
}

/** Gives the rows of a nested column that lie under a row of the batch, or begin with it. */
type RowOf = (row: number) => number;

/** The spans of a column: one for each of its parts that has 32-bit or 64-bit offsets into bytes. */
export function textSpans(column: string, data: Data): TextSpan[] {
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

/** apache-arrow leaves nested columns out where it makes a batch of no rows. */
function childSpans(column: string, child: Data | undefined, rowOf: RowOf): TextSpan[] {
  return child === undefined ? [] : spansOf(column, child, rowOf);
}

/** Offsets as numbers; a column of no rows may have none. */
function offsetsOf({ valueOffsets }: Data): RowOf {
  const offsets = valueOffsets as Int32Array | BigInt64Array | undefined;
  return (row) => Number(offsets?.[row] ?? 0);
}
