/** The model that judges a case: applies the steps of a pipeline to plain columns. */

import { DataType, Utf8 } from "apache-arrow";
import { parseExpr } from "../../ops/expr/parse.ts";
import { modelExpr } from "../support/models/expr_model.ts";
import {
  type ModelColumn,
  ModelRowError,
  ModelTypeError,
  TooLarge,
} from "../support/models/expr_model_types.ts";
import { modelAsOf, ModelOrderError } from "./as_of_join_model.ts";
import { throughFile } from "./file_model.ts";
import type { CaseStep, FuzzCase } from "./fuzz_case.ts";
import { modelJoin, ModelKeyError, ModelNameError } from "./join_model.ts";
import { type ModelTable, modelTable } from "./model_table.ts";
import { isPick, ModelMissingRow, pickedRows } from "./pick_model.ts";
import { modelRegroup, ModelSizesError } from "./regroup_model.ts";
import { modelWhere } from "./where_join_model.ts";
import {
  arrayOfLayout,
  arrayOfRows,
  ModelArrayError,
  rechunkedRows,
  rowsOf as rowsOfArray,
} from "./zarr_model.ts";

/** Rows of a result beyond which a case is not worth running. */
const MOST_ROWS = 3000;

/** Returns the table after all steps of a case, or the error that they raise. */
export function modelCase({ table, steps }: FuzzCase): ModelTable | ModelError {
  let [model, done] = [modelTable(table), 0];
  try {
    for (const step of steps) {
      model = modelStep(model, step);
      done++;
    }
    return model;
  } catch (error) {
    if (error instanceof ModelArrayError) {
      // Steps behind it may fail before it is clear that chunks are missing.
      if (done < steps.length - 1) throw new TooLarge("an end");
      return { error: RANGE_ERROR, told: [error.told] };
    }
    if (error instanceof ModelOrderError) {
      // A slice may end the stream before the row that is not sorted.
      if (steps.some(isPick)) throw new TooLarge("an end");
      return { error: "UnsortedError", told: ["The stream is not sorted by "] };
    }
    if (error instanceof ModelSizesError) {
      // A slice may end the stream before the row that is too many.
      if (steps.some(isPick)) throw new TooLarge("an end");
      return { error: RANGE_ERROR, told: ["The sizes of batches add up to "] };
    }
    if (error instanceof ModelMissingRow) {
      // A slice may end the stream before it is clear that a row is missing.
      if (steps.slice(0, -1).some(isPick)) throw new TooLarge("an end");
      return { error: "MissingRowError", told: [error.told] };
    }
    if (error instanceof ModelRowError) return { error: error.error, row: error.row };
    if (error instanceof ModelKeyError) {
      const side = error.side === "left" ? "stream" : "build side";
      return { error: RANGE_ERROR, told: [`of the ${side} `, ` again in its row ${error.row}`] };
    }
    if (error instanceof ModelTypeError) return { error: "ExprError" };
    if (error instanceof ModelNameError) {
      return {
        error: "TypeError",
        told: [`would have the same name, ${JSON.stringify(error.column)}; give another suffix`],
      };
    }
    throw error;
  }
}

/** The error of keys that are not as unique as `validate` says, and of sizes of batches. */
const RANGE_ERROR = "RangeError";

/** The error that a case raises. */
export interface ModelError {
  readonly error:
    | "ArithmeticError"
    | "ConversionError"
    | "OverflowError"
    | "ExprError"
    | "MissingRowError"
    | "TypeError"
    | "UnsortedError"
    | typeof RANGE_ERROR;
  readonly row?: number;
  /** Parts of its message. */
  readonly told?: readonly string[];
}

/** Steps whose result depends on the order of the rows. */
const IN_ORDER: readonly CaseStep["do"][] = [
  ...["slice", "head", "tail", "at", "take", "joinStrings", "joinAsOf"] as const,
];

/** Returns the table after one step. */
export function modelStep(table: ModelTable, step: CaseStep): ModelTable {
  const next = nextTable(table, step);
  if (!table.isUnordered) return next;
  const isOrdered = step.do === "file" && step.format === "zarr";
  // The items of an array have places, whatever the order of its chunks.
  if (isOrdered && step.layout === undefined) return next;
  if (isOrdered || IN_ORDER.includes(step.do)) throw new TooLarge("rows in no order");
  return { ...next, isUnordered: true };
}

