/** @module */

import { Field, Schema, Utf8 } from "apache-arrow";
import type { HostColumn } from "../../gpu/column/column.ts";
import { joinText } from "../../gpu/column/join_text.ts";
import { inspectColumn } from "../../gpu/column/utf8.ts";
import { isText, typeName } from "../batch/arrow_types.ts";
import { Batch } from "../batch/batch.ts";
import { BatchColumn } from "../batch/batch_column.ts";
import { columnIndex } from "./columns.ts";
import type { OperatorNode, StageContext } from "../engine/node.ts";
import { RowError } from "../engine/step_error.ts";

/** The node of `joinStrings`: one row of one column for each batch. */
export function joinStringsNode(column: string, separator: string): OperatorNode {
  return Object.freeze<OperatorNode>({
    name: "joinStrings",
    rows: "any",
    perBatch: true,
    summary: `${column}, separator ${JSON.stringify(separator)}`,
    needs: () => new Set([column]),
    bind(input) {
      const index = columnIndex(input, column);
      const { type } = input.fields[index]!;
      if (!isText(type)) {
        throw new TypeError(`joinStrings joins text, ${column} is ${typeName(type)}`);
      }
      const schema = new Schema([new Field(column, new Utf8(), true)], input.metadata);
      return {
        schema,
        explain: () => [],
        run: (batches, context) => joinBatches(batches, context, { schema, index, separator }),
      };
    },
  });
}

interface Joined {
  readonly schema: Schema;
  /** Number of the column in the input. */
  readonly index: number;
  readonly separator: string;
}

async function* joinBatches(
  input: AsyncIterable<Batch>,
  { backend }: StageContext,
  { schema, index, separator }: Joined,
): AsyncGenerator<Batch, void, void> {
  const bytes = new TextEncoder().encode(separator);
  let firstRow = 0;
  for await (const batch of input) {
    const { numRows } = batch;
    // Only the column that is joined comes to the host.
    const picked = batch.pick(schema, [index]);
    batch.release();
    await picked.onHost(backend);
    try {
      if (numRows > 0) yield joinedRow(schema, picked, bytes, firstRow);
    } finally {
      picked.release();
    }
    firstRow += numRows;
  }
}

function joinedRow(schema: Schema, batch: Batch, separator: Uint8Array, firstRow: number): Batch {
  const column = batch.columns[0]!.column as HostColumn;
  try {
    inspectColumn(column);
    const joined = joinText(column, separator);
    return new Batch(schema, 1, [BatchColumn.fromColumn(schema.fields[0]!.type, joined)]);
  } catch (error) {
    const row = (error as { row?: unknown } | null)?.row;
    throw typeof row === "number" ? new RowError(firstRow + row, error) : error;
  }
}
