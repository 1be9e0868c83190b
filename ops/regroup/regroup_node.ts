/** @module */

import type { Schema } from "apache-arrow";
import type { HostColumn } from "../../gpu/column/column.ts";
import { concatColumns } from "../../gpu/column/concat.ts";
import { type GroupSize, type Part, type Piece, Regrouper } from "../../streams/regrouper.ts";
import { Batch } from "../batch/batch.ts";
import { BatchColumn } from "../batch/batch_column.ts";
import type { OperatorNode, Stage, StageContext } from "../engine/node.ts";
import { columnTypeOf } from "../batch/arrow_types.ts";
import { fixedBytes, rowBytes } from "./row_bytes.ts";

/** The node of `regroup`; the rules of the engine know it by its `size`. */
export interface RegroupNode extends OperatorNode {
  readonly size: GroupSize;
}

/** The node that `regroup` makes. */
export function regroupNode(size: GroupSize): RegroupNode {
  const limits = [
    size.rows === Infinity ? "" : `${size.rows} rows`,
    size.bytes === Infinity ? "" : `${size.bytes} bytes`,
  ];
  return Object.freeze<RegroupNode>({
    name: "regroup",
    rows: "same",
    size,
    summary: limits.filter((limit) => limit !== "").join(", "),
    needs: (wanted) => wanted,
    bind: (schema): Stage => ({
      schema,
      explain: () => [],
      run: (input, context) => regroupBatches(schema, size, input, context),
    }),
  });
}

/** Whether a node is a regroup. */
export function isRegroup(node: OperatorNode): node is RegroupNode {
  return "size" in node;
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

/** The rows of batches on the host, at least one, one after the other, in new buffers. */
export function concatBatches(schema: Schema, batches: readonly Batch[]): Batch {
  const numRows = batches.reduce((sum, batch) => sum + batch.numRows, 0);
  const columns = schema.fields.map((field, index) => {
    const parts = batches.map((batch) => batch.columns[index]!.column as HostColumn);
    return BatchColumn.fromColumn(field.type, concatColumns(parts));
  });
  return new Batch(schema, numRows, columns);
}
