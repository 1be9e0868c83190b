/** Running the examples of operations. */

import { assertEquals } from "@std/assert";
import { Table } from "apache-arrow";
import {
  type DescribedExample,
  type Engine,
  type ExampleValue,
  type Expr,
  fromBatches,
  lit,
  type Literal,
  parseExpr,
  toTable,
  withColumns,
} from "../../../mod.ts";
import { exampleColumn, exampleResult } from "../../../ops/expr/example.ts";
import { substituteColumns } from "../../../ops/expr/rewrite.ts";

/** Checks an example over columns of one row. */
export async function checkOverColumns(example: DescribedExample, engine: Engine): Promise<void> {
  const { expr, columns, result, text } = example;
  assertEquals(await evaluate(expr, columns, engine), result, text);
}

/** Checks an example with its values as literals; what it prints must read as the expression. */
export async function checkFolded(example: DescribedExample, engine: Engine): Promise<void> {
  const { expr, columns, result, text, where } = example;
  // A list has no literal.
  if (Object.values(columns).some((value) => Array.isArray(value))) return;
  const literals = new Map(
    Object.entries(columns).map(([name, value]) => [name, lit(value as Literal)]),
  );
  const folded = where === "" ? parseExpr(text) : substituteColumns(expr, literals);
  assertEquals(await evaluate(folded, { other: 1 }, engine), result, text);
}

async function evaluate(
  expr: Expr,
  columns: Readonly<Record<string, ExampleValue>>,
  engine: Engine,
): Promise<ExampleValue> {
  const table = new Table(
    Object.fromEntries(
      Object.entries(columns).map(([name, value]) => [name, exampleColumn(value)]),
    ),
  );
  const stream = fromBatches(table, { engine });
  const rows = await toTable(stream.pipeThrough(withColumns({ result: expr }, { engine })));
  const names = rows.schema.names.map(String).filter((name) => name.startsWith("result"));
  const values = names.map((name) => exampleResult(rows.getChild(name)!));
  if (rows.numRows !== 1 || values[0] === undefined) {
    throw new Error("The pipeline gave no column of one row");
  }
  // The result of several columns is a list of their values.
  return names[0] === "result" ? values[0] : values;
}
