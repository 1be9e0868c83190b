/**
 * Joins by a condition on the rows of both sides: inequalities, ranges, whatever an expression says.
 *
 * @module
 */

import { Schema } from "apache-arrow";
import type { BatchStream } from "../../../streams/plan/batch_stream.ts";
import type { Operator } from "../../../streams/plan/operator.ts";
import { operatorOf } from "../../engine/operator_of.ts";
import {
  type BindContext,
  type Names,
  type NodeKind,
  nodeOf,
  type Stage,
} from "../../engine/node.ts";
import { checkExpr } from "../../expr/check_expr.ts";
import type { CompiledExprs } from "../../expr/compile_exprs.ts";
import { explainKernels } from "../../expr/explain.ts";
import { type Expr, printExpr } from "../../expr/expr.ts";
import { parseExpr } from "../../expr/parse.ts";
import { columnsOf } from "../../expr/rewrite.ts";
import { checkNames } from "../../rows/column_names.ts";
import { BuildSide } from "../shared/build_side.ts";
import { checkKind, refuseOthers } from "../shared/options.ts";
import { limits } from "../shared/columns.ts";
import {
  buildColumns,
  type BuildColumnsOptions,
  defaultSuffix,
  type JoinColumns,
  joinColumns,
  neededOnLeft,
  type OutputColumn,
  takenColumns,
} from "../shared/columns.ts";
import { checkConditions } from "../../expr/quoted_text.ts";
import type { AskedOfPairs, BoundWhere } from "./bound.ts";
import { runWhere } from "./run.ts";
import { planWhere, type WherePlan } from "./where_plan.ts";

/** How two streams are joined by a condition. */
export interface WhereJoinOptions extends BuildColumnsOptions {
  /**
   * The condition, as text or built: `right.NAME` is a column of the build side, any other name one of
   * the stream. In TypeScript `right("name")`.
   */
  readonly where: string | Expr;
  /** `inner` keeps the rows that match, `left` all rows of the stream. Default: "inner". */
  readonly how?: "inner" | "left";
}

/** A join by a condition, checked. */
interface WhereJoinSpec {
  readonly build: BuildSide;
  readonly where: Expr;
  readonly how: "inner" | "left";
  readonly suffix: string;
  readonly taken: readonly string[] | undefined;
  /** The columns of the result that the steps after it need. Absent: all of them. */
  readonly wanted?: Names;
}

/**
 * Joins the rows of the stream with those of a build side for which a condition is true, in the order
 * of the stream, and within a row in that of the build side. A build side that exceeds the memory is
 * joined in chunks, from files.
 *
 * The result has the columns of the stream, then those of the build side. An inequality of both sides
 * is found by a search, an equality by its key; a condition without either compares every row with
 * every row, and a warning says so.
 */
export function whereJoin(build: BatchStream, options: WhereJoinOptions): Operator {
  const { where, how = "inner", suffix = defaultSuffix, columns } = options;
  if (how !== "inner" && how !== "left") {
    throw new TypeError(
      `A join by a condition is "inner" or "left", not ${JSON.stringify(how)}`,
    );
  }
  refuseOthers("A join by a condition", options);
  checkKind("suffix", suffix, "string");
  if (columns !== undefined) checkNames("The option columns of a join", columns);
  const condition = typeof where === "string" ? parseExpr(where) : where;
  checkExpr("The condition of a join", condition);
  checkConditions(condition.node);
  const spec = { where: condition, how, suffix, taken: columns };
  return operatorOf(nodeOf(whereJoinKind, { ...spec, build: new BuildSide(build) }), options);
}

const whereJoinKind: NodeKind<WhereJoinSpec> = {
  name: "join",
  rows: "any",
  boundaries: "ignored",
  summary: ({ how, where }) => `${how}, where ${printExpr(where)}`,
  needs: ({ where, suffix }, wanted) => neededOnLeft(suffix, columnsOf(where), wanted),
  bind: bindWhere,
  abandon: ({ build }, reason) => build.cancel(reason),
  rewrites: {
    onWanted: ({ spec }, wanted) => nodeOf(whereJoinKind, { ...spec, wanted }),
  },
};

async function bindWhere(
  spec: WhereJoinSpec,
  left: Schema,
  { fuse }: BindContext,
): Promise<Stage> {
  const right = await spec.build.schema();
  const plan = planWhere(spec.where, left, right, fuse);
  const columns = joinColumns(outputsOf(spec, left, right), spec.wanted, left.metadata);
  const bound = boundWhere(spec, plan, columns, left, right);
  const { compiled } = plan.left;
  const hasKernels = compiled.program.kernels.length > 0;
  const lines = [
    ...plan.lines,
    "build side: what exceeds the memory goes to temporary files",
    ...columns.unwanted.length > 0 ? [`left out: ${columns.unwanted.join(", ")}`] : [],
    ...hasKernels ? explainKernels(compiled).split("\n") : [],
  ];
  return {
    schema: columns.schema,
    explain: () => [spec.build.line, ...lines],
    warnings: plan.warnings,
    ...(hasKernels ? { compiled } : {}),
    run: (input, context) => runWhere(bound, input, context),
  };
}

function outputsOf(
  { how, suffix, taken }: WhereJoinSpec,
  left: Schema,
  right: Schema,
): OutputColumn[] {
  const probed = left.fields.map((field, place): OutputColumn => ({ field, left: place }));
  const places = takenColumns(right, taken);
  return [...probed, ...buildColumns(probed, right, places, { suffix, mayMiss: how === "left" })];
}

/** The join with its columns of the build side numbered as they are read. */
function boundWhere(
  { build, how }: WhereJoinSpec,
  plan: WherePlan,
  columns: JoinColumns,
  left: Schema,
  right: Schema,
): BoundWhere {
  const { compiled } = plan.right;
  const numLeft = left.fields.length;
  const buildPlaces = ({ inputs }: CompiledExprs) =>
    inputs.filter((place) => place >= numLeft).map((place) => place - numLeft);
  const pairPlaces = plan.pairs.flatMap(buildPlaces);
  const read = [...new Set([...columns.payload, ...compiled.inputs, ...pairPlaces])];
  const placesRead = (places: readonly number[]) => places.map((place) => read.indexOf(place));
  const fields = [...left.fields, ...right.fields];
  const pairs = plan.pairs.map((compiled): AskedOfPairs => ({
    condition: {
      compiled: { ...compiled, inputs: compiled.inputs.map((_, at) => at) },
      schema: new Schema(compiled.inputs.map((place) => fields[place]!)),
      probed: compiled.inputs.filter((place) => place < numLeft),
      limits,
    },
    payload: placesRead(buildPlaces(compiled)),
  }));
  return {
    left,
    build,
    request: {
      ...plan.buildFilter === undefined ? {} : { filter: plan.buildFilter },
      computed: new Map(),
      columns: new Schema(read.map((place) => right.fields[place]!)),
    },
    plan: {
      ...plan,
      right: { ...plan.right, compiled: { ...compiled, inputs: placesRead(compiled.inputs) } },
    },
    pairs,
    columns,
    payload: placesRead(columns.payload),
    keepsAll: how === "left",
    limits,
  };
}
