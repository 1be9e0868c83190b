/**
 * The functions of the library that verbs call. The first verb that calls a function loads it, so that a
 * pipeline does not wait for functions that it does not use; functions that are always used together load
 * together. A name that mod.ts exports too is the same function.
 *
 * @module
 */

import type { read as readAny, ReadOptions } from "../../ops/source/read.ts";
import { castType } from "../../streams/formats/given_types.ts";

/** Loads one of the exports of a module. */
type Loaders<Module, Name extends keyof Module> = {
  readonly [Key in Name]: () => Promise<Module[Key]>;
};

function from<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  ...names: readonly Name[]
): Loaders<Module, Name> {
  const loaders = names.map((name) => [name, async () => (await load())[name]]);
  return Object.fromEntries(loaders) as Loaders<Module, Name>;
}

export const library = {
  ...from(() => import("./pipeline.ts"), "createEngine", "readFiles", "removePartialOutputs"),
  ...from(() => import("./expressions.ts"), "filter", "operations", "parseExpr", "withColumns"),
  ...from(() => import("../../ops/source/read.ts"), "read"),
  ...from(() => import("../../ops/source/cast_columns.ts"), "castColumns"),
  ...from(() => import("../../ops/source/written_rows.ts"), "WrittenRows"),
  ...from(() => import("../../streams/files/write.ts"), "write"),
  ...from(() => import("../../ops/rows/select.ts"), "select"),
  ...from(() => import("../../ops/rows/drop.ts"), "drop"),
  ...from(() => import("../../ops/rows/rename.ts"), "rename"),
  ...from(() => import("../../ops/group/group.ts"), "group", "hasAggregate"),
  ...from(() => import("../../ops/group/values.ts"), "values"),
  ...from(() => import("../../ops/group/distinct.ts"), "distinct"),
  ...from(() => import("../../ops/sort/sort.ts"), "sort"),
  ...from(() => import("../../ops/sort/top.ts"), "top"),
  ...from(() => import("../../ops/sort/order.ts"), "desc"),
  ...from(() => import("../../ops/join/join.ts"), "join"),
  ...from(() => import("../../ops/rows/join_strings.ts"), "joinStrings"),
  ...from(() => import("../../ops/regroup/regroup.ts"), "regroup"),
  ...from(() => import("../../ops/rechunk/rechunk.ts"), "rechunk"),
  ...from(() => import("../../ops/slice/slice.ts"), "slice", "head", "tail", "at", "take"),
  ...from(() => import("../../ops/rows/count_rows.ts"), "countRows"),
  ...from(() => import("../../gpu/webgpu/describe_adapter.ts"), "describeAdapter"),
  ...from(() => import("../../ops/expr/describe_operations.ts"), "describeOperations"),
  ...from(() => import("../../ops/string/define/define_string_op.ts"), "isStringOp"),
  ...from(() => import("../../ops/plugin/define_operator.ts"), "isOperatorFactory"),
} as const;

/** Returns `read`, or if no column is cast, the part of it that loads no backend. */
export async function readOf(types: ReadOptions["types"]): Promise<typeof readAny> {
  const isCast = Object.values(types ?? {}).some((type) => castType(type) !== undefined);
  return isCast ? await library.read() : (await library.readFiles()) as typeof readAny;
}

/** Rows that a step writes and passes on. */
export type WrittenRows = InstanceType<Awaited<ReturnType<typeof library.WrittenRows>>>;
