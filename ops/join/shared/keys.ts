/**
 * The keys of a join: what users give, and the columns that both sides have for them.
 *
 * @module
 */

import { type DataType, Field, Schema } from "apache-arrow";
import { bindExpr } from "../../expr/bind.ts";
import { checkExpr } from "../../expr/check_expr.ts";
import { kindOf } from "../../syntax/kind_of.ts";
import { col, type Expr, isExpr, printExpr } from "../../expr/expr.ts";
import { columnsOf } from "../../expr/rewrite.ts";
import type { BindContext, Stage } from "../../engine/node.ts";
import { columnIndex } from "../../rows/column_names.ts";
import { withColumnsNode } from "../../rows/with_columns.ts";

/** One key: its name on both sides, or what it is on each of them. */
export type JoinKey = string | readonly [left: string | Expr, right: string | Expr];

/** All keys of a join: one, several, or the names on the left with those on the right. */
export type JoinKeys = string | readonly JoinKey[] | Readonly<Record<string, string>>;

/** What a key is on each side: a name or an expression. */
export interface JoinKeyPair {
  readonly left: string | Expr;
  readonly right: string | Expr;
}

/**
 * The pairs of keys, checked. `option` is what the user calls them. An expression that is a column and
 * nothing else is its name.
 */
export function keyPairs(option: string, keys: unknown): readonly JoinKeyPair[] {
  if (typeof keys === "string") return [{ left: keys, right: keys }];
  if (typeof keys !== "object" || keys === null || isExpr(keys)) {
    throw new TypeError(
      `The option ${option} of a join is a name, a list of keys, or names by name, not ${
        isExpr(keys) ? "an expression" : kindOf(keys)
      }`,
    );
  }
  const pairs = Symbol.iterator in keys ? [...keys as Iterable<unknown>] : Object.entries(keys);
  return pairs.map((pair) => {
    if (typeof pair === "string") return { left: pair, right: pair };
    if (!Array.isArray(pair) || pair.length !== 2) {
      throw new TypeError(`A key of a join is a name or [left, right], not ${kindOf(pair)}`);
    }
    const [left, right] = pair;
    for (const side of [left, right]) {
      if (typeof side !== "string") checkExpr("A key of a join", side);
    }
    return { left: nameOrExpr(left), right: nameOrExpr(right) };
  });
}

function nameOrExpr(key: string | Expr): string | Expr {
  if (typeof key === "string") return key;
  const { node } = key;
  return node.node === "column" && node.side === undefined ? node.name : key;
}

/** The text of one side of a key. */
export function printKey(key: string | Expr): string {
  return printExpr(typeof key === "string" ? col(key) : key);
}

/** The text of a key: `a`, or `a=b` where the sides differ. */
export function printPair({ left, right }: JoinKeyPair): string {
  const [one, other] = [printKey(left), printKey(right)];
  return one === other ? one : `${one}=${other}`;
}

/** The columns of one side that keys read. */
export function columnsOfKeys(keys: readonly (string | Expr)[]): Set<string> {
  return new Set(keys.flatMap((key) => typeof key === "string" ? [key] : [...columnsOf(key)]));
}

/** The keys of one side as columns. */
export interface KeyColumns {
  /** The schema of the side, with the computed keys behind its own columns. */
  readonly schema: Schema;
  /** For each key its place there, and its type. */
  readonly places: readonly number[];
  readonly types: readonly DataType[];
  /** The computed keys, by the names that they have in the schema. */
  readonly computed: ReadonlyMap<string, Expr>;
}

/** Binds the keys of one side. A name or an expression that does not fit is a TypeError. */
export function bindKeys(keys: readonly (string | Expr)[], side: Schema): KeyColumns {
  const computed = new Map<string, Expr>();
  const fields = [...side.fields];
  const places = keys.map((key) => {
    if (typeof key === "string") return columnIndex(side, key);
    const { type, nullable } = bindExpr(key, side);
    const name = unusedName(printExpr(key), fields);
    computed.set(name, key);
    return fields.push(new Field(name, type, nullable)) - 1;
  });
  const types = places.map((place) => fields[place]!.type);
  return { schema: new Schema(fields, side.metadata), places, types, computed };
}

/** Adds the computed keys to batches of the stream; undefined where there are none. */
export async function computeKeys(
  { computed }: KeyColumns,
  left: Schema,
  context: BindContext,
): Promise<Stage | undefined> {
  if (computed.size === 0) return undefined;
  const { kind, spec } = withColumnsNode(computed);
  return await kind.bind(spec, left, context);
}

/** A name that no column has. */
function unusedName(name: string, fields: readonly Field[]): string {
  return fields.some((field) => field.name === name) ? unusedName(`${name} `, fields) : name;
}
