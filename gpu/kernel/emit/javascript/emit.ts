/**
 * The JavaScript target: one function with the loop over the rows, into which everything is
 * inlined. `gpu/host/kernels/compiled_kernel.ts` passes it its arrays.
 *
 * Text grows optimistically: a store past the end of a typed array does nothing, so a kernel checks
 * the capacity once a row, and computes a row that did not fit again after growing.
 *
 * @module
 */

import { byteWidth, type ColumnType, isTextList } from "../../../column/column.ts";
import {
  arrayName,
  type CallingConvention,
  callingConventionOf,
  spaceName,
} from "../host/calling_convention.ts";
import { bitRowsOf } from "../host/bit_rows.ts";
import { bitRowsText } from "./bit_rows.ts";
import { helpersOf } from "./helpers.ts";
import { nullRowsText } from "./null_rows.ts";
import { viewText } from "./scalar.ts";
import { StatementPrinter } from "./statement.ts";
import { halve } from "../../halve/halve.ts";
import type { RowKernel, Space } from "../../ir/ir.ts";
import { knownSeek } from "../../ir/loop_idiom.ts";
import { takesAnyNumber } from "../../ir/takes_any_number.ts";
import { someStatement, visit } from "../../ir/visit.ts";

/** A kernel as JavaScript: the arguments of `new Function`. */
export interface JavaScriptKernel {
  readonly parameters: readonly string[];
  readonly body: string;
}

/** Prints a kernel. The convention is that of the kernel before its i64 are halved. */
export function emitJavaScript(
  whole: RowKernel,
  { fixed, arrays }: CallingConvention = callingConventionOf(whole),
): JavaScriptKernel {
  const kernel = halve(whole, { hasFloats: true });
  const { views, rowValues, copies } = preparedOf(kernel);
  const parameters = [...fixed, ...arrays.map(arrayName)];
  const bits = bitRowsOf(kernel);
  if (bits !== null) {
    const lines = [
      ...['"use strict";', ...helpersOf(kernel), "let $nulls = 0;"],
      ...bitRowsText(bits, rowValues, kernel.canBeNull),
      `return { ${returned(kernel.type)} };`,
    ];
    return { parameters, body: lines.join("\n") + "\n" };
  }
  const isList = isTextList(kernel.type);
  const isNumbers = kernel.type.kind === "list" && !isList;
  const isText = kernel.type.kind === "string" || isList;
  const nullRows = nullRowsText(kernel);
  const statements = nullRows?.body ?? kernel.body;
  const hasNull = someStatement(statements, (stmt) => stmt.do === "null");
  // The end of a new result is still in the cache, since it was cleared last.
  const isBackward = kernel.type.kind === "float" && !hasNull && takesAnyNumber(kernel.body);
  const printer = new StatementPrinter(kernel, hasNull ? 2 : 1, nullRows !== null);
  printer.print(statements);
  const body = hasNull ? ["  $body: {", ...printer.lines, "  }"] : printer.lines;
  const lines = [
    '"use strict";',
    ...helpersOf(kernel),
    ...views,
    ...(kernel.scratchWords ? [`const $scratch = new Int32Array(${kernel.scratchWords});`] : []),
    ...(isText ? ["let $out = $result, $size = 0, $capacity = $out.length;"] : []),
    ...(isList ? ["let $count = 0, $room = $ends.length - 1;"] : []),
    ...(isNumbers ? ["let $numbers = $result, $count = 0, $room = $numbers.length;"] : []),
    ...(copies ? ["let $view = $viewBytes($out);"] : []),
    ...printer.cursors,
    "let $nulls = 0;",
    ...(nullRows?.first ?? []),
    nullRows === null && !isBackward
      ? "for (let $row = 0; $row < $rows; $row++) {"
      : "for (let $row = $rows - 1; $row >= 0; $row--) {",
    ...(nullRows?.each ?? []).map((line) => `  ${line}`),
    ...rowValues.map((line) => `  ${line}`),
    ...(isText ? ["  const $begin = $size;"] : []),
    ...(isList || isNumbers ? ["  const $first = $count;"] : []),
    ...body,
    ...(isText ? textRowEnd(copies, isList) : []),
    ...(isList ? listRowEnd(kernel.backward === true) : []),
    ...(isNumbers ? NUMBERS_ROW_END : []),
    ...(isText && !isList ? ["  $offsets[$row + 1] = $size;"] : []),
    "}",
    ...(nullRows?.last ?? []),
    `return { ${returned(kernel.type)} };`,
  ];
  return { parameters, body: lines.join("\n") + "\n" };
}

