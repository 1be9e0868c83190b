/**
 * The values of a row that code before it sets: the start and the stop of its texts, and the numbers
 * and bits that are read several times.
 *
 * @module
 */

import type { Scalar, Stmt } from "../../ir/ir.ts";
import { scalarKey } from "../../ir/scalar.ts";
import { visit } from "../../ir/visit.ts";
import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import { VALID } from "./null_rows.ts";
import { nextStart, offsetCode, type WasmScope, wasmTypeOf } from "./scalar.ts";

/** The code that sets the values. */
interface RowValues {
  /** The code before all rows, and at the start of each row. */
  readonly first: WasmCode;
  readonly each: WasmCode;
}

/** Declares locals for the values of a row that code reads, and returns the code that sets them. */
export function rowValuesOf(
  body: readonly Stmt[],
  nullsAreEmpty: boolean,
  scope: WasmScope,
): RowValues {
  const texts = new Set<number>();
  const numbers = new Map<string, { readonly scalar: Scalar; count: number }>();
  visit(body, {
    scalar: (scalar) => {
      const { op } = scalar;
      if (op === "start" || op === "stop") texts.add(scalar.column);
      if (!isRowValue(scalar)) return;
      const key = scalarKey(scalar);
      const known = numbers.get(key);
      if (known === undefined) numbers.set(key, { scalar, count: 1 });
      else known.count++;
    },
  });
  const columns = [...texts];
  for (const column of columns) {
    for (const name of [`$start${column}`, `$stop${column}`, nextStart(column)]) scope.local(name);
  }
  const reads = [...numbers.values()].filter(({ count }) => count > 1).map(({ scalar }) => {
    const code = scope.code(scalar);
    return wasm`${code}; local.set ${scope.rowValue(scalar, wasmTypeOf(scalar.type))}`;
  });
  return {
    first: columns.map((column) =>
      wasm`${offsetCode(column, "$row")}; local.set ${nextStart(column)}`
    ),
    // A row starts where the previous one stops.
    each: [
      ...columns.map((column) =>
        wasm`
          local.get ${nextStart(column)}; local.set $start${column}
          ${offsetCode(column, "$row", 1)}; local.tee ${nextStart(column)}
          ${nullsAreEmpty ? emptied(column) : []}
          local.set $stop${column}
        `
      ),
      ...reads,
    ],
  };
}

/** Whether a scalar is the row of a column of fixed width, or its bit. */
function isRowValue({ op }: Scalar): boolean {
  return op === "word" || op === "long" || op === "float" || op === "bit" || op === "valid";
}

/** Turns the stop of a row into the one that makes null rows empty. */
function emptied(column: number): WasmCode {
  return wasm`
    local.get $start${column}; i32.sub; local.get ${VALID}; i32.and
    local.get $start${column}; i32.add
  `;
}
