/** @module */

import type { ColumnType } from "../../column/column.ts";
import type { ScalarType } from "../ir/ir.ts";
import { LowerContext } from "./lower_context.ts";
import { inlineCall } from "./row_function.ts";
import type { RowFunction } from "../language/row_function.ts";
import { visit } from "../ir/visit.ts";

const known = new WeakMap<RowFunction, boolean>();

/**
 * Whether a function takes a part of an ASCII text, or none, by positions alone: of two texts of one
 * size it takes the same positions, whatever their bytes are.
 */
export function isPositional(fn: RowFunction): boolean {
  if (fn.kind !== "view" || fn.subject !== "string") return false;
  if (fn.args.some(({ type }) => type === "string")) return false;
  let answer = known.get(fn);
  if (answer === undefined) {
    answer = !looksAtBytes(fn);
    known.set(fn, answer);
  }
  return answer;
}

/** Lowers a function for a text of which nothing but its ends is known, and sees whether it reads it. */
function looksAtBytes(fn: RowFunction): boolean {
  const type: ColumnType = { kind: "string" };
  const variant = { ascii: true, nullable: [] };
  const context = new LowerContext([type], variant, { node: "column", index: 0, type });
  const { builder } = context;
  const space = { one: { space: "column", column: context.column(0) } } as const;
  const unknown = (type: ScalarType) => builder.reserve("unknown", type);
  const view = { space, start: unknown("i32"), stop: unknown("i32"), ascii: true };
  const args = fn.args.map(({ type }) => {
    return { is: "scalar", scalar: unknown(type === "bool" ? "bool" : "i32") } as const;
  });
  const result = inlineCall(context, {
    ...{ fn, subject: { is: "view", view }, args, sink: null },
    onNull: () => builder.push({ do: "null" }),
  });
  const ends = result?.is === "view" ? [result.view.start, result.view.stop] : [];
  let looks = false;
  visit([...builder.statements, { do: "result", words: ends }], {
    scalar: ({ op }) => void (looks ||= op === "byte"),
  });
  return looks;
}
