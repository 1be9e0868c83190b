/**
 * The null rows of kernels of numbers that are null exactly where some column is.
 *
 * Such kernels compute null rows like others: no processor can predict which rows are null, and a
 * mispredicted branch costs more than most rows. Their validity is known before the first row: the
 * AND of the bitmaps. Below nulls the result has zeros, so the values of null rows go to row 0,
 * which is written last.
 *
 * @module
 */

import { arrayName } from "../host/calling_convention.ts";
import type { RowKernel, Stmt } from "../../ir/ir.ts";
import { nullColumnOf, nullColumnsOf } from "../../ir/null_columns.ts";
import { mayFail, someStatement } from "../../ir/visit.ts";
import { takesAnyNumber } from "../../ir/takes_any_number.ts";

/** The code around the statements of such a kernel. */
export interface NullRowsText {
  /** The statements without the tests for nulls. */
  readonly body: readonly Stmt[];
  /** The lines before all rows, at the start of each row and after all rows. */
  readonly first: readonly string[];
  readonly each: readonly string[];
  readonly last: readonly string[];
}

/** The place of the result of a row: the row, or 0 if it is null. */
export const PLACE = "$place";
/** 1 if the row is not null, else 0. */
export const BIT = "$bit";

/** Returns the code around the statements of a kernel; null if it has to branch at null rows. */
export function nullRowsText({ body, type }: RowKernel): NullRowsText | null {
  if (type.kind !== "float" && type.kind !== "int" && type.kind !== "bool") return null;
  const columns = nullColumnsOf(body);
  if (columns === null || !takesAnyNumber(body)) return null;
  // Numbers below nulls must not fail.
  if (mayFail(body)) return null;
  const bits = columns.map((column) => `${arrayName({ array: "validity", column })}[$at]`);
  const isWide = someStatement(body, (stmt) => stmt.do === "result" && stmt.words.length === 2);
  return {
    body: body.filter((stmt) => nullColumnOf(stmt) === null),
    first: [
      "for (let $at = ($rows + 7 >> 3) - 1; $at >= 0; $at--) {",
      `  $validity[$at] &= ${bits.join(" & ")};`,
      "}",
    ],
    each: [
      `const ${BIT} = $validity[$row >> 3] >> ($row & 7) & 1;`,
      ...(type.kind === "bool" ? [] : [`const ${PLACE} = $row & -${BIT};`]),
      `$nulls += 1 - ${BIT};`,
    ],
    last: type.kind === "bool" ? [] : [
      `if ($rows > 0 && ($validity[0] & 1) === 0) $result[0] = ${isWide ? "$result[1] = 0" : "0"};`,
    ],
  };
}
