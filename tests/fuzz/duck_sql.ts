/** Cases in SQL, as far as DuckDB has the same: tables and steps. */

import { DataType } from "apache-arrow";
import type { FuzzHow } from "./fuzz_case.ts";
import { parseExpr } from "../../ops/expr/parse.ts";
import { typeOf } from "./case_types.ts";
import { exprSql, kindSql, literalSql, NoSql, quoted, type SqlColumns } from "./duck_exprs.ts";
import type { CaseStep, CaseTable, FuzzCase } from "./fuzz_case.ts";

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

const JOINS: Readonly<Record<FuzzHow, string>> = { inner: "JOIN", left: "LEFT JOIN" };

function joinSql(input: Query, step: CaseStep & { do: "join" }): Query {
  const build = tableSql(step.table);
  const payload = [...build.columns].filter(([name]) => step.keepKeys || name !== step.right)
    .map(([name, type]) => ({
      name,
      type,
      as: input.columns.has(name) ? name + step.suffix : name,
    }));
  const list = [...input.columns.keys()].map((name) => `l.${quoted(name)}`)
    .concat(payload.map(({ name, as }) => `r.${quoted(name)} AS ${quoted(as)}`));
  const on = `l.${quoted(step.left)} = r.${quoted(step.right)}`;
  return renumbered(
    `FROM (SELECT l._row AS _left, r._row AS _right, ${list.join(", ")} ` +
      `FROM (${input.sql}) l ${JOINS[step.how]} (${build.sql}) r ON ${on})`,
    new Map([...input.columns, ...payload.map(({ as, type }) => [as, type] as const)]),
    "_left, _right",
  );
}
