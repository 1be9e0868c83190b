/**
 * Composable stream transforms of Arrow record batches, computed on the GPU or, with the same
 * bytes, on the host.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { expr, fromBatches, join, slice, toTable, withColumns } from "./mod.ts";
 *
 * const flights = tableFromArrays({ origin: ["LAX", "SFO"], destination: ["SFO", "LAX"] });
 * const airports = tableFromArrays({ iata: ["LAX", "SFO"], state: ["CA", "CA"] });
 * const table = await toTable(
 *   fromBatches(flights)
 *     .pipeThrough(withColumns({ route: expr('origin + " > " + destination') }))
 *     .pipeThrough(join(fromBatches(airports), { on: { origin: "iata" } }))
 *     .pipeThrough(slice(-1)),
 * );
 * assertEquals(table.toArray().map((row) => row.route), ["SFO > LAX"]);
 * ```
 *
 * @module
 */

import "./ops/engine/require_deno.ts";

export { DataType, RecordBatch, Schema, Table } from "apache-arrow";
export { read, type ReadOptions } from "./ops/source/read.ts";
export type { SourceOptions } from "./streams/files/read.ts";
export type { CsvType, HttpOptions, ReadCsvOptions } from "./streams/formats/csv/csv.ts";
export { fromBatches, type FromBatchesOptions } from "./ops/source/from_batches.ts";
export { type Batches, type MemorySourceOptions, toTable } from "./streams/source/memory.ts";
export { write, type WriteOptions } from "./streams/files/write.ts";
export type { Format } from "./streams/files/formats.ts";
export type { FileSink } from "./streams/sink/sink_job.ts";
export type { ParquetCompression } from "./streams/formats/parquet/module/properties.ts";
export type { OffsetsPolicy } from "./streams/sink/sink_offsets.ts";
export type { Duplicates } from "./streams/types/distinct_names.ts";
export type { InvalidText } from "./streams/text/valid_utf8.ts";
export { removePartialOutputs } from "./streams/sink/output_file.ts";

export { withColumns } from "./ops/rows/with_columns.ts";
export { select } from "./ops/rows/select.ts";
export { drop } from "./ops/rows/drop.ts";
export { rename } from "./ops/rows/rename.ts";
export { filter } from "./ops/rows/filter.ts";
export { group, type GroupKeys } from "./ops/group/group.ts";
export { values } from "./ops/group/values.ts";
export { distinct, type DistinctOptions, type Keep } from "./ops/group/distinct.ts";
export { sort, type SortOptions } from "./ops/sort/sort.ts";
export { top, type TopOptions } from "./ops/sort/top.ts";
export { desc, type DirectedKey, type SortKey } from "./ops/sort/order.ts";
export {
  type Aggregated,
  all,
  any,
  argMax,
  argMin,
  corr,
  count,
  countDistinct,
  first,
  last,
  list,
  max,
  mean,
  median,
  min,
  mode,
  quantile,
  std,
  sum,
  variance,
} from "./ops/expr/aggregates.ts";
export { join, type JoinOptions } from "./ops/join/join.ts";
export type { AsOfOptions } from "./ops/join/as_of/join.ts";
export type { CrossJoinOptions, EquiJoinOptions } from "./ops/join/equi/join.ts";
export type { WhereJoinOptions } from "./ops/join/where/join.ts";
export type { AsOfDirection } from "./gpu/order/as_of/match_times.ts";
export type { BuildColumnsOptions } from "./ops/join/shared/columns.ts";
export type { JoinKey, JoinKeys } from "./ops/join/shared/keys.ts";
export type { PromoteMode } from "./ops/join/shared/promote_keys.ts";
export type { Validation } from "./ops/join/equi/unique_keys.ts";
export { joinStrings, type JoinStringsOptions } from "./ops/rows/join_strings.ts";
export { regroup, type RegroupOptions } from "./ops/regroup/regroup.ts";
export { rechunk, type RechunkOptions } from "./ops/rechunk/rechunk.ts";
export type { ChunkTarget } from "./ops/rechunk/stage/target_chunk.ts";
export { planRechunk } from "./ops/rechunk/plan/plan_rechunk.ts";
export type {
  PlanRechunkOptions,
  RechunkPlan,
  RechunkStage,
} from "./ops/rechunk/plan/rechunk_plan.ts";
export { explainPlan } from "./ops/rechunk/plan/explain_plan.ts";
export {
  at,
  head,
  type RowBounds,
  slice,
  type SliceOptions,
  tail,
  take,
} from "./ops/slice/slice.ts";
export { countRows } from "./ops/rows/count_rows.ts";

