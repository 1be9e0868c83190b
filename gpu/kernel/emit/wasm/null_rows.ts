/**
 * Nulls of kernels whose rows are null where a column is, known of all rows before the first one is
 * computed.
 *
 * Where such a kernel reads nothing but text, rows that are null are computed like any other, and what
 * comes out is dropped: which rows are null cannot be foreseen, and a branch costs more than most rows
 * do. Their texts are empty, or any bytes where these do no harm.
 *
 * @module
 */

import { arrayName } from "../host/calling_convention.ts";
import type { ColumnType } from "../../../column/column.ts";
import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { RowKernel } from "../../ir/ir.ts";
import { nullColumnsOf } from "../../ir/null_columns.ts";
import { visit } from "../../ir/visit.ts";
import type { WasmScope } from "./scalar.ts";

/** The local whose bits are all set where the row is not null, and none where it is. */
export const VALID = "$valid";

/** The code about the nulls of all rows. */
interface NullsCode {
  /** The code before all rows, and at the start of each row. */
  readonly first: WasmCode;
  readonly each: WasmCode;
  /** The code after all rows. */
  readonly last: WasmCode;
  /** The code that leaves the number of computed rows that are null. */
  readonly count: WasmCode;
}

/** The nulls of a kernel, as far as its columns decide them. */
export interface NullRows {
  /** The columns that say which rows are null, if these do. */
  readonly columns: readonly number[] | null;
  /** Whether rows that are null are computed. */
  readonly areComputed: boolean;
  /** Whether their texts are empty then. */
  readonly areEmpty: boolean;
}

/** Returns the nulls of a kernel, as far as its columns decide them. */
export function nullRowsOf({ body, type, columnTypes }: RowKernel): NullRows {
  const columns = nullColumnsOf(body);
  const areComputed = columns !== null && columnTypes.every(({ kind }) => kind === "string");
  let looksUp = false;
  visit(body, {
    scalar: ({ op }) => {
      // What is no UTF-8 may be no index.
      if (op === "table" || op === "scratch") looksUp = true;
    },
  });
  return { columns, areComputed, areEmpty: areComputed && (looksUp || type.kind === "string") };
}

/** The code that says which rows are null. */
export function nullsCode(
  { columns, areComputed, areEmpty }: NullRows,
  type: ColumnType,
  scope: WasmScope,
): NullsCode {
  if (columns === null) return { first: [], each: [], last: [], count: wasm`local.get $nulls` };
  const firstRow = scope.local("$firstRow");
  for (const helper of ["andBits", "countUnset"]) scope.calls.add(helper);
  const bits = columns.map((column) =>
    wasm`
      local.get $validity; local.get ${arrayName({ array: "validity", column })}
      local.get $rows; call andBits
    `
  );
  const isBits = type.kind === "bool";
  const clear = wasm`local.get $result; local.get $validity; local.get $row; call andBits`;
  return {
    first: wasm`local.get $row; local.set ${firstRow}; ${bits}`,
    each: areComputed && (areEmpty || !isBits)
      ? wasm`${BIT_OF_ROW}; local.set ${scope.local(VALID)}`
      : [],
    last: areComputed && isBits ? clear : [],
    count: wasm`local.get $validity; local.get ${firstRow}; local.get $row; call countUnset`,
  };
}

/** Leaves what `VALID` is. No branch, and no choice, which engines may make one. */
const BIT_OF_ROW: WasmCode = wasm`
  local.get $validity; local.get $row; i32.const 3; i32.shr_u; i32.add; i32.load8_u 0
  local.get $row; i32.const 7; i32.and; i32.shr_u; i32.const 31; i32.shl; i32.const 31; i32.shr_s
`;