function returned(type: ColumnType): string {
  if (isTextList(type)) return "nulls: $nulls, data: $out, size: $size, ends: $ends, count: $count";
  if (type.kind === "list") return "nulls: $nulls, data: $numbers, size: 4 * $count, count: $count";
  const isText = type.kind === "string";
  return `nulls: $nulls, ${isText ? "data: $out, size: $size" : "data: $result, size: 0"}`;
}

/** Prints the end of a row of text: if it did not fit, grow the text and compute the row again. */
function textRowEnd(hasView: boolean, isList: boolean): string[] {
  return [
    "  if ($size > $capacity) {",
    "    $out = $grow($out, $begin, $size, $row);",
    ...(hasView ? ["    $view = $viewBytes($out);"] : []),
    "    $capacity = $out.length;",
    "    $size = $begin;",
    ...(isList ? ["    $count = $first;"] : []),
    "    $row--;",
    "    continue;",
    "  }",
  ];
}

/** Prints the same for items of lists of texts; otherwise the list of the row is complete. */
function listRowEnd(backward: boolean): string[] {
  return [
    "  if ($count > $room) {",
    "    $ends = $growItems($ends, $first, $count, $row);",
    "    $room = $ends.length - 1;",
    "    $size = $begin;",
    "    $count = $first;",
    "    $row--;",
    "    continue;",
    "  }",
    ...(backward ? ["  $turn($out, $ends, $first, $count);"] : []),
    "  $offsets[$row + 1] = $count;",
  ];
}

/** Does the same for lists of numbers. */
const NUMBERS_ROW_END: readonly string[] = [
  "  if ($count > $room) {",
  "    $numbers = $growItems($numbers, $first, $count, $row);",
  "    $room = $numbers.length;",
  "    $count = $first;",
  "    $row--;",
  "    continue;",
  "  }",
  "  $offsets[$row + 1] = $count;",
];

/** Prints the function as one text, for people and for golden files. */
export function javaScriptSource(kernel: JavaScriptKernel): string {
  const body = kernel.body.replace(/^(?=.)/gm, "  ");
  return `function (${kernel.parameters.join(", ")}) {\n${body}}\n`;
}

/** The values that the function computes before it uses them. */
interface Prepared {
  /** Views of the bytes that are copied or searched, created once. */
  readonly views: readonly string[];
  /** Values of the row that are read once. */
  readonly rowValues: readonly string[];
  /** Whether text is copied into the result. */
  readonly copies: boolean;
}

function preparedOf({ body, columnTypes }: RowKernel): Prepared {
  const views = new Set<string>();
  const rowValues = new Set<string>();
  let copies = false;
  const view = (space: Space) =>
    views.add(`const ${viewText(space)} = $viewBytes(${spaceName(space)});`);
  visit(body, {
    stmt: (stmt) => {
      const seek = stmt.do === "loop" ? knownSeek(stmt) : null;
      if (seek !== null) view({ space: "column", column: seek.column });
      if (stmt.do !== "copy" && stmt.do !== "repeat") return;
      view(stmt.space);
      copies = true;
    },
    scalar: (scalar) => {
      if (scalar.op === "start" || scalar.op === "stop") {
        const { op, column } = scalar;
        const at = op === "start" ? "$row" : "$row + 1";
        rowValues.add(`const $${op}${column} = $offsets${column}[${at}];`);
      } else if (scalar.op === "word") {
        const { column, word } = scalar;
        const width = numWords(columnTypes[column]);
        const at = width > 1 ? `${width} * $row + ${word}` : "$row";
        rowValues.add(`const $word${word}_${column} = $words${column}[${at}];`);
      }
    },
  });
  return { views: [...views], rowValues: [...rowValues], copies };
}

/** Returns the number of words of a row. */
function numWords(type: ColumnType | undefined): number {
  return type === undefined ? 1 : Math.ceil(byteWidth(type) / 4);
}
