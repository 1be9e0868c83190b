/** Compares an outcome with the model. */

import type { ModelTable } from "./model_table.ts";
import { modelOutcome, type Outcome, type RowsOutcome } from "./outcome.ts";
import type { ModelError } from "./step_model.ts";

/** A failure of a case: its message and its kind. */
export interface Failure {
  /** The same for cases that fail in the same way. */
  readonly kind: string;
  readonly message: string;
}

/** Returns the first difference between DuckDB's result and the model's. */
export function duckDifference(
  outcome: Pick<RowsOutcome, "numRows" | "columns">,
  model: ModelTable,
): Failure | undefined {
  const { schema, numRows, columns: inOrder } = modelOutcome(model);
  const columns = model.isUnordered ? sortedRows(inOrder) : inOrder;
  const theirs = model.isUnordered ? sortedRows(outcome.columns) : outcome.columns;
  if (outcome.numRows !== numRows) {
    return wrong("rows (DuckDB)", `DuckDB: ${outcome.numRows} rows, not ${numRows}`);
  }
  const index = columns.findIndex((text, index) => text !== theirs[index]);
  if (index < 0) return undefined;
  const told = valueDifference(schema[index]!, theirs[index]!, columns[index]!);
  return wrong("values (DuckDB)", `DuckDB: ${told}`);
}

/** Returns the first difference between an outcome and the model's. */
export function difference(outcome: Outcome, model: ModelTable | ModelError): Failure | undefined {
  if ("error" in model) {
    const wanted = model.row === undefined ? model.error : `${model.error} in row ${model.row}`;
    if (!("error" in outcome)) return wrong("no error", `no error, where the model has ${wanted}`);
    const { error } = outcome;
    const isSame = outcome.name === model.error &&
      (model.told ?? []).every((part) => error.includes(part));
    return isSame ? undefined : wrong(
      `error ${outcome.name}`,
      `${outcome.name}: ${outcome.error}, where the model has ${wanted}`,
    );
  }
  if ("error" in outcome) {
    return wrong(
      `error ${outcome.name}`,
      `${outcome.name}: ${outcome.error}, where the model has none`,
    );
  }
  const expected = modelOutcome(model);
  if (model.isUnordered) outcome = { ...outcome, columns: sortedRows(outcome.columns) };
  if (outcome.schema.length === 0 && expected.numRows === 0) return undefined;
  if (outcome.schema.join() !== expected.schema.join()) {
    return wrong(
      "schema",
      `the schema is ${outcome.schema.join(", ")}, not ${expected.schema.join(", ")}`,
    );
  }
  if (outcome.numRows !== expected.numRows) {
    return wrong("rows", `${outcome.numRows} rows, not ${expected.numRows}`);
  }
  const wanted = model.isUnordered ? sortedRows(expected.columns) : expected.columns;
  for (const [index, text] of outcome.columns.entries()) {
    if (text === wanted[index]) continue;
    return wrong("values", valueDifference(expected.schema[index]!, text, wanted[index]!));
  }
  if (model.sizes !== undefined && outcome.sizes.join() !== model.sizes.join()) {
    return wrong("batches", `batches of ${outcome.sizes} rows, not of ${model.sizes}`);
  }
}

/** The columns of the same rows in an order that depends on their values alone. */
function sortedRows(columns: readonly string[]): string[] {
  const values = columns.map((text) => JSON.parse(text) as unknown[]);
  const rows = (values[0] ?? []).map((_, row) => JSON.stringify(values.map((part) => part[row])));
  const sorted = rows.sort().map((text) => JSON.parse(text) as unknown[]);
  return columns.map((_, index) => JSON.stringify(sorted.map((row) => row[index])));
}

function valueDifference(column: string, ours: string, theirs: string): string {
  const [a, b] = [JSON.parse(ours), JSON.parse(theirs)] as [unknown[], unknown[]];
  const row = a.findIndex((value, index) => JSON.stringify(value) !== JSON.stringify(b[index]));
  return `${column}, row ${row}: ${JSON.stringify(a[row])}, not ${JSON.stringify(b[row])}`;
}

function wrong(kind: string, message: string): Failure {
  return { kind, message };
}
