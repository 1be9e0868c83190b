/**
 * The keys of a join: pairs of names or expressions, bound to the columns of both sides.
 *
 * @module
 */

import type { DataType, Schema } from "apache-arrow";
import type { KeyPart } from "../../../gpu/key/key_layout.ts";
import { typeName } from "../../batch/arrow_types.ts";
import { checkExpr } from "../../expr/check_expr.ts";
import { type Expr, isExpr } from "../../expr/expr.ts";
import { bindCastKeys, bindKeys, type Key, type KeyColumns, printKey } from "../../rows/keys.ts";
import { kindOf } from "../../../base/kind_of.ts";
import { decimalOfKey, type KeyPair, promoteKeys, type PromoteMode } from "./promote_keys.ts";

/** One key: its name on both sides, or a name or an expression for each. */
export type JoinKey = string | readonly [left: string | Expr, right: string | Expr];

/** All keys of a join: one, several, or names on the left mapped to names on the right. */
export type JoinKeys = string | readonly JoinKey[] | Readonly<Record<string, string>>;

/** A key of each side: a name or an expression. */
export interface JoinKeyPair {
  readonly left: Key;
  readonly right: Key;
}

/**
 * Checks the keys that a user gave as `option`. An expression that is a column and nothing else
 * becomes its name.
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

function nameOrExpr(key: Key): Key {
  if (typeof key === "string") return key;
  const { node } = key;
  return node.node === "column" && node.side === undefined ? node.name : key;
}

/** Returns the text of a key: `a`, or `a=b` if the sides differ. */
export function printPair({ left, right }: JoinKeyPair): string {
  const [one, other] = [printKey(left), printKey(right)];
  return one === other ? one : `${one}=${other}`;
}

/** Pairs of keys, bound to columns of both sides. */
export interface BoundKeys {
  readonly left: KeyColumns;
  readonly right: KeyColumns;
  /** The promoted type of each pair, as an Arrow type; `parts` has them as column types. */
  readonly types: readonly DataType[];
  readonly parts: readonly KeyPart[];
  /** The types of both sides and the promoted one for each pair, for `explain`. */
  readonly labels: readonly string[];
}

/**
 * Binds pairs of keys to the schemas of both sides and promotes them; `check` examines their types first.
 * Throws a TypeError for a key that does not fit, and for two keys without a common type.
 */
export function bindKeyPairs(
  pairs: readonly JoinKeyPair[],
  leftSchema: Schema,
  rightSchema: Schema,
  { mode, check }: {
    readonly mode?: PromoteMode;
    readonly check?: (pairs: readonly KeyPair[]) => void;
  } = {},
): BoundKeys {
  const left = bindKeys(pairs.map(({ left }) => left), leftSchema);
  const right = bindKeys(pairs.map(({ right }) => right), rightSchema);
  const sides = pairs.map((pair, index) => ({
    left: { text: printKey(pair.left), type: left.types[index]! },
    right: { text: printKey(pair.right), type: right.types[index]! },
  }));
  check?.(sides);
  const { types, parts } = promoteKeys(sides, mode);
  const labels = sides.map(({ left, right }, index) =>
    `${typeName(left.type)} with ${typeName(right.type)}, as ${typeName(types[index]!)}`
  );
  const keysOf = (side: "left" | "right", bound: KeyColumns, schema: Schema) => {
    const casts = types.map((type, index) => decimalOfKey(bound.types[index]!, type));
    if (casts.every((type) => type === undefined)) return bound;
    return bindCastKeys(pairs.map((pair) => pair[side]), schema, casts);
  };
  return {
    left: keysOf("left", left, leftSchema),
    right: keysOf("right", right, rightSchema),
    ...{ types, parts, labels },
  };
}