function nextTable(table: ModelTable, step: CaseStep): ModelTable {
  const { columns, numRows } = table;
  switch (step.do) {
    case "with":
      return { columns: withColumns(table, step.columns), numRows };
    case "filter": {
      const test = modelExpr(parseExpr(step.expr).node, columns);
      if (test.type !== null && !DataType.isBool(test.type)) throw new ModelTypeError("filter");
      return take(table, rowsOf(table).filter((row) => test.at(row) === true));
    }
    case "select":
      return { columns: step.names.map((name) => columnOf(columns, name)), numRows };
    case "drop":
      return { columns: columns.filter(({ name }) => !step.names.includes(name)), numRows };
    case "rename":
      return {
        columns: columns.map((column) => ({
          ...column,
          name: Object.hasOwn(step.names, column.name) ? step.names[column.name]! : column.name,
        })),
        numRows,
      };
    case "join":
      return modelJoin(withoutArrays(table), modelTable(step.table), step);
    case "joinAsOf":
      return modelAsOf(withoutArrays(table), modelTable(step.table), step);
    case "joinWhere":
      return modelWhere(withoutArrays(table), modelTable(step.table), step);
    case "regroup":
      return modelRegroup(table, step);
    case "slice":
    case "head":
    case "tail":
    case "at":
    case "take":
      return take(table, pickedRows(step, numRows));
    case "joinStrings":
      return modelJoinStrings(table, step);
    case "withText": {
      const { values } = columnOf(columns, step.column);
      return take(table, rowsOf(table).filter((row) => values[row] !== null && values[row] !== ""));
    }
    case "file":
      return modelFile(table, step);
    case "write":
      if (step.format === "zarr") arrayOfRows(table);
      else throughFile(step.format, columns, numRows);
      return { columns, numRows };
    case "rechunk":
      return rechunkedRows(table, step);
    case "transform":
    case "tee":
      // The output begins a new stream, which merges small batches.
      return { columns, numRows };
  }
}

/** Returns the table that is read back from a file. */
function modelFile(table: ModelTable, step: CaseStep & { do: "file" }): ModelTable {
  const { format, layout, writer } = step;
  if (format === "zarr") {
    return rowsOfArray(layout === undefined ? arrayOfRows(table) : arrayOfLayout(table, layout));
  }
  const { columns, numRows } = table;
  const read = throughFile(format, columns, numRows);
  // Other writers may leave out what a field says of an array.
  const keepsArrays = ["arrow", "arrows", "parquet"].includes(format) && writer === undefined;
  return {
    columns: keepsArrays ? read.map((column, index) => ({ ...columns[index], ...column })) : read,
    numRows,
  };
}

/** The table without what is known of arrays. */
function withoutArrays(table: ModelTable): ModelTable {
  return { ...table, columns: table.columns.map(({ array: _, ...column }) => column) };
}

function withColumns(
  { columns, numRows }: ModelTable,
  added: (CaseStep & { do: "with" })["columns"],
): readonly ModelColumn[] {
  const result = new Map(columns.map((column) => [column.name, column]));
  const parts = added.flatMap(([name, text]) => [...partsOf(name, text)]);
  if (new Set(parts.map(([part]) => part)).size < parts.length) throw new TooLarge("names");
  for (const [name, text] of added) {
    for (const [part, { node }] of partsOf(name, text)) {
      const model = modelExpr(node, columns);
      const values = Array.from({ length: numRows }, (_, row) => model.at(row));
      // A copy of chunks has the chunks of the same array.
      const copied = node.node === "column" ? columnOf(columns, node.name) : {};
      result.set(part, { ...copied, name: part, type: model.type ?? new Utf8(), values });
    }
  }
  return [...result.values()];
}

/** The columns that an expression gives: `p_before` and others where it gives several. */
function partsOf(name: string, text: string) {
  const expr = parseExpr(text);
  const { node } = expr;
  if (node.node !== "call" || node.op.spec.parts === undefined) return [[name, expr]] as const;
  return node.op.spec.parts.map((part) =>
    [`${name}_${part}`, { node: { ...node, part } }] as const
  );
}

function columnOf(columns: readonly ModelColumn[], name: string): ModelColumn {
  const column = columns.find((column) => column.name === name);
  if (column === undefined) throw new TooLarge(`no column ${name}`);
  return column;
}

function rowsOf({ numRows }: ModelTable): number[] {
  return Array.from({ length: numRows }, (_, row) => row);
}

function take({ columns }: ModelTable, rows: readonly number[]): ModelTable {
  if (rows.length > MOST_ROWS) throw new TooLarge("rows");
  return {
    columns: columns.map((column) => ({
      ...column,
      values: rows.map((row) => column.values[row]),
    })),
    numRows: rows.length,
  };
}

function modelJoinStrings(table: ModelTable, step: CaseStep & { do: "joinStrings" }): ModelTable {
  const { values, type, name } = columnOf(table.columns, step.column);
  const groups = Array.from(
    { length: Math.ceil(table.numRows / step.rows) },
    (_, group) => values.slice(group * step.rows, (group + 1) * step.rows),
  );
  const joined = groups.map((group) => {
    const texts = group.filter((text) => text !== null);
    return texts.length === 0 ? null : texts.join(step.separator);
  });
  return { columns: [{ name, type, values: joined }], numRows: joined.length };
}
