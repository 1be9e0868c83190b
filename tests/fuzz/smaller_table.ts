/**
 * Smaller tables: without some rows, batches or columns, with shorter texts and less around them.
 *
 * @module
 */

import { nameOfType } from "./case_types.ts";
import { type CaseTable, numRowsOf } from "./fuzz_case.ts";
import { smallerTexts } from "./smaller_expr.ts";

/** Tables that are smaller than the one given, those first that leave the most out. */
export function* smallerTables(table: CaseTable): Generator<CaseTable> {
  const { columns, batches } = table;
  const numRows = numRowsOf(table);
  for (let count = numRows; count >= 1; count >>= 1) {
    for (let start = 0; start < numRows; start += count) {
      yield withoutRows(table, start, Math.min(start + count, numRows));
    }
  }
  if (columns.length > 1) {
    for (const index of columns.keys()) yield { batches, columns: columns.toSpliced(index, 1) };
  }
  if (batches.length > 1) {
    const [one] = batches;
    if (numRows > 0) yield { columns, batches: [{ ...one!, rows: numRows }] };
    for (const [index, { rows }] of batches.entries()) {
      if (rows === 0) yield { columns, batches: batches.toSpliced(index, 1) };
    }
  }
  for (const [index, batch] of batches.entries()) {
    const { rows, seed, layouts = {} } = batch;
    const put = (smaller: typeof batch) => ({ columns, batches: batches.with(index, smaller) });
    if (seed !== 0) yield put({ ...batch, seed: 0 });
    if (Object.keys(layouts).length > 0) yield put({ rows, seed });
    for (const name of Object.keys(layouts)) {
      const others = Object.entries(layouts).filter(([other]) => other !== name);
      yield put({ rows, seed, layouts: Object.fromEntries(others) });
    }
    // Another surrounding may do with less.
    if (seed > 40) { for (let small = 1; small < 8; small++) yield put({ ...batch, seed: small }); }
  }
  yield* simplerValues(table);
}

function withoutRows({ columns, batches }: CaseTable, start: number, stop: number): CaseTable {
  let at = 0;
  return {
    columns: columns.map((column) => ({
      ...column,
      values: column.values.toSpliced(start, stop - start),
    })),
    batches: batches.map((batch) => {
      const removed = Math.max(0, Math.min(stop, at + batch.rows) - Math.max(start, at));
      at += batch.rows;
      return { ...batch, rows: batch.rows - removed };
    }),
  };
}

function* simplerValues({ columns, batches }: CaseTable): Generator<CaseTable> {
  for (const [index, column] of columns.entries()) {
    const { values } = column;
    const put = (row: number, value: unknown) => ({
      batches,
      columns: columns.with(index, { ...column, values: values.with(row, value) }),
    });
    // With many rows left each value is too much to try.
    if (values.length > 40) continue;
    for (const [row, value] of values.entries()) {
      if (typeof value === "string") {
        for (const text of smallerTexts(value)) yield put(row, text);
      } else if (Array.isArray(value) && nameOfType(column.type) === "list") {
        for (const at of value.keys()) yield put(row, value.toSpliced(at, 1));
      } else if (typeof value === "number" && Math.abs(value) > 3) yield put(row, 1);
      else if (typeof value === "bigint" && value > 3n) yield put(row, 1n);
    }
  }
}
