/**
 * The operator `withColumns`, which adds and replaces columns.
 *
 * @module
 */

import { Field, Schema } from "apache-arrow";
import {
  Batch,
  BatchColumn,
  type CheckContext,
  type Checked,
  type Compute,
  computeStage,
  type EngineOption,
  firstRows,
  isOf,
  type NodeKind,
  nodeOf,
  type Operator,
  type OperatorNode,
  operatorOf,
  type Stage,
  type Step,
  withNames,
} from "../engine/operator_kit.ts";
import { bindExpr } from "../expr/bind.ts";
import { failAt } from "../syntax/node_place.ts";
import { childrenOf, type ExprNode } from "../syntax/node.ts";
import { checkExpr } from "../expr/check_expr.ts";
import { checkTests } from "../expr/quoted_text.ts";
import { depthOf, MAX_DEPTH } from "../syntax/depth.ts";
import { type Expr, printExpr } from "../expr/expr.ts";
import { type CompiledExprs, compileExprs } from "../expr/compile_exprs.ts";
import {
  columnsOf,
  expandParts,
  isStrictExpr,
  substituteColumns,
  takesItems,
} from "../expr/rewrite.ts";
import { checkNamed } from "../../base/option_kinds.ts";
import { evaluateExprs } from "./evaluate_exprs.ts";

/**
 * Adds columns that expressions compute, or replaces columns of the same name. Every expression
 * sees the columns of the input. A new column comes last; a replaced one keeps its place.
 *
 * Mistakes in an expression (an unknown column, a wrong type) are TypeErrors that name the
 * expression, thrown at the first read or when the schema is requested. An expression whose column
 * is dropped later, and read by nothing until then, is checked but not computed: a strict
 * conversion in it throws no error.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { col, fromBatches, toTable, withColumns } from "../../mod.ts";
 *
 * const people = tableFromArrays({ name: ["Ada", "Alan"] });
 * const loud = await toTable(
 *   fromBatches(people).pipeThrough(withColumns({ loud: col("name").upper() })),
 * );
 * assertEquals(loud.toArray().map((row) => row.loud), ["ADA", "ALAN"]);
 * ```
 */
export function withColumns(
  columns: Readonly<Record<string, Expr>>,
  options?: EngineOption,
): Operator {
  checkNamed("withColumns()", "expressions", columns);
  const entries = Object.entries(columns);
  for (const [name, expr] of entries) {
    checkExpr(name, expr);
    checkTests(expr.node);
  }
  return operatorOf(withColumnsNode(new Map(entries)), options);
}

/** The columns as the user wrote them, and expanded, since a call may return several. */
export interface Columns {
  readonly given: ReadonlyMap<string, Expr>;
  readonly columns: ReadonlyMap<string, Expr>;
}

export const withColumnsKind: NodeKind<Columns> = {
  name: "withColumns",
  rows: "same",
  boundaries: "ignored",
  summary: ({ given }) =>
    [...given].map(([name, expr]) => `${name} = ${printExpr(expr)}`).join(", "),
  needs({ columns }, wanted) {
    const kept = wanted && new Set([...wanted].filter((name) => !columns.has(name)));
    return withNames(kept, [...columns.values()].flatMap((expr) => [...columnsOf(expr)]));
  },
  check: checkColumns,
  rewrites: {
    pairs: [{
      name: "expressions of columns that are read once and never seen fuse",
      rewrite: mergeColumns,
    }],
    onWanted(node, wanted) {
      const { columns } = node.spec;
      const kept = [...columns].filter(([name]) => wanted.has(name));
      if (kept.length === columns.size) return node;
      return kept.length === 0 ? undefined : withColumnsNode(new Map(kept), node);
    },
  },
};

/** Creates a node that computes columns, by default of the kind `withColumns`. */
export function withColumnsNode(
  given: ReadonlyMap<string, Expr>,
  { kind }: Pick<OperatorNode<Columns>, "kind"> = { kind: withColumnsKind },
): OperatorNode<Columns> {
  return nodeOf(kind, { given, columns: expandParts(given) });
}

/**
 * Merges two nodes. A new column that the second one reads once and then replaces, or that no later
 * step needs, is never seen: its expression takes its place. Any other new column that is read must
 * exist first, and so must a literal, which keeps the type of its column. A strict expression stays
 * a step of its own, so that its error names the step.
 */
