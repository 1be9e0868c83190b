/**
 * The operator `joinStrings`, which joins the texts of each batch.
 *
 * @module
 */

import { Field, Schema, Utf8 } from "apache-arrow";
import type { HostColumn } from "../../gpu/column/column.ts";
import { joinText } from "../../gpu/column/join_text.ts";
import { inspectColumn } from "../../gpu/column/utf8.ts";
import {
  Batch,
  BatchColumn,
  checkedAs,
  type EngineOption,
  type NodeKind,
  nodeOf,
  type Operator,
  operatorOf,
  type StageContext,
} from "../engine/operator_kit.ts";
import { isText, typeName } from "../batch/arrow_types.ts";
import { RowError } from "../../base/errors/step_error.ts";
import { checkNamed } from "../../base/option_kinds.ts";
import { checkNames, columnIndex } from "./column_names.ts";

/** Options of `joinStrings`. */
export interface JoinStringsOptions extends EngineOption {
  /** The text between two rows. Default: none. */
  readonly separator?: string;
}

/**
 * Joins the texts of a column into one row for each batch, as SQL's `string_agg` does for each
 * group; a `regroup` in front decides the batches. The row has only this column. Nulls are left
 * out. A batch of only nulls becomes a null, and a batch without rows nothing.
 *
 * An unknown column, or one that is not text, is a TypeError.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, joinStrings, regroup, toTable } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "b", "c"] });
 * const lines = fromBatches(letters)
 *   .pipeThrough(regroup({ rows: 2 }))
 *   .pipeThrough(joinStrings("letter", { separator: "-" }));
 * assertEquals((await toTable(lines)).toArray().map((row) => row.letter), ["a-b", "c"]);
 * ```
 */
export function joinStrings(column: string, options: JoinStringsOptions = {}): Operator {
  checkNames("joinStrings()", [column]);
  checkNamed("joinStrings()", "options", options);
  const { separator = "" } = options;
  if (typeof separator !== "string") {
    throw new TypeError(`joinStrings takes text as separator, not ${typeof separator}`);
  }
  if (!separator.isWellFormed()) {
    throw new TypeError("Text with a lone surrogate cannot be written as UTF-8");
  }
  return operatorOf(nodeOf(joinStringsKind, { column, separator }), options);
}

/** Nodes that return one row with one column for each batch. */
const joinStringsKind: NodeKind<{ readonly column: string; readonly separator: string }> = {
  name: "joinStrings",
  rows: "any",
  boundaries: "seen",
  summary: ({ column, separator }) => `${column}, separator ${JSON.stringify(separator)}`,
  needs: ({ column }) => new Set([column]),
  check({ column, separator }, input) {
    const index = columnIndex(input, column);
    const { type } = input.fields[index]!;
    if (!isText(type)) {
      throw new TypeError(`joinStrings joins text, but ${column} is ${typeName(type)}`);
    }
    const schema = new Schema([new Field(column, new Utf8(), true)], input.metadata);
    return checkedAs({
      schema,
      run: (batches, context) => joinBatches(batches, context, { schema, index, separator }),
    });
  },
};

interface Joined {
  readonly schema: Schema;
  /** The position of the column in the input. */
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
    // Only the joined column comes to the host.
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