export type { Argument, ConcatOptions, ExprBase, Value } from "./ops/syntax/expr_base.ts";
export {
  coalesce,
  col,
  concat,
  type DateMethods,
  type Expr,
  lit,
  type MethodsOf,
  now,
  type NumberMethods,
  printExpr,
  right,
  type StringMethods,
  today,
  when,
} from "./ops/expr/expr.ts";
export type { Literal, LiteralData, RegexData } from "./ops/syntax/literal.ts";
export type { Receiver } from "./ops/syntax/receiver.ts";
export { expr, parseExpr, type ParseOptions } from "./ops/expr/parse.ts";
export { builtInOperations as operations } from "./ops/expr/built_in_operations.ts";

export {
  type ArgumentNode,
  type CallArgs,
  type CallArguments,
  defineOp,
  defineStringOp,
  type IntArg,
  isStringOp,
  type NumberArg,
  type Overload,
  overload,
  type OverloadedStringOpSpec,
  type ParameterType,
  type RowConsts,
  type RowSpec,
  type StringOp,
  type StringOpSpecBase,
  type TextArg,
} from "./ops/string/define/define_string_op.ts";
export {
  type DescribedExample,
  describeOperations,
  type OperationDescription,
} from "./ops/expr/describe_operations.ts";
export type { ExampleStep, ExampleValue, StringOpExample } from "./ops/syntax/node.ts";
export type { MinhashOptions } from "./ops/string/minhash.ts";
export type { CastOptions } from "./ops/string/convert/cast.ts";
export type { DivideOptions } from "./ops/number/divide.ts";
export type { RoundOptions, Ties } from "./ops/number/rounding.ts";
export type { PadOptions, PadSide } from "./ops/string/pad.ts";
export type { OperationGroup } from "./ops/syntax/operation_group.ts";
export { checkStringOp } from "./ops/plugin/check_string_op.ts";
export {
  defineOperator,
  isOperatorFactory,
  type OperatorContext,
  type OperatorFactory,
  type OperatorSpec,
} from "./ops/plugin/define_operator.ts";
export { checkOperator } from "./ops/plugin/check_operator.ts";
export type { RowRule } from "./ops/engine/node.ts";
export { defineHelper } from "./gpu/kernel/fold/define_helper.ts";
export { type Numeric, numeric } from "./gpu/kernel/fold/numeric.ts";
export { scratch } from "./gpu/kernel/language/scratch.ts";
export type { AnyIntrinsic } from "./gpu/kernel/language/intrinsics.ts";
export type {
  AnyHelper,
  ArgType,
  ConstsIn,
  f64,
  Given,
  Helper,
  HelperArg,
  HelperParameters,
  HelperResult,
  HelperSpec,
  i32,
  i64,
  Intrinsic,
  ItemType,
  ListSink,
  MeasureType,
  NumberSink,
  ParameterIn,
  RowConst,
  RowFunctionSpec,
  RowKind,
  RowParameters,
  RowResult,
  RowReturn,
  Scratch,
  Sink,
  SubjectType,
  Table as IntTable,
  TextList,
  View,
} from "./gpu/kernel/language/row_function.ts";

export {
  createEngine,
  defaultEngine,
  type Engine,
  type EngineDescription,
  type EngineOptions,
} from "./ops/engine/engine.ts";
export type { Device } from "./ops/engine/choose_device.ts";
export type { EngineOption } from "./ops/engine/operator_of.ts";
export type { OperatorStats, RunStats, SourceSize, WideText } from "./ops/engine/run_stats.ts";
export { type AdapterDescription, describeAdapter } from "./gpu/webgpu/describe_adapter.ts";
export type { Backend, BackendCounters } from "./gpu/backend.ts";
export type { JoinHow } from "./gpu/join_kind.ts";
export { Batch } from "./ops/batch/batch.ts";
export { BatchStream } from "./streams/plan/batch_stream.ts";
export { Operator } from "./streams/plan/operator.ts";

export { DeviceError, DifferenceError } from "./base/errors/device_error.ts";
export { KernelError } from "./base/errors/expr_error.ts";
export { OverflowError, type TextOrigin, Utf8Error } from "./base/errors/value_error.ts";
export { ExprError, type Place } from "./base/errors/expr_error.ts";
export { FileError, type FileErrorPlace } from "./base/errors/file_error.ts";
export { ArithmeticError, ConversionError } from "./base/errors/value_error.ts";
export { StepError } from "./base/errors/step_error.ts";
export { isSluiceError, type SluiceError } from "./base/errors/public_errors.ts";