function mergeColumns(first: Step, second: Step<Columns>): Step[] | undefined {
  if (!isOf(first.node, withColumnsKind)) return undefined;
  const { wanted } = second;
  const before = first.node.spec.columns;
  const after = second.node.spec.columns;
  const read = [...after.values()].flatMap((expr) => [...columnsOf(expr)]);
  const fresh = read.filter((name) => before.has(name));
  const isWanted = (name: string) => wanted === undefined || wanted.has(name);
  const fuses = fresh.every((name) =>
    (after.has(name) || !isWanted(name)) &&
    fresh.lastIndexOf(name) === fresh.indexOf(name) &&
    before.get(name)!.node.node !== "literal"
  );
  if ([...after.values()].some((expr) => takesItems(expr, before))) return undefined;
  if (!fuses || depthOfAll(before) + depthOfAll(after) > MAX_DEPTH) return undefined;
  if ([...before.values(), ...after.values()].some(isStrictExpr)) return undefined;
  // A replaced column keeps its place among the others.
  const stays = [...before].filter(([name]) => after.has(name) || isWanted(name));
  const merged = new Map<string, Expr>(stays);
  for (const [name, expr] of after) merged.set(name, substituteColumns(expr, before));
  return [{ ...second, node: withColumnsNode(merged), step: first.step }];
}

/** Throws if an expression reads a column that the same step creates, which does not exist yet. */
function refuseOwnColumns(
  expr: Expr,
  columns: ReadonlyMap<string, Expr>,
  { fields }: Schema,
): void {
  const isThere = (name: string) => fields.some((field) => field.name === name);
  const visit = (node: ExprNode): void => {
    const name = node.node === "column" && node.side === undefined ? node.name : undefined;
    if (name !== undefined && columns.has(name) && !isThere(name)) {
      failAt(
        node,
        `Unknown column ${name}; this step creates it, and a later step can read it: write ` +
          "`then with` between them, or call withColumns() twice",
      );
    }
    childrenOf(node).forEach(visit);
  };
  visit(expr.node);
}

function depthOfAll(columns: ReadonlyMap<string, Expr>): number {
  return Math.max(...[...columns.values()].map(({ node }) => depthOf(node)));
}

function checkColumns({ columns }: Columns, input: Schema, { fuse }: CheckContext): Checked {
  if (columns.size === 0) throw new TypeError("Name at least one column and its expression");
  for (const expr of columns.values()) refuseOwnColumns(expr, columns, input);
  const bound = [...columns.values()].map((expr) => bindExpr(expr, input));
  const results = new Map([...columns.keys()].map((name, index) => {
    const { type, nullable } = bound[index]!;
    const metadata = metadataOf(columns.get(name)!.node, input);
    return [name, { index, field: new Field(name, type, nullable, metadata) }];
  }));
  const kept = input.fields.map((field) => results.get(field.name)?.field ?? field);
  const added = [...results.values()].map(({ field }) => field)
    .filter(({ name }) => !input.fields.some((field) => field.name === name));
  const schema = new Schema([...kept, ...added], input.metadata);
  const compile = () =>
    compileExprs(bound, {
      fuse,
      names: input.fields.map(({ name }) => name),
      places: [...columns].map(([name, expr]) => `column ${name} = ${printExpr(expr)}`),
    });
  return { schema, compile: () => columnsStage(schema, results, compile()) };
}

/** Returns the metadata of a column that is a copy of another one, such as the mark of JSON text. */
function metadataOf(node: ExprNode, { fields }: Schema): Field["metadata"] | undefined {
  if (node.node !== "column") return undefined;
  return fields.find(({ name }) => name === node.name)?.metadata;
}

/** A computed column: the index of its expression, and its field. */
interface ComputedColumn {
  readonly index: number;
  readonly field: Field;
}

function columnsStage(
  schema: Schema,
  results: ReadonlyMap<string, ComputedColumn>,
  compiled: CompiledExprs,
): Stage {
  const compute: Compute = async (batch, context) => {
    const { columns, numRows } = await evaluateExprs(context, compiled, batch);
    const rows = await firstRows(batch, numRows, context.backend);
    const output = schema.fields.map((field, index) => {
      const result = results.get(field.name);
      return result === undefined
        ? rows.columns[index]!.share()
        : BatchColumn.fromColumn(field.type, columns[result.index]!);
    });
    return { result: new Batch(schema, numRows, output), numRows };
  };
  return computeStage(schema, compute, compiled);
}
