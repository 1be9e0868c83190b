/**
 * Prints conditions that are computed for eight rows at a time (`host/bit_rows.ts`).
 *
 * @module
 */

import { InternalError } from "../../../../base/errors/internal_error.ts";
import { arrayName } from "../host/calling_convention.ts";
import { type BitRows, leafOf } from "../host/bit_rows.ts";
import type { Scalar } from "../../ir/ir.ts";
import { scalarKey } from "../../ir/scalar.ts";
import { scalarText } from "./scalar.ts";

/** All rows of a byte. */
const ALL = "255";

/** Prints the lines of all rows; `rowValues` are the lines that read the columns of a row. */
export function bitRowsText(
  { rows, bytes, value, isValid, columns, ofRow }: BitRows,
  rowValues: readonly string[],
  canBeNull: boolean,
): string[] {
  const printer = new BytePrinter(ofRow);
  const names = new Set(bytes.flatMap((stmt) => stmt.do === "let" ? [stmt.name] : []));
  const changing = new Set(bytes.flatMap((stmt) => stmt.do === "set" ? [stmt.name] : []));
  const made = bytes.map((stmt) => {
    const keyword = stmt.do === "set" || !names.has(stmt.name)
      ? ""
      : changing.has(stmt.name)
      ? "let "
      : "const ";
    return `${keyword}${stmt.name} = ${printer.byte(stmt.value)};`;
  });
  const valids = [
    ...columns.map((column) => `${arrayName({ array: "validity", column })}[$at]`),
    ...(isValid === null ? [] : [printer.byte(isValid)]),
  ];
  const result = printer.byte(value);
  const after = (last: boolean): string[] => {
    const left = last ? " & (1 << ($rows & 7)) - 1" : "";
    if (!canBeNull) return [...made, `$result[$at] = ${result}${left};`];
    return [
      ...made,
      `const $valids = ${[...valids, ...(valids.length === 0 ? [ALL] : [])].join(" & ")} & ${
        last ? "(1 << ($rows & 7)) - 1" : ALL
      };`,
      "$validity[$at] = $valids;",
      `$result[$at] = ${result} & $valids;`,
      "const $pairs = $valids - ($valids >> 1 & 0x55);",
      "const $fours = ($pairs & 0x33) + ($pairs >> 2 & 0x33);",
      `$nulls += ${last ? "($rows & 7)" : "8"} - ($fours + ($fours >> 4) & 15);`,
    ];
  };
  const { leaves } = printer;
  const values = [
    ...rowValues,
    ...rows.map(({ name, value }) => `const ${name} = ${scalarText(value)};`),
  ];
  const declared = leaves.map((_, index) => `let $bits${index} = 0;`);
  const step = (bit: string): string[] =>
    leaves.length === 0 ? [] : [
      "{",
      ...[
        ...values,
        ...leaves.map((leaf, index) =>
          `$bits${index} |= ${bit === "0" ? bitOf(leaf) : `(${bitOf(leaf)}) << ${bit}`};`
        ),
      ].map((line) => `  ${line}`),
      "}",
    ];
  const next = leaves.length === 0 ? [] : ["$row++;"];
  const steps = Array.from({ length: 8 }, (_, bit) => [...step(`${bit}`), ...next]).flat();
  const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [
    "let $at = 0, $row = 0;",
    "for (const $bytes = $rows >> 3; $at < $bytes; $at++) {",
    ...indented([...declared, ...steps, ...after(false)]),
    "}",
    "if (($rows & 7) > 0) {",
    ...indented(declared),
    ...(leaves.length === 0 ? [] : indented([
      "for (let $bit = 0; $row < $rows; $bit++, $row++) {",
      ...indented(step("$bit")),
      "}",
    ])),
    ...indented(after(true)),
    "}",
  ];
}

/** Prints bools of eight rows, and collects those of a row of which they consist. */
class BytePrinter {
  readonly leaves: Scalar[] = [];
  readonly #ofRow: (scalar: Scalar) => boolean;

  constructor(ofRow: (scalar: Scalar) => boolean) {
    this.#ofRow = ofRow;
  }

  /** Prints a bool of eight rows, whose higher bits may be anything. */
  byte(scalar: Scalar): string {
    if (scalar.op === "const") return scalar.value === true ? ALL : "0";
    if (scalar.op === "unary" && scalar.fn === "!") return `~${this.byte(scalar.value)}`;
    if (this.#ofRow(scalar)) return this.#leaf(scalar);
    switch (scalar.op) {
      case "valid":
        return `${arrayName({ array: "validity", column: scalar.column })}[$at]`;
      case "bit":
        return `${arrayName({ array: "data", column: scalar.column })}[$at]`;
      case "local":
        return scalar.name;
      case "select": {
        const test = this.byte(scalar.test);
        return `(${test} & ${this.byte(scalar.yes)} | ~${test} & ${this.byte(scalar.no)})`;
      }
      case "binary":
        return this.#operator(scalar);
      default:
        throw new InternalError(`${scalar.op} has no bits`);
    }
  }

  #operator({ fn, left, right }: Scalar & { op: "binary" }): string {
    const [a, b] = [this.byte(left), this.byte(right)];
    switch (fn) {
      case "&&":
        return `(${a} & ${b})`;
      case "||":
        return `(${a} | ${b})`;
      case "!=":
        return `(${a} ^ ${b})`;
      case "==":
        return `~(${a} ^ ${b})`;
      default:
        throw new InternalError(`${fn} has no bits`);
    }
  }

  #leaf(scalar: Scalar): string {
    const { leaf, isOpposite } = leafOf(scalar);
    const key = scalarKey(leaf);
    const known = this.leaves.findIndex((other) => scalarKey(other) === key);
    const index = known >= 0 ? known : this.leaves.push(leaf) - 1;
    return `${isOpposite ? "~" : ""}$bits${index}`;
  }
}

/** Prints a bool of a row as 1 or 0, without a branch. */
function bitOf(scalar: Scalar): string {
  if (scalar.op === "const") return scalar.value === true ? "1" : "0";
  if (scalar.op === "unary" && scalar.fn === "!") return `(${bitOf(scalar.value)} ^ 1)`;
  if (scalar.op === "binary" && scalar.left.type === "bool") {
    const [a, b] = [bitOf(scalar.left), bitOf(scalar.right)];
    switch (scalar.fn) {
      case "&&":
        return `${a} & ${b}`;
      case "||":
        return `(${a} | ${b})`;
      case "!=":
        return `(${a} ^ ${b})`;
      case "==":
        return `(${a} ^ ${b} ^ 1)`;
      default:
        throw new InternalError(`${scalar.fn} has no bits`);
    }
  }
  return `(${scalarText(scalar)} | 0)`;
}
