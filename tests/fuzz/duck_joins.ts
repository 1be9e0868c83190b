/** Joins in SQL, as far as DuckDB has the same. */

import { Int } from "apache-arrow";
import type { JoinHow } from "../../gpu/join_kind.ts";
import { parseExpr } from "../../ops/expr/parse.ts";
import { exprSql, kindSql, NoSql, quoted, type SqlColumns } from "./duck_exprs.ts";
import { duckType, type Query, renumbered, tableSql } from "./duck_query.ts";
import {
  type AsOfStep,
  type CaseKey,
  type JoinStep,
  keyPairs,
  namePairs,
  type WhereStep,
} from "./fuzz_case.ts";
import { promotedType } from "./join_model.ts";
import { nameInPairs, overPairs } from "./where_join_model.ts";

/** The two sides of each kind in SQL. */
export const joinSides: Readonly<Record<JoinHow, string>> = {
  inner: "l JOIN r",
  left: "l LEFT JOIN r",
  right: "l RIGHT JOIN r",
  full: "l FULL JOIN r",
  semi: "l SEMI JOIN r",
  anti: "l ANTI JOIN r",
  "right-semi": "r SEMI JOIN l",
  "right-anti": "r ANTI JOIN l",
  cross: "l CROSS JOIN r",
};

/** The rows of a join by keys. */
export function joinSql(input: Query, step: JoinStep): Query {
  const { how, suffix = "_right", keepKeys = false, nullsEqual = false } = step;
  const build = tableSql(step.table);
  const keys = how === "cross" ? [] : keyPairs(step.on).map(([left, right], index) => {
    const sides = { left: keySql(left, input.columns), right: keySql(right, build.columns) };
    return { ...sides, as: `_key${index}`, type: meetingType(sides.left.type, sides.right.type) };
  });
  const side = ({ sql }: Query, of: "left" | "right") => {
    const added = keys.map((key) => `, (${key[of].sql})::${key.type} AS ${key.as}`);
    return `(SELECT *${added.join("")}, _row AS _${of} FROM (${sql}))`;
  };
  // USING gives one column for a key of both sides, as the join does.
  const on = keys.length === 0
    ? ""
    : nullsEqual
    ? `ON ${keys.map(({ as }) => `l.${as} IS NOT DISTINCT FROM r.${as}`).join(" AND ")}`
    : `USING (${keys.map(({ as }) => as).join(", ")})`;
  const sharedKey = how === "right"
    ? (as: string) => `r.${as}`
    : (as: string) => `coalesce(l.${as}, r.${as})`;
  const usedKey = (as: string) => nullsEqual ? sharedKey(as) : as;
  const once = keepKeys ? [] : keys.filter(({ left }) => left.name !== undefined);
  const isOuter = how === "right" || how === "full";
  const ofLeft = how.startsWith("right-") ? [] : [...input.columns].map(([name, type]) => {
    const key = isOuter ? once.find(({ left }) => left.name === name) : undefined;
    return {
      as: name,
      type: key?.type ?? type,
      sql: key ? usedKey(key.as) : `l.${quoted(name)}`,
    };
  });
  const isShared = (name: string) =>
    !how.startsWith("right-") && once.some(({ right }) => right.name === name);
  const ofRight = how === "semi" || how === "anti" ? [] : [...build.columns]
    .filter(([name]) => !isShared(name)).map(([name, type]) => ({
      as: ofLeft.some(({ as }) => as === name) ? name + suffix : name,
      type,
      sql: `r.${quoted(name)}`,
    }));
  const columns = [...ofLeft, ...ofRight];
  const order = how === "semi" || how === "anti"
    ? ["_left"]
    : how.startsWith("right-")
    ? ["_right"]
    : ["_left", "_right"];
  const list = [...order, ...columns.map(({ sql, as }) => `${sql} AS ${quoted(as)}`)];
  return renumbered(
    `FROM (WITH l AS ${side(input, "left")}, r AS ${side(build, "right")} ` +
      `SELECT ${list.join(", ")} FROM ${joinSides[how]} ${on})`,
    new Map(columns.map(({ as, type }) => [as, type])),
    order.map((name) => `${name} NULLS LAST`).join(", "),
  );
}

/** A key of one side, its type, and its name where it is a column. */
function keySql(
  key: CaseKey,
  columns: SqlColumns,
): { readonly sql: string; readonly type: string; readonly name?: string } {
  if (typeof key === "string") return { sql: quoted(key), type: columns.get(key)!, name: key };
  const { node } = parseExpr(key.expr);
  return { sql: exprSql(node, columns), type: kindSql(node, columns) };
}

/** The type in which two keys are compared. */
function meetingType(left: string, right: string): string {
  if (left === right) return left;
  const sides = [left, right].map((name) => WHOLE.find((type) => duckType(type) === name));
  if (sides.some((type) => type === undefined)) throw new NoSql(`${left} with ${right}`);
  return duckType(promotedType(sides[0]!, sides[1]!, false));
}

