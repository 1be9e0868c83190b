/**
 * The operator `group`, which computes aggregates of the rows with equal keys.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { kindOf } from "../../base/kind_of.ts";
import { checkNamed } from "../../base/option_kinds.ts";
import { checkNewNames } from "../../streams/types/distinct_names.ts";
import {
  type CheckContext,
  type Checked,
  type EngineOption,
  type NodeKind,
  nodeOf,
  type Operator,
  operatorOf,
  pickStage,
  type Stage,
} from "../engine/operator_kit.ts";
import { checkExpr } from "../expr/check_expr.ts";
import { col, type Expr, isExpr, printExpr } from "../expr/expr.ts";
import { columnsOf } from "../expr/rewrite.ts";
import { computeKeys } from "../rows/keys.ts";
import { withColumnsNode } from "../rows/with_columns.ts";
import { type GroupPlan, type GroupSpec, hasAggregate, planGroups } from "./plan_groups.ts";

export { hasAggregate };
import { runGroups } from "./run_groups.ts";

/** The keys of groups: a column, an expression, several of them, or expressions by name. */
export type GroupKeys =
  | string
  | Expr
  | readonly (string | Expr)[]
  | Readonly<Record<string, Expr>>;

/**
 * Computes aggregates of the rows with equal keys: one row for each group, with its keys and the columns
 * by name. Groups come in the order of their first rows. Without keys, all rows are one group, even if
 * there are none.
 *
 * Keys are equal as join keys are with equal nulls: null is a group, -0.0 equals 0.0, and all NaN are one
 * group. An expression may combine several aggregates and keys. Aggregates leave out nulls, except
 * `count()`, `first`, `last` and `list`. Sums of integers are exact or a RangeError; sums of floats are
 * exact and rounded once, so that neither the order of the rows nor their batches change them.
 *
 * Groups that exceed the memory of the engine go to temporary files. What `list`, `median`, `quantile`,
 * `mode` and `countDistinct` keep of one group is in memory.
 *
 * Unknown columns, wrong types, and a column outside of an aggregate that is no key are TypeErrors.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { count, expr, fromBatches, group, sum, toTable } from "../../mod.ts";
 *
 * const sales = tableFromArrays({ city: ["Oslo", "Rome", "Oslo"], amount: [0.1, 1, 0.2] });
 * const byCity = await toTable(
 *   fromBatches(sales).pipeThrough(
 *     group("city", { n: count(), total: sum("amount"), mean: expr("sum(amount) / count()") }),
 *   ),
 * );
 * assertEquals(byCity.toArray().map((row) => row.toJSON()), [
 *   { city: "Oslo", n: 2n, total: 0.30000000000000004, mean: 0.15000000000000002 },
 *   { city: "Rome", n: 1n, total: 1, mean: 1 },
 * ]);
 * ```
 */
export function group(
  keys: GroupKeys,
  columns: Readonly<Record<string, Expr>> = {},
  options: EngineOption = {},
): Operator {
  checkNamed("group()", "columns", columns);
  const spec = groupSpec("group()", keys, columns);
  if (spec.keys.size + spec.columns.size === 0) {
    throw new TypeError("group() needs a key or an aggregate");
  }
  return operatorOf(groupNode(spec), options);
}

/** Checks keys and columns that a user gave. */
export function groupSpec(
  caller: string,
  keys: GroupKeys,
  columns: Readonly<Record<string, Expr>>,
): GroupSpec {
  for (const [name, expr] of Object.entries(columns)) checkExpr(name, expr);
  const spec = { keys: namedKeys(caller, keys), columns: new Map(Object.entries(columns)) };
  checkNewNames([...spec.keys.keys(), ...spec.columns.keys()]);
  return spec;
}

/** Creates a node that groups. */
export function groupNode(spec: GroupSpec) {
  return nodeOf(groupKind, spec);
}

