/**
 * A check of a string operation, for the tests of who defines one.
 *
 * @module
 */

import { showValue } from "../../base/kind_of.ts";
import { InternalError } from "../../base/errors/internal_error.ts";
import { Field, Schema, Vector } from "apache-arrow";
import type { ColumnType } from "../../gpu/column/column.ts";
import { partOf } from "../../gpu/column/part.ts";
import { evaluateOnHost } from "../../gpu/host/evaluate.ts";
import { partitionIntoKernels } from "../../gpu/kernel/partition/partition.ts";
import { compileEverywhere } from "../../gpu/kernel/show/compile_everywhere.ts";
import type {
  RowFunction,
  RowResult,
  SubjectType,
} from "../../gpu/kernel/language/row_function.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import {
  exampleColumn,
  exampleReceiver,
  exampleResult,
  isSameValue,
  printExample,
} from "../expr/example.ts";
import { isStringOp } from "../string/define/define_string_op.ts";
import type { StringOp, StringOpExample } from "../syntax/node.ts";
import { bindExpr } from "../expr/bind.ts";
import { resolveCall } from "../syntax/call_node.ts";
import { compileExprs } from "../expr/compile_exprs.ts";
import { printData } from "../syntax/print.ts";
import { fromArrow } from "../batch/from_arrow.ts";
import { toArrow } from "../batch/to_arrow.ts";

const TYPES: Readonly<Record<SubjectType | RowResult, ColumnType>> = {
  string: { kind: "string" },
  i32: { kind: "int", bits: 32, signed: true },
  bool: { kind: "bool" },
  i64: { kind: "int", bits: 64, signed: true },
  u64: { kind: "int", bits: 64, signed: false },
  words: { kind: "int", bits: 64, signed: true },
  i128: { kind: "fixed", byteWidth: 16 },
  f64: { kind: "float", bits: 64 },
  list: { kind: "list", item: { kind: "string" } },
  numbers: { kind: "list", item: { kind: "int", bits: 32, signed: true } },
};

/**
 * Compiles every row function of an operation for the host and for a device, and runs its examples on
 * the host. Throws a `KernelError` for what the language of row functions does not have, and an Error
 * for an example that does not hold.
 *
 * @example
 * ```ts
 * import { checkStringOp } from "./check_string_op.ts";
 * import { upper } from "../string/case.ts";
 *
 * checkStringOp(upper);
 * ```
 */
export function checkStringOp(op: StringOp): void {
  if (!isStringOp(op)) {
    throw new TypeError(
      `checkStringOp() takes what defineStringOp() returns, not ${showValue(op)}`,
    );
  }
  for (const [key, { consts }] of Object.entries(op.overloads)) {
    // Constants that come from the arguments of a call exist in the examples.
    if (typeof consts === "function") continue;
    const fn = op.rowFunction(key);
    compileCall(fn);
    if (fn.written !== null) compileCall(fn.written);
  }
  for (const example of op.spec.examples ?? []) checkExample(op, example);
}

/** Compiles a call with columns for all parameters. */
function compileCall(fn: RowFunction): void {
  const inputs = [TYPES[fn.subject], ...fn.args.map(({ type }) => TYPES[type])];
  const [text, ...args] = inputs.map((type, index): Tree => ({ node: "column", index, type }));
  const tree: Tree = { node: "call", fn, text: text!, args, type: TYPES[fn.returns] };
  const { kernels } = partitionIntoKernels(inputs, [{ label: fn.name, tree }]);
  for (const kernel of kernels) compileEverywhere(kernel, inputs);
}

function checkExample(op: StringOp, example: StringOpExample): void {
  // An operation that returns several columns has no single value; its parts are compiled above.
  if (op.spec.parts !== undefined) return;
  const { input, args = [], result } = example;
  const column = exampleColumn(input);
  const schema = new Schema([new Field("text", column.type, true)]);
  const text = exampleReceiver(example);
  const call = text.call(op, ...args);
  if (call.node.node === "call") {
    const resolved = resolveCall(call.node, bindExpr(text, schema).type);
    if (resolved !== undefined) compileCall(resolved.fn);
  }
  const bound = bindExpr(call, schema);
  const { program, inputs, parts } = compileExprs([bound]);
  const columns = inputs.map((_, input) => {
    const whole = fromArrow(column.data[0]!);
    return parts[input] === undefined ? whole : partOf(whole, parts[input]);
  });
  const { columns: [computed] } = evaluateOnHost(program, columns, 1);
  if (computed === undefined) throw new InternalError("A program without outputs was compiled");
  const actual = exampleResult(new Vector([toArrow(computed, bound.type)]));
  if (isSameValue(actual, result)) return;
  throw new Error(
    `${printExample(op, example)} returns ${printData(actual)}, but its example states ${
      printData(result)
    }`,
  );
}
