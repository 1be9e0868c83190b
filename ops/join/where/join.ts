/**
 * Joins by a condition on the rows of both sides: inequalities, ranges, or any expression.
 *
 * @module
 */

import { Schema } from "apache-arrow";
import type { BatchStream } from "../../../streams/plan/batch_stream.ts";
import type { Operator } from "../../../streams/plan/operator.ts";
import type { CheckContext, Checked, NodeKind, Stage } from "../../engine/node.ts";
import { checkExpr } from "../../expr/check_expr.ts";
import type { CompiledExprs } from "../../expr/compile_exprs.ts";
import { explainKernels } from "../../expr/explain.ts";
import { type Expr, printExpr } from "../../expr/expr.ts";
import { parseExpr } from "../../expr/parse.ts";
import { checkConditions } from "../../expr/quoted_text.ts";
import { columnsOf } from "../../expr/rewrite.ts";
import { columnsRead } from "../shared/build_side.ts";
import {
  buildColumns,
  type BuildColumnsOptions,
  type JoinColumns,
  joinColumns,
  neededOnLeft,
  type OutputColumn,
  takenColumns,
} from "../shared/columns.ts";
import { joinKind, joinOperator, type JoinSpec } from "../shared/operator.ts";
import { checkChoice } from "../../../base/option_kinds.ts";
import { checkShared } from "../shared/options.ts";
import { limits } from "../shared/output.ts";
import type { BoundPairs, BoundWhere } from "./bound.ts";
import { runWhere } from "./run.ts";
import { planWhere, type WherePlan } from "./where_plan.ts";

/** The options of a join by a condition. */
export interface WhereJoinOptions extends BuildColumnsOptions {
  /**
   * The condition, as text or as an expression. In text `right.NAME` is a column of the build side, and any
   * other name is one of the stream. In TypeScript it is `right("name")`.
   */
  readonly where: string | Expr;
  /** `inner` keeps the rows that match, `left` all rows of the stream. Default: "inner". */
  readonly how?: "inner" | "left";
}

/** The checked arguments of a join by a condition. */
interface WhereSpec extends JoinSpec {
  readonly where: Expr;
  readonly how: "inner" | "left";
}

/**
 * Returns the join of the rows of the stream with those of a build side for which a condition is true, in
 * the order of the stream, and for each row in the order of the build side. A build side that exceeds the
 * memory is joined in chunks, from files.
 *
 * The result has the columns of the stream, then those of the build side. Inequalities of both sides are
 * searched, and equalities are looked up by a key. A condition without either compares every row with
 * every row, and a warning says so.
 */
export function whereJoin(build: BatchStream, options: WhereJoinOptions): Operator {
  const { where, how = "inner" } = options;
  checkChoice("The option how of a join by a condition", how, ["inner", "left"]);
  const shared = checkShared("A join by a condition", options);
  const condition = typeof where === "string" ? parseExpr(where) : where;
  checkExpr("The condition of a join", condition);
  checkConditions(condition.node);
  return joinOperator(whereKind, { ...shared, where: condition, how }, build, options);
}

const whereKind: NodeKind<WhereSpec> = joinKind({
  rows: "any",
  summary: ({ how, where }) => `${how}, where ${printExpr(where)}`,
  needs: ({ where, suffix }, wanted) => neededOnLeft(suffix, columnsOf(where), wanted),
  check: checkWhere,
});

async function checkWhere(
  spec: WhereSpec,
  left: Schema,
  { fuse }: CheckContext,
): Promise<Checked> {
  const right = await spec.build.schema();
  const plan = planWhere(spec.where, left, right, fuse);
  const columns = joinColumns(outputsOf(spec, left, right), spec.wanted, left.metadata);
  return {
    schema: columns.schema,
    compile: () => whereStage(boundWhere(spec, plan(), columns, left, right)),
  };
}

function whereStage(bound: BoundWhere): Stage {
  const { build, plan, columns: { schema, unwanted } } = bound;
  const { compiled } = plan.left;
  const hasKernels = compiled.program.kernels.length > 0;
  const lines = [
    ...plan.lines,
    "build side: what exceeds the memory goes to temporary files",
    ...unwanted.length > 0 ? [`left out: ${unwanted.join(", ")}`] : [],
    ...hasKernels ? explainKernels(compiled).split("\n") : [],
  ];
  return {
    schema,
    explain: () => [build.line, ...lines],
    warnings: plan.warnings,
    ...(hasKernels ? { compiled } : {}),
    run: (input, context) => runWhere(bound, input, context),
  };
}

function outputsOf(
  { how, suffix, taken }: WhereSpec,
  left: Schema,
  right: Schema,
): OutputColumn[] {
  const probed = left.fields.map((field, place): OutputColumn => ({ field, left: place }));
  const places = takenColumns(right, taken);
  return [...probed, ...buildColumns(probed, right, places, { suffix, mayMiss: how === "left" })];
}

/** Returns the join with places that count the columns of the build side that are read. */
function boundWhere(
  { build, how }: WhereSpec,
  plan: WherePlan,
  columns: JoinColumns,
  left: Schema,
  right: Schema,
): BoundWhere {
  const { compiled } = plan.right;
  const numLeft = left.fields.length;
  const buildPlaces = ({ inputs }: CompiledExprs) =>
    inputs.filter((place) => place >= numLeft).map((place) => place - numLeft);
  const read = columnsRead(right, [
    ...columns.payload,
    ...compiled.inputs,
    ...plan.pairs.flatMap(buildPlaces),
  ]);
  const fields = [...left.fields, ...right.fields];
  const pairs = plan.pairs.map((compiled): BoundPairs => ({
    condition: {
      compiled: { ...compiled, inputs: compiled.inputs.map((_, at) => at) },
      schema: new Schema(compiled.inputs.map((place) => fields[place]!)),
      probed: compiled.inputs.filter((place) => place < numLeft),
      limits,
    },
    payload: read.among(buildPlaces(compiled)),
  }));
  return {
    left,
    build,
    request: {
      ...plan.buildFilter === undefined ? {} : { filter: plan.buildFilter },
      computed: new Map(),
      columns: read.columns,
    },
    plan: {
      ...plan,
      right: { ...plan.right, compiled: { ...compiled, inputs: read.among(compiled.inputs) } },
    },
    pairs,
    columns,
    payload: read.among(columns.payload),
    keepsAll: how === "left",
    limits,
  };
}
