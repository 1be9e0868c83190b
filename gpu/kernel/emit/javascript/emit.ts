/**
 * The JavaScript target: one function with the loop over the rows, into which everything is
 * inlined. `gpu/host/row_kernel.ts` gives it its arrays.
 *
 * Text grows optimistically: a store past the end of a typed array does nothing, so room is
 * checked once a row, and a row that did not fit is done again after growing.
 *
 * @module
 */

import { type ColumnType, isTextList } from "../../../column/column.ts";
import { spaceText, viewText } from "./scalar.ts";
import { StatementPrinter } from "./statement.ts";
import type { RowKernel, Scalar, Space } from "../../ir/ir.ts";
import { knownSeek } from "../../ir/known_seek.ts";
import { someStatement, visit } from "../../ir/visit.ts";

/** An array that the function takes. Of a list column `data` is that of its items. */
export type KernelArray =
  | {
    /**
     * data: bytes, or bits of a bool; offsets; validity: bits; words: integers of the column's
     * width, those of 64 bits as pairs; floats: floats of the column's width; items: the offsets
     * of the items of a list; itemsValid: their validity, null where none is null.
     */
    readonly array: "data" | "offsets" | "validity" | "words" | "floats" | "items" | "itemsValid";
    readonly column: number;
  }
  | { readonly array: "literals" }
  | { readonly array: "table"; readonly table: number };

/** A kernel as JavaScript. */
export interface JavaScriptKernel {
  /** Names of the parameters, then the body: what `new Function` takes. */
  readonly parameters: readonly string[];
  /** Names of those that do not take an array, which come first. */
  readonly fixed: readonly string[];
  readonly body: string;
  /** What the parameters after them take. */
  readonly arrays: readonly KernelArray[];
  /** Whether the result is written as floats and not as words. */
  readonly writesFloats: boolean;
}

/**
 * Parameters that every kernel has; `$repeat` and `$checkRepeat` follow where they are called. Text:
 * `$result` is the first array to write into.
 */
export const FIXED_PARAMETERS: readonly string[] = [
  "$rows",
  "$result",
  "$offsets",
  "$validity",
  "$grow",
  "$copy",
  "$viewBytes",
];

/**
 * Parameters that a kernel of lists of texts has besides: where items end, and what makes room for
 * them.
 */
const LIST_PARAMETERS: readonly string[] = ["$ends", "$growItems", "$turn"];

/** Parameters of a kernel of lists of numbers, which are written to `$result`. */
const NUMBERS_PARAMETERS: readonly string[] = ["$growItems"];

/** Prints a kernel. */
export function emitJavaScript(kernel: RowKernel): JavaScriptKernel {
  const survey = surveyOf(kernel);
  const arrays = [...survey.arrays.values()];
  const isList = isTextList(kernel.type);
  const isNumbers = kernel.type.kind === "list" && !isList;
  const added = isList ? LIST_PARAMETERS : isNumbers ? NUMBERS_PARAMETERS : [];
  const fixed = [...FIXED_PARAMETERS, ...added, ...survey.calls];
  const isText = kernel.type.kind === "string" || isList;
  const hasNull = someStatement(kernel.body, (stmt) => stmt.do === "null");
  const printer = new StatementPrinter(kernel, hasNull ? 2 : 1);
  printer.print(kernel.body);
  const body = hasNull ? ["  $body: {", ...printer.lines, "  }"] : printer.lines;
  const lines = [
    '"use strict";',
    ...survey.views,
    ...(kernel.scratchWords ? [`const $scratch = new Int32Array(${kernel.scratchWords});`] : []),
    ...(isText ? ["let $out = $result, $size = 0, $capacity = $out.length;"] : []),
    ...(isList ? ["let $count = 0, $room = $ends.length - 1;"] : []),
    ...(isNumbers ? ["let $numbers = $result, $count = 0, $room = $numbers.length;"] : []),
    ...(survey.copies ? ["let $view = $viewBytes($out);"] : []),
    ...printer.cursors,
    "let $nulls = 0;",
    "for (let $row = 0; $row < $rows; $row++) {",
    ...survey.rowValues.map((line) => `  ${line}`),
    ...(isText ? ["  const $begin = $size;"] : []),
    ...(isList || isNumbers ? ["  const $first = $count;"] : []),
    ...body,
    ...(isText ? textRowEnd(survey.copies, isList) : []),
    ...(isList ? listRowEnd(kernel.backward === true) : []),
    ...(isNumbers ? NUMBERS_ROW_END : []),
    ...(isText && !isList ? ["  $offsets[$row + 1] = $size;"] : []),
    "}",
    `return { ${returned(kernel.type)} };`,
  ];
  return {
    parameters: [...fixed, ...survey.arrays.keys()],
    fixed,
    body: lines.join("\n") + "\n",
    arrays,
    writesFloats: survey.writesFloats,
  };
}