function namedKeys(caller: string, keys: unknown): ReadonlyMap<string, Expr> {
  if (typeof keys === "string" || isExpr(keys)) return namedKeys(caller, [keys]);
  if (typeof keys !== "object" || keys === null) {
    throw new TypeError(`The keys of ${caller} are names or expressions, not ${kindOf(keys)}`);
  }
  const entries = Array.isArray(keys)
    ? keys.map((key: unknown) => {
      if (typeof key !== "string") checkExpr(`A key of ${caller}`, key);
      const expr = typeof key === "string" ? col(key) : key as Expr;
      return [nameOfKey(expr), expr] as const;
    })
    : Object.entries(keys);
  for (const [name, key] of entries) {
    checkExpr(`The key ${name}`, key);
    if (hasAggregate(key)) {
      throw new TypeError(`The key ${name} is an aggregate; keys are of one row`);
    }
  }
  checkNewNames(entries.map(([name]) => name));
  return new Map(entries);
}

/** A key that is a column has its name; an expression has its text. */
function nameOfKey(key: Expr): string {
  return key.node.node === "column" ? key.node.name : printExpr(key);
}

const groupKind: NodeKind<GroupSpec> = {
  name: "group",
  rows: "any",
  boundaries: "ignored",
  summary: ({ keys, columns }) =>
    [
      [...keys].map(([name, key]) => named(name, key, nameOfKey(key))).join(", "),
      [...columns].map(([name, expr]) => `${name} = ${printExpr(expr)}`).join(", "),
    ].filter(Boolean).join(": "),
  needs: ({ keys, columns }) =>
    new Set([...keys.values(), ...columns.values()].flatMap((expr) => [...columnsOf(expr)])),
  numRows: ({ keys }) => keys.size === 0 ? 1 : undefined,
  check: checkGroups,
  rewrites: {
    onWanted(node, wanted) {
      const { keys, columns } = node.spec;
      const kept = [...columns].filter(([name]) => wanted.has(name));
      // Without keys and columns there would be no rows to count.
      if (kept.length === columns.size || keys.size + kept.length === 0) return node;
      return groupNode({ keys, columns: new Map(kept) });
    },
  },
};

function named(name: string, expr: Expr, own: string): string {
  return name === own ? name : `${name} = ${printExpr(expr)}`;
}

async function checkGroups(
  spec: GroupSpec,
  input: Schema,
  context: CheckContext,
): Promise<Checked> {
  const plan = planGroups(spec, input);
  const rows = await computeKeys(plan.rows, input, context);
  const results = await checkResults(plan, context);
  return {
    schema: results.schema,
    compile: () => groupStage(plan, rows?.compile(), results.compile()),
  };
}

/** Checks the node that computes the columns of the result, and picks them. */
async function checkResults(plan: GroupPlan, context: CheckContext): Promise<Checked> {
  const { keys, groups, results } = plan;
  const { kind, spec } = withColumnsNode(results);
  const checked = results.size === 0
    ? { schema: groups, compile: () => undefined }
    : await kind.check(spec, groups, context);
  const names = [...groups.fields.slice(0, keys.length).map(({ name }) => name), ...results.keys()];
  const places = names.map((name) =>
    checked.schema.fields.findIndex((field) => field.name === name)
  );
  const picked = checked.schema.select(names);
  return {
    schema: picked,
    compile: () => {
      const stage = checked.compile();
      const pick = pickStage(picked, places);
      if (stage === undefined) return pick;
      return {
        ...stage,
        schema: picked,
        run: (input, own) => pick.run(stage.run(input, own), own),
      };
    },
  };
}

function groupStage(plan: GroupPlan, rows: Stage | undefined, results: Stage): Stage {
  return {
    schema: results.schema,
    explain: () => [
      `groups: on the host${
        plan.keys.length === 0 ? "" : "; what exceeds the memory goes to temporary files"
      }`,
      ...rows?.explain?.() ?? [],
      ...results.explain?.() ?? [],
    ],
    ...(rows?.compiled === undefined ? {} : { compiled: rows.compiled }),
    run(input, context) {
      const computed = rows?.run(input, context) ?? input;
      return results.run(runGroups(computed, context, plan), context);
    },
  };
}
