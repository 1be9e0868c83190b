/** Outcomes of pipelines, files and the model, in one form. */

import type { Data, RecordBatch } from "apache-arrow";
import { plainType } from "../../streams/data/plain_schema.ts";
import { valuesOf } from "../support/values/arrow_values.ts";
import { encodeValue } from "./case_types.ts";
import type { ModelTable } from "./model_table.ts";

/** The result of a pipeline: columns as text that tells every value apart, or an error. */
export type Outcome = RowsOutcome | {
  readonly error: string;
  readonly name: string;
  readonly row?: number;
};

/** Rows that came out. */
export interface RowsOutcome {
  /** Name and type of each column. */
  readonly schema: readonly string[];
  readonly numRows: number;
  /** A text for each column. */
  readonly columns: readonly string[];
  /** Rows of each batch. */
  readonly sizes: readonly number[];
}

/** The rows of batches. */
export function rowsOutcome(batches: readonly RecordBatch[]): RowsOutcome {
  const [first] = batches;
  if (first === undefined) return { schema: [], numRows: 0, columns: [], sizes: [] };
  const { fields } = first.schema;
  const types = fields.map(({ type }) => plainType(type));
  const columns = types.map((type, index) =>
    JSON.stringify(
      batches.flatMap((batch) => valuesIn(batch.data.children[index]!, batch.numRows))
        .map((value) => encodeValue(type, value)),
    )
  );
  return {
    schema: fields.map(({ name }, index) => `${name}: ${types[index]}`),
    numRows: batches.reduce((sum, { numRows }) => sum + numRows, 0),
    columns,
    sizes: batches.map(({ numRows }) => numRows),
  };
}

function valuesIn(column: Data, numRows: number): unknown[] {
  if (column.length !== numRows) {
    throw new Error(`a column has ${column.length} rows in a batch of ${numRows}`);
  }
  const values = valuesOf(column);
  const numNulls = values.filter((value) => value === null).length;
  if (column.type.typeId !== 1 && column.nullCount !== numNulls) {
    throw new Error(`nullCount is ${column.nullCount} where ${numNulls} values are null`);
  }
  return values;
}

/** Returns a table of the model as an outcome. */
export function modelOutcome(table: ModelTable): RowsOutcome {
  return {
    schema: table.columns.map(({ name, type }) => `${name}: ${type}`),
    numRows: table.numRows,
    columns: table.columns.map(({ type, values }) =>
      JSON.stringify(values.map((value) => encodeValue(type, value)))
    ),
    sizes: table.sizes ?? [],
  };
}
