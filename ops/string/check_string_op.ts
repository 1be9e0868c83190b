/**
 * A check of a string operation, for the tests of who defines one.
 *
 * @module
 */

import { Field, Schema, Vector } from "apache-arrow";
import type { ColumnType } from "../../gpu/column/column.ts";
import { evaluateOnHost } from "../../gpu/host/evaluate.ts";
import { HostKernelCache } from "../../gpu/host/kernels/kernel_cache.ts";
import { partitionIntoKernels } from "../../gpu/kernel/partition/partition.ts";
import { emitWgsl } from "../../gpu/kernel/emit/wgsl/emit.ts";
import { lowerKernel } from "../../gpu/kernel/lower/lower.ts";
import type {
  RowFunction,
  RowResult,
  SubjectType,
} from "../../gpu/kernel/language/row_function.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import type { StringOp } from "./define_string_op.ts";
import {
  exampleColumn,
  exampleResult,
  isSameValue,
  printExample,
  type StringOpExample,
} from "./example.ts";
import { bindExpr } from "../expr/bind.ts";
import { resolveCall } from "../expr/call_node.ts";
import { col } from "../expr/expr.ts";
import { compileExprs } from "../expr/fuse.ts";
import { printData } from "../expr/print.ts";
import { fromArrow } from "../batch/from_arrow.ts";
import { toArrow } from "../batch/to_arrow.ts";

const TYPES: Readonly<Record<SubjectType | RowResult, ColumnType>> = {
  string: { kind: "string" },
  i32: { kind: "int", bits: 32, signed: true },
  bool: { kind: "bool" },
  i64: { kind: "int", bits: 64, signed: true },
  f64: { kind: "float", bits: 64 },
  list: { kind: "list", item: { kind: "string" } },
  numbers: { kind: "list", item: { kind: "int", bits: 32, signed: true } },
};

/**
 * Compiles every row function of an operation for both targets, and runs its examples on the host.
 * Throws a `KernelError` for what the language of row functions does not have, and an Error for an
 * example that does not hold.
 *
 * @example
 * ```ts
 * import { checkStringOp } from "./check_string_op.ts";
 * import { upper } from "./case.ts";
 *
 * checkStringOp(upper);
 * ```
 */
export function checkStringOp(op: StringOp): void {
  for (const [key, { consts }] of Object.entries(op.overloads)) {
    // Constants that come from the arguments of a call exist in the examples.
    if (typeof consts === "function") continue;
    const fn = op.rowFunction(key);
    compileForBoth(fn);
    if (fn.written !== null) compileForBoth(fn.written);
  }
  for (const example of op.spec.examples ?? []) checkExample(op, example);
}

/** Compiles a call with columns for all parameters, in all variants. */
function compileForBoth(fn: RowFunction): void {
  const inputs = [TYPES[fn.subject], ...fn.args.map(({ type }) => TYPES[type])];
  const [text, ...args] = inputs.map((type, index): Tree => ({ node: "column", index, type }));
  const tree: Tree = { node: "call", fn, text: text!, args, type: TYPES[fn.returns] };
  const { kernels } = partitionIntoKernels(inputs, [{ label: fn.name, tree }]);
  const isSized = fn.returns === "string" || fn.kind === "list";
  const passes = isSized ? ["sizes", "write"] as const : ["single"] as const;
  const cache = new HostKernelCache();
  for (const kernel of kernels) {
    for (const ascii of [true, false]) {
      for (const isNullable of [true, false]) {
        const variant = { ascii, nullable: inputs.map(() => isNullable) };
        cache.get(kernel, inputs, variant);
        const lowered = lowerKernel(kernel, inputs, variant);
        const isForDevice = lowered.kernel === "row" && kernel.hostOnly === undefined;
        if (isForDevice) passes.forEach((pass) => emitWgsl(lowered, pass));
      }
    }
  }
}

function checkExample(op: StringOp, example: StringOpExample): void {
  // What gives several columns has no value of its own; its parts are compiled above.
  if (op.spec.parts !== undefined) return;
  const { input, via, args = [], result } = example;
  const column = exampleColumn(input);
  const schema = new Schema([new Field("text", column.type, true)]);
  const text = via === undefined ? col("text") : via(col("text"));
  const call = text.call(op, ...args);
  if (call.node.node === "call") {
    const resolved = resolveCall(call.node, bindExpr(text, schema).type);
    if (resolved !== undefined) compileForBoth(resolved.fn);
  }
  const bound = bindExpr(call, schema);
  const { program, inputs } = compileExprs([bound]);
  const columns = inputs.map(() => fromArrow(column.data[0]!));
  const { columns: [computed] } = evaluateOnHost(program, columns, 1, new HostKernelCache());
  if (computed === undefined) throw new Error("A program without outputs was compiled");
  const actual = exampleResult(new Vector([toArrow(computed, bound.type)]));
  if (isSameValue(actual, result)) return;
  throw new Error(
    `${printExample(op, example)} gives ${printData(actual)}, its example says ${
      printData(result)
    }`,
  );
}