const WHOLE = ([8, 16, 32, 64] as const)
  .flatMap((bits) => [new Int(true, bits), new Int(false, bits)]);

/**
 * The rows of an as-of join: of all pairs whose times and groups meet, the one of each row of the
 * stream that comes first. Distances of floats would be rounded.
 */
export function asOfSql(input: Query, step: AsOfStep): Query {
  const { direction = "backward", how = "left", tolerance, keepKeys } = step;
  const build = tableSql(step.table);
  const names = [...namePairs(step.asOf), ...namePairs(step.by ?? [])];
  const keys = names.map(([left, right]) => {
    const [l, r] = [input.columns.get(left)!, build.columns.get(right)!];
    const type = meetingType(l, r);
    return { l: `l.${quoted(left)}::${type}`, r: `r.${quoted(right)}::${type}`, type };
  });
  const [time, ...by] = keys as [typeof keys[number], ...typeof keys];
  const hasDistance = direction === "nearest" || tolerance !== undefined;
  if (time.type === "VARCHAR" || (hasDistance && time.type === "DOUBLE")) throw new NoSql("a time");
  const distance = `abs((${time.r})::HUGEINT - (${time.l})::HUGEINT)`;
  const meets = [
    `${time.l} IS NOT NULL AND ${time.r} IS NOT NULL`,
    ...by.map(({ l, r }) => `${l} = ${r}`),
    ...(direction === "backward" ? [`${time.r} <= ${time.l}`] : []),
    ...(direction === "forward" ? [`${time.r} >= ${time.l}`] : []),
  ];
  const order = {
    backward: `${time.r} DESC, r._row DESC`,
    forward: `${time.r}, r._row`,
    nearest: `${distance}, ${time.r}, r._row DESC`,
  }[direction];
  const isNear = tolerance === undefined ? "true" : `far <= ${tolerance}`;
  const far = tolerance === undefined ? "0" : distance;
  const ranked = `SELECT l._row AS _left, r._row AS _right, ${far} AS far, row_number() OVER (` +
    `PARTITION BY l._row ORDER BY ${order}) AS place FROM l JOIN r ON ${meets.join(" AND ")}`;
  const hidden = keepKeys ? [] : names.map(([, name]) => name);
  const columns = columnsOfBoth(input, build, step.suffix, hidden);
  return renumbered(
    `FROM (WITH l AS (${input.sql}), r AS (${build.sql}), ` +
      `m AS (SELECT * FROM (${ranked}) WHERE place = 1 AND ${isNear}) ` +
      `SELECT l._row AS _left, ${listOf(columns)} FROM l ` +
      `${how === "left" ? "LEFT" : "INNER"} JOIN m ON l._row = m._left ` +
      `LEFT JOIN r ON m._right = r._row)`,
    typesOf(columns),
    "_left",
  );
}

/** The rows of a join by a condition. */
export function whereSql(input: Query, { table, where, how, suffix }: WhereStep): Query {
  const build = tableSql(table);
  const named = [...build.columns].map(([name, type]) => [nameInPairs(name), type] as const);
  const condition = exprSql(overPairs(where), new Map([...input.columns, ...named]));
  const renamed = [...build.columns.keys()].map((name) =>
    `${quoted(name)} AS ${quoted(nameInPairs(name))}`
  );
  const columns = columnsOfBoth(input, build, suffix, []).map(({ side, name, ...rest }) => ({
    ...rest,
    side,
    name: side === "r" ? nameInPairs(name) : name,
  }));
  return renumbered(
    `FROM (WITH l AS (SELECT *, _row AS _left FROM (${input.sql})), ` +
      `r AS (SELECT _row AS _right, ${renamed.join(", ")} FROM (${build.sql})) ` +
      `SELECT _left, _right, ${listOf(columns)} ` +
      `FROM l ${how === "left" ? "LEFT" : "INNER"} JOIN r ON ${condition})`,
    typesOf(columns),
    "_left, _right",
  );
}

/** A column of a result: where it comes from, and its name and type there. */
interface ColumnOfBoth {
  readonly side: "l" | "r";
  readonly name: string;
  readonly as: string;
  readonly type: string;
}

function columnsOfBoth(
  left: Query,
  right: Query,
  suffix = "_right",
  hidden: readonly string[],
): ColumnOfBoth[] {
  const taken = [...right.columns].filter(([name]) => !hidden.includes(name));
  return [
    ...[...left.columns].map(([name, type]) => ({ side: "l", name, as: name, type }) as const),
    ...taken.map(([name, type]) => {
      const as = left.columns.has(name) ? name + suffix : name;
      return { side: "r", name, as, type } as const;
    }),
  ];
}

function listOf(columns: readonly ColumnOfBoth[]): string {
  return columns.map(({ side, name, as }) => `${side}.${quoted(name)} AS ${quoted(as)}`).join(", ");
}

function typesOf(columns: readonly ColumnOfBoth[]): SqlColumns {
  return new Map(columns.map(({ as, type }) => [as, type]));
}
