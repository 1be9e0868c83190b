/**
 * The keys of a sort: columns or expressions, each with a direction.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { kindOf } from "../../base/kind_of.ts";
import { typeName } from "../batch/arrow_types.ts";
import { checkExpr } from "../expr/check_expr.ts";
import { col, type Expr, isExpr, printExpr } from "../expr/expr.ts";
import { classOf } from "../expr/typed.ts";
import { bindKeys, type KeyColumns } from "../rows/keys.ts";

/** A key of a sort with its direction, as `desc` returns it. */
export interface DirectedKey {
  /** The values that are compared. */
  readonly key: Expr;
  /** Whether greater values come first. */
  readonly descending: boolean;
}

/** A key of a sort: a column, `-` and a column for greater values first, an expression, or `desc(...)`. */
export type SortKey = string | Expr | DirectedKey;

/**
 * Returns a key with greater values first. In text, a dash does the same: `sort("-amount")`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { desc, expr, fromBatches, sort, toTable } from "../../mod.ts";
 *
 * const people = tableFromArrays({ name: ["Bo", "ada", "Cy"] });
 * const sorted = fromBatches(people).pipeThrough(sort(desc(expr("name.lower()"))));
 * assertEquals((await toTable(sorted)).toArray().map((row) => row.name), ["Cy", "Bo", "ada"]);
 * ```
 */
export function desc(key: string | Expr): DirectedKey {
  if (typeof key !== "string") checkExpr("The key of desc()", key);
  return Object.freeze({ key: typeof key === "string" ? col(key) : key, descending: true });
}

/** Checks the keys that a user gave. */
export function directedKeys(caller: string, keys: unknown): readonly DirectedKey[] {
  const list = Array.isArray(keys) ? keys : [keys];
  if (list.length === 0) throw new TypeError(`${caller} needs at least one key`);
  return list.map((key: unknown) => directedKey(caller, key));
}

function directedKey(caller: string, key: unknown): DirectedKey {
  if (typeof key === "string") {
    return key.startsWith("-") ? desc(key.slice(1)) : { key: col(key), descending: false };
  }
  if (isExpr(key)) return { key, descending: false };
  const given = key as Partial<DirectedKey> | null | undefined;
  if (isExpr(given?.key) && typeof given?.descending === "boolean") return given as DirectedKey;
  throw new TypeError(
    `A key of ${caller} is a name, an expression or desc(...), not ${kindOf(key)}`,
  );
}

/** Returns the keys as text: `-amount, city`. */
export function printKeys(keys: readonly DirectedKey[]): string {
  return keys.map(({ key, descending }) => {
    const text = printExpr(key);
    if (!descending) return text;
    return /^[\w$]+$/.test(text) ? `-${text}` : `-(${text})`;
  }).join(", ");
}

/** Binds keys to the schema of their input. Throws a TypeError for values that have no order. */
export function bindOrder(
  caller: string,
  keys: readonly DirectedKey[],
  input: Schema,
): KeyColumns {
  const bound = bindKeys(
    keys.map(({ key }) => key.node.node === "column" ? key.node.name : key),
    input,
  );
  bound.types.forEach((type, index) => {
    if (classOf(type) !== "other") return;
    throw new TypeError(
      `${caller} needs values in an order; ${printExpr(keys[index]!.key)} is ${typeName(type)}`,
    );
  });
  return bound;
}
