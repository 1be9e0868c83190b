/**
 * The functions of the library that verbs call, each loaded by the first verb that does: a pipeline
 * waits for none that it does not use. What is always used together is loaded together.
 *
 * @module
 */

import type { read as readAny, ReadOptions } from "../ops/source/read.ts";
import { castType } from "../streams/formats/given_types.ts";

const pipeline = () => import("./library/pipeline.ts");
const expressions = () => import("./library/expressions.ts");

export const library = {
  createEngine: async () => (await pipeline()).createEngine,
  removePartialOutputs: async () => (await pipeline()).removePartialOutputs,
  readFiles: async () => (await pipeline()).readFiles,
  read: async () => (await import("../ops/source/read.ts")).read,
  castColumns: async () => (await import("../ops/source/cast_columns.ts")).castColumns,
  WrittenRows: async () => (await import("../ops/source/written_rows.ts")).WrittenRows,
  write: async () => (await import("../streams/files/write.ts")).write,
  shownRows: () => import("./library/shown_rows.ts"),
  parseExpr: async () => (await expressions()).parseExpr,
  operations: async () => (await expressions()).builtInOperations,
  withColumns: async () => (await expressions()).withColumns,
  select: async () => (await import("../ops/rows/select.ts")).select,
  drop: async () => (await import("../ops/rows/drop.ts")).drop,
  rename: async () => (await import("../ops/rows/rename.ts")).rename,
  filter: async () => (await expressions()).filter,
  join: async () => (await import("../ops/join/join.ts")).join,
  joinStrings: async () => (await import("../ops/rows/join_strings.ts")).joinStrings,
  regroup: async () => (await import("../ops/regroup/regroup.ts")).regroup,
  rechunk: async () => (await import("../ops/rechunk/rechunk.ts")).rechunk,
  slice: async () => (await import("../ops/slice/slice.ts")).slice,
  head: async () => (await import("../ops/slice/slice.ts")).head,
  tail: async () => (await import("../ops/slice/slice.ts")).tail,
  at: async () => (await import("../ops/slice/slice.ts")).at,
  take: async () => (await import("../ops/slice/slice.ts")).take,
  countRows: async () => (await import("../ops/rows/count_rows.ts")).countRows,
  describeAdapter: async () => (await import("../gpu/webgpu/describe_adapter.ts")).describeAdapter,
  describeOperations: async () =>
    (await import("../ops/expr/describe_operations.ts")).describeOperations,
  isStringOp: async () => (await import("../ops/string/define_string_op.ts")).isStringOp,
  isOperatorFactory: async () =>
    (await import("../ops/operator/define_operator.ts")).isOperatorFactory,
} as const;

/** `read`, or where no column is cast the part of it that loads nothing that computes. */
export async function readOf(types: ReadOptions["types"]): Promise<typeof readAny> {
  const isCast = Object.values(types ?? {}).some((type) => castType(type) !== undefined);
  return isCast ? await library.read() : (await library.readFiles()) as typeof readAny;
}

/** Rows that are written on their way through a pipeline. */
export type WrittenRows = InstanceType<Awaited<ReturnType<typeof library.WrittenRows>>>;
