/** Cases in SQL, as far as DuckDB has the same: tables and steps. */

import { DataType, Int } from "apache-arrow";
import type { JoinHow } from "../../gpu/join_kind.ts";
import { parseExpr } from "../../ops/expr/parse.ts";
import { typeOf } from "./case_types.ts";
import { exprSql, kindSql, literalSql, NoSql, quoted, type SqlColumns } from "./duck_exprs.ts";
import {
  type CaseKey,
  type CaseStep,
  type CaseTable,
  type FuzzCase,
  type JoinStep,
  keyPairs,
} from "./fuzz_case.ts";
import { promotedType } from "./join_model.ts";

/** Columns of a query, each with its type in DuckDB; `_row` is the order of the rows. */
interface Query {
  readonly sql: string;
  readonly columns: SqlColumns;
}

/** A query that gives the rows of a case in order, and the types of its columns. */
export function sqlOf({ table, steps }: FuzzCase): Query {
  return steps.reduce(stepSql, tableSql(table));
}

/** Whether there is SQL for a case. */
export function hasSql(given: FuzzCase): boolean {
  try {
    sqlOf(given);
    return true;
  } catch (error) {
    if (error instanceof NoSql) return false;
    throw error;
  }
}

function tableSql({ columns }: CaseTable): Query {
  const types = new Map(columns.map(({ name, type }) => [name, duckType(typeOf(type))]));
  const lists = columns.map(({ name, values }) => {
    const type = types.get(name)!;
    const items = values.map((value) => value === null ? "NULL" : literalSql(value, type));
    return `unnest([${items.join(", ")}]::${type}[]) AS ${quoted(name)}`;
  });
  return {
    sql: `SELECT row_number() OVER () AS _row, * FROM (SELECT ${lists.join(", ")})`,
    columns: types,
  };
}

function duckType(type: DataType): string {
  if (DataType.isUtf8(type)) return "VARCHAR";
  if (DataType.isBool(type)) return "BOOLEAN";
  if (DataType.isInt(type)) {
    const name = { 8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT" }[type.bitWidth];
    return type.isSigned ? name : `U${name}`;
  }
  if (DataType.isFloat(type) && type.precision === 2) return "DOUBLE";
  throw new NoSql(String(type));
}

function stepSql(input: Query, step: CaseStep): Query {
  const { sql, columns } = input;
  const all = [...columns.keys()];
  const from = `FROM (${sql})`;
  switch (step.do) {
    case "with": {
      const added = new Map(step.columns.map(([name, text]) => {
        const { node } = parseExpr(text);
        return [name, { sql: exprSql(node, columns), type: kindSql(node, columns) }] as const;
      }));
      const names = [...new Set([...all, ...added.keys()])];
      const list = names.map((name) =>
        `${added.get(name)?.sql ?? quoted(name)} AS ${quoted(name)}`
      );
      return {
        sql: `SELECT _row, ${list.join(", ")} ${from}`,
        columns: new Map(
          names.map((name) => [name, added.get(name)?.type ?? columns.get(name)!]),
        ),
      };
    }
    case "filter":
      return renumbered(`${from} WHERE ${exprSql(parseExpr(step.expr).node, columns)}`, columns);
    case "select":
      return picked(input, step.names);
    case "drop":
      return picked(input, all.filter((name) => !step.names.includes(name)));
    case "rename": {
      const to = (name: string) => Object.hasOwn(step.names, name) ? step.names[name]! : name;
      const list = all.map((name) => `${quoted(name)} AS ${quoted(to(name))}`);
      return {
        sql: `SELECT _row, ${list.join(", ")} ${from}`,
        columns: new Map([...columns].map(([name, type]) => [to(name), type])),
      };
    }
    case "join":
      return joinSql(input, step);
    case "slice":
    case "head":
    case "tail":
      return sliceSql(input, step);
    case "regroup":
    case "transform":
    case "tee":
      return input;
    default:
      throw new NoSql(step.do);
  }
}

function renumbered(from: string, columns: Query["columns"], order = "_row"): Query {
  const list = [...columns.keys()].map(quoted);
  return {
    sql: `SELECT row_number() OVER (ORDER BY ${order}) AS _row, ${list.join(", ")} ${from}`,
    columns,
  };
}

function picked({ sql, columns }: Query, names: readonly string[]): Query {
  return {
    sql: `SELECT _row, ${names.map(quoted).join(", ")} FROM (${sql})`,
    columns: new Map(names.map((name) => [name, columns.get(name)!])),
  };
}

function sliceSql(
  { sql, columns }: Query,
  step: CaseStep & { do: "slice" | "head" | "tail" },
): Query {
  const [start, stop, by] = step.do === "slice"
    ? [step.start ?? 0, step.stop, step.step ?? 1]
    : step.do === "head"
    ? [0, step.count, 1]
    : [step.count === 0 ? 2 ** 31 : -step.count, null, 1];
  const count = "(SELECT count(*) FROM input)";
  const first = start < 0 ? `greatest(${count} + ${start}, 0)` : String(start);
  const last = stop === null ? count : stop < 0 ? `${count} + ${stop}` : String(stop);
  const test = `_row > ${first} AND _row <= ${last} AND (_row - 1 - ${first}) % ${by} = 0`;
  return renumbered(`FROM (WITH input AS (${sql}) SELECT * FROM input WHERE ${test})`, columns);
}

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

function joinSql(input: Query, step: JoinStep): Query {
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
