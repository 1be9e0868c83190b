/** Cases in SQL, as far as DuckDB has the same. */

import { parseExpr } from "../../ops/expr/parse.ts";
import { exprSql, kindSql, NoSql, quoted } from "./duck_exprs.ts";
import { asOfSql, joinSql, whereSql } from "./duck_joins.ts";
import { type Query, renumbered, tableSql } from "./duck_query.ts";
import { pickSql } from "./duck_picks.ts";
import type { CaseStep, FuzzCase } from "./fuzz_case.ts";

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
    case "joinAsOf":
      return asOfSql(input, step);
    case "joinWhere":
      return whereSql(input, step);
    case "slice":
    case "head":
    case "tail":
    case "at":
    case "take":
      return pickSql(input, step);
    case "regroup":
    case "write":
    case "transform":
    case "tee":
      return input;
    case "file":
      // Text files give numbers other types.
      if (!["arrow", "arrows", "parquet"].includes(step.format)) throw new NoSql(step.format);
      return input;
    default:
      throw new NoSql(step.do);
  }
}

function picked({ sql, columns }: Query, names: readonly string[]): Query {
  return {
    sql: `SELECT _row, ${names.map(quoted).join(", ")} FROM (${sql})`,
    columns: new Map(names.map((name) => [name, columns.get(name)!])),
  };
}
