/**
 * The nulls of kernels that are null where some column is, which are known before the first row is
 * computed.
 *
 * Such kernels compute null rows like others, and drop their results: no processor can predict
 * which rows are null, and a mispredicted branch costs more than most rows. The texts of null rows
 * are read as empty, or as any bytes if these do no harm. Numbers are read as they are, so kernels
 * that read some compute null rows only if any number is good enough for them. They may make other
 * rows null too, such as those whose result does not fit.
 *
 * @module
 */

import { arrayName } from "../host/calling_convention.ts";
import type { ColumnType } from "../../../column/column.ts";
import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { RowKernel } from "../../ir/ir.ts";
import { nullColumnsOf, testedColumnsOf } from "../../ir/null_columns.ts";
import { takesAnyNumber } from "../../ir/takes_any_number.ts";
import { visit } from "../../ir/visit.ts";
import type { WasmScope } from "./scalar.ts";

/** The local whose bits are all set if the row is not null, and none if it is. */
export const VALID = "$valid";

/** The code for the nulls of all rows. */
interface NullsCode {
  /** The code before all rows, and at the start of each row. */
  readonly first: WasmCode;
  readonly each: WasmCode;
  /** The code after all rows. */
  readonly last: WasmCode;
  /** The code that leaves the number of null rows among the computed ones. */
  readonly count: WasmCode;
}

/** The nulls of a kernel, as far as its columns determine them. */
export interface NullRows {
  /** The columns whose nulls make rows null; null if each row has to find out. */
  readonly columns: readonly number[] | null;
  /** Whether all other rows are valid. */
  readonly areAll: boolean;
  /** Whether null rows are computed. */
  readonly areComputed: boolean;
  /** Whether the texts of null rows are read as empty then. */
  readonly areEmpty: boolean;
}

/** Returns the nulls of a kernel, as far as its columns determine them. */
export function nullRowsOf({ body, type, columnTypes }: RowKernel): NullRows {
  const isText = columnTypes.every(({ kind }) => kind === "string");
  const takesAny = !isText && takesAnyNumber(body);
  const all = nullColumnsOf(body);
  const tested = takesAny ? testedColumnsOf(body) : [];
  const columns = all ?? (tested.length > 0 ? tested : null);
  let looksUp = false;
  let fails = false;
  visit(body, {
    stmt: (stmt) => void (fails ||= stmt.do === "fail"),
    scalar: ({ op }) => {
      // Bytes that are not UTF-8 may be no valid index.
      if (op === "table" || op === "scratch") looksUp = true;
    },
  });
  // A failure of a null row that is computed ends nothing, so only code without loops may have some.
  const areComputed = columns !== null && (isText ? !fails : takesAny);
  return {
    columns,
    areAll: all !== null,
    areComputed,
    areEmpty: areComputed && (looksUp || type.kind === "string"),
  };
}

/** Returns the code for the nulls of a kernel. */
export function nullsCode(
  { columns, areAll, areComputed, areEmpty }: NullRows,
  type: ColumnType,
  scope: WasmScope,
): NullsCode {
  const isNone = columns?.length === 0;
  if (columns === null || isNone && areAll) {
    return { first: [], each: [], last: [], count: wasm`local.get $nulls` };
  }
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
    each: areComputed && !isNone && (areEmpty || !isBits)
      ? wasm`${BIT_OF_ROW}; local.set ${scope.local(VALID)}`
      : [],
    last: areComputed && !isNone && isBits ? clear : [],
    count: wasm`local.get $validity; local.get ${firstRow}; local.get $row; call countUnset`,
  };
}

/**
 * Leaves the value of `VALID`, without a branch, and without a `select`, which engines may turn
 * into one.
 */
const BIT_OF_ROW: WasmCode = wasm`
  local.get $validity; local.get $row; i32.const 3; i32.shr_u; i32.add; i32.load8_u 0
  local.get $row; i32.const 7; i32.and; i32.shr_u; i32.const 31; i32.shl; i32.const 31; i32.shr_s
`;