function returned(type: ColumnType): string {
  if (isTextList(type)) return "nulls: $nulls, data: $out, size: $size, ends: $ends, count: $count";
  if (type.kind === "list") return "nulls: $nulls, data: $numbers, size: 4 * $count, count: $count";
  const isText = type.kind === "string";
  return `nulls: $nulls, ${isText ? "data: $out, size: $size" : "data: $result, size: 0"}`;
}

/** Makes room for text, and does the row again. */
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

/** Makes room for items, and does the row again; else the list of the row is complete. */
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

/** Makes room for numbers, and does the row again; else the list of the row is complete. */
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

/** The function as one text, for people and for golden files. */
export function javaScriptSource(kernel: JavaScriptKernel): string {
  const body = kernel.body.replace(/^(?=.)/gm, "  ");
  return `function (${kernel.parameters.join(", ")}) {\n${body}}\n`;
}

interface Survey {
  /** By the name of the parameter. */
  readonly arrays: Map<string, KernelArray>;
  /** Values of the row that are read once. */
  readonly rowValues: string[];
  /** Views on the bytes that are copied from or searched, made once. */
  readonly views: string[];
  /** Whether text is copied into the result. */
  copies: boolean;
  /** Functions of the host that only some kernels call. */
  readonly calls: Set<string>;
  writesFloats: boolean;
}

function surveyOf({ body, columnTypes }: RowKernel): Survey {
  const survey: Survey = {
    arrays: new Map(),
    rowValues: [],
    views: [],
    copies: false,
    calls: new Set(),
    writesFloats: false,
  };
  const value = (name: string, expression: string) => {
    const line = `const ${name} = ${expression};`;
    if (!survey.rowValues.includes(line)) survey.rowValues.push(line);
  };
  const space = (source: Space) => {
    if (source.space === "literals") survey.arrays.set("$literals", { array: "literals" });
    else survey.arrays.set(`$data${source.column}`, { array: "data", column: source.column });
  };
  const view = (source: Space) => {
    space(source);
    const line = `const ${viewText(source)} = $viewBytes(${spaceText(source)});`;
    if (!survey.views.includes(line)) survey.views.push(line);
  };
  visit(body, {
    stmt: (stmt) => {
      if (stmt.do === "copy" || stmt.do === "repeat") {
        view(stmt.space);
        survey.copies = true;
      }
      const seek = stmt.do === "loop" ? knownSeek(stmt) : null;
      if (seek !== null) {
        const { column, bytes } = seek;
        view({ space: "column", column });
        survey.arrays.set(`$offsets${column}`, { array: "offsets", column });
        survey.calls.add(bytes.length > 1 ? "$seekBytes" : "$seekByte");
      }
      if (stmt.do === "repeat") survey.calls.add("$repeat");
      if (stmt.do === "checkRepeat") survey.calls.add("$checkRepeat");
      if (stmt.do === "copyNormal") {
        space(stmt.space);
        survey.calls.add("$putNormal");
      }
      if (stmt.do === "putFloat") survey.calls.add("$putFloat");
      if (stmt.do === "result" && stmt.words[0]?.type === "f64") survey.writesFloats = true;
    },
    scalar: (scalar) => {
      if (scalar.op === "word") {
        const { column, word } = scalar;
        survey.arrays.set(`$words${column}`, { array: "words", column });
        const type = columnTypes[column];
        const at = type !== undefined && isWide(type) ? `2 * $row + ${word}` : "$row";
        value(`$word${word}_${column}`, `$words${column}[${at}]`);
      } else {
        if (scalar.op === "decimal") survey.calls.add("$decimal");
        surveyScalar(scalar, survey.arrays, value, space);
      }
    },
  });
  return survey;
}

function surveyScalar(
  scalar: Scalar,
  arrays: Survey["arrays"],
  value: (name: string, expression: string) => void,
  space: (source: Space) => void,
): void {
  switch (scalar.op) {
    case "byte":
    case "decimal":
      return space(scalar.space);
    case "start":
    case "stop": {
      const { column } = scalar;
      arrays.set(`$offsets${column}`, { array: "offsets", column });
      const index = scalar.op === "start" ? "$row" : "$row + 1";
      return value(`$${scalar.op}${column}`, `$offsets${column}[${index}]`);
    }
    case "valid":
      arrays.set(`$valid${scalar.column}`, { array: "validity", column: scalar.column });
      return;
    case "bit":
      arrays.set(`$data${scalar.column}`, { array: "data", column: scalar.column });
      return;
    case "float":
      arrays.set(`$float${scalar.column}`, { array: "floats", column: scalar.column });
      return;
    case "itemStart":
      arrays.set(`$items${scalar.column}`, { array: "items", column: scalar.column });
      return;
    case "itemValid":
      arrays.set(`$itemsValid${scalar.column}`, { array: "itemsValid", column: scalar.column });
      return;
    case "table":
      arrays.set(`$table${scalar.table}`, { array: "table", table: scalar.table });
  }
}

/** Whether a column has two words a row. */
function isWide(type: ColumnType): boolean {
  return (type.kind === "int" || type.kind === "float") && type.bits === 64;
}
