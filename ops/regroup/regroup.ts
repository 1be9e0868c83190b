/** @module */

import type { Schema } from "apache-arrow";
import type { HostColumn } from "../../gpu/column/column.ts";
import type { Operator } from "../../streams/operator.ts";
import { type GroupSize, type Part, type Piece, Regrouper } from "../../streams/regrouper.ts";
import { columnTypeOf } from "../batch/arrow_types.ts";
import { type Batch, concatBatches } from "../batch/batch.ts";
import { type EngineOption, operatorOf } from "../engine/operator_of.ts";
import {
  isOf,
  type NodeKind,
  nodeOf,
  type OperatorNode,
  type StageContext,
  type Step,
} from "../engine/node.ts";
import { fixedBytes, rowBytes } from "./row_bytes.ts";

/** How large the batches become; at least one of the two is given. */
export interface RegroupOptions extends EngineOption {
  /** Rows of every batch but the last: an integer of at least 1. */
  readonly rows?: number;
  /**
   * Bytes that no batch passes, unless one row alone does: at least 1. A bit of validity is counted
   * for every value, so that the same rows always give the same batches.
   */
  readonly bytes?: number;
}

/**
 * Cuts and joins batches so that each has exactly `rows` rows, or fewer where one more would pass
 * `bytes`; the last takes the rest. Rows and their order stay. A batch that has the right size
 * already is passed on without a copy. An empty stream gives one batch of zero rows.
 *
 * A size below 1 is a RangeError, and no size at all a TypeError.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, regroup } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "b", "c", "d", "e"] });
 * const sizes = [];
 * for await (const batch of fromBatches(letters).pipeThrough(regroup({ rows: 2 }))) {
 *   sizes.push(batch.numRows);
 * }
 * assertEquals(sizes, [2, 2, 1]);
 * ```
 */
export function regroup(options: RegroupOptions): Operator {
  // Programs without types may leave the options out.
  const { rows, bytes } = options ?? {};
  if (rows === undefined && bytes === undefined) {
    throw new TypeError("Regroup by rows, by bytes or by both");
  }
  if (rows !== undefined && !(Number.isSafeInteger(rows) && rows >= 1)) {
    throw new RangeError(`The rows of a batch are an integer of at least 1, not ${rows}`);
  }
  if (bytes !== undefined && !(bytes >= 1)) {
    throw new RangeError(`The bytes of a batch are at least 1, not ${bytes}`);
  }
  const node = nodeOf(regroupKind, { rows: rows ?? Infinity, bytes: bytes ?? Infinity });
  return operatorOf(node, options);
}

const regroupKind: NodeKind<GroupSize> = {
  name: "regroup",
  rows: "same",
  boundaries: "made",
  summary: ({ rows, bytes }) =>
    [
      ...(rows === Infinity ? [] : [`${rows} rows`]),
      ...(bytes === Infinity ? [] : [`${bytes} bytes`]),
    ].join(", "),
  needs: (_, wanted) => wanted,
  bind: (size, schema) => ({
    schema,
    run: (input, context) => regroupBatches(schema, size, input, context),
  }),
  rewrites: {
    pairs: [{
      name: "of two regroups the last wins",
      rewrite: (first, second) => isOf(first.node, regroupKind) ? [second] : undefined,
    }],
    ahead: regroupAhead,
  },
};

/** Rows that are held for the sake of boundaries, at most. */
const MAX_ROWS_AHEAD = 131_072;

/**
 * Regroups the narrow rows of the source as well: as long as what lies between keeps every row (a
 * join in which each finds one match does), the later regroup finds its boundaries in place and
 * copies nothing. The later one stays, and with it its promise.
 */
function regroupAhead(
  { spec: { rows } }: OperatorNode<GroupSize>,
  before: readonly Step[],
): OperatorNode | undefined {
  if (rows > MAX_ROWS_AHEAD) return undefined;
  // An operator that promises less than the same rows may see the boundaries of its input.
  const keepsRows = before.every(({ node: { kind } }) =>
    kind.rows === "same" || kind.rows === "mostly same"
  );
  return keepsRows ? nodeOf(regroupKind, { rows, bytes: Infinity }) : undefined;
}

/** A batch on the host, which holds no memory that would have to be given back. */
class BatchPiece implements Piece {
  readonly batch: Batch;
  readonly #columns: readonly HostColumn[];

  constructor(batch: Batch) {
    this.batch = batch;
    this.#columns = batch.columns.map((column) => column.column as HostColumn);
  }

  get numRows(): number {
    return this.batch.numRows;
  }

  rowBytes(start: number, stop: number): number {
    return this.#columns.reduce((sum, column) => sum + rowBytes(column, start, stop), 0);
  }
}

async function* regroupBatches(
  schema: Schema,
  size: GroupSize,
  input: AsyncIterable<Batch>,
  { backend }: StageContext,
): AsyncGenerator<Batch, void, void> {
  const besideRows = schema.fields.reduce(
    (sum, { type }) => sum + fixedBytes(columnTypeOf(type)),
    0,
  );
  const regrouper = new Regrouper<BatchPiece>({ ...size, bytes: size.bytes - besideRows });
  for await (const batch of input) {
    for (const parts of regrouper.push(new BatchPiece(await batch.onHost(backend)))) {
      yield joinParts(schema, parts);
    }
  }
  const last = regrouper.end();
  if (last.length > 0) yield joinParts(schema, last);
}

/** The rows of the parts as one batch; a single part shares its buffers. */
function joinParts(schema: Schema, parts: readonly Part<BatchPiece>[]): Batch {
  const slices = parts.map(({ piece, start, stop }) =>
    start === 0 && stop === piece.numRows ? piece.batch : piece.batch.slice(start, stop)
  );
  if (slices.length === 1) return slices[0]!;
  return concatBatches(schema, slices);
}
