/**
 * Cases in SQL, as far as DuckDB has the same: tables, the steps and some of the expressions.
 *
 * @module
 */

import { DataType } from "apache-arrow";
import { childrenOf, type ExprNode, type Literal } from "../../ops/expr/node.ts";
import { parseExpr } from "../../ops/expr/parse.ts";
import { typeOf } from "./case_types.ts";
import type { CaseStep, CaseTable, FuzzCase } from "./fuzz_case.ts";

/** There is no SQL for the case that means the same. */
export class NoSql extends Error {}

/** Columns of a query, each with its type in DuckDB; `_row` is the order of the rows. */
interface Query {
  readonly sql: string;
  readonly columns: ReadonlyMap<string, string>;
}

/** A query that gives the rows of a case in order, and the types of its columns. */
export function sqlOf({ table, steps }: FuzzCase): Query {
  return steps.reduce(stepSql, tableSql(table));
}

/** A name in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
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

function literalSql(value: unknown, type: string): string {
  if (type === "VARCHAR") return textSql(value as string);
  if (type === "DOUBLE") return `'${Object.is(value, -0) ? "-0" : value}'::DOUBLE`;
  return String(value);
}

function textSql(text: string): string {
  return `decode(from_hex('${new TextEncoder().encode(text).toHex()}'))`;
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
  const how = step.how === "left" ? "LEFT JOIN" : "JOIN";
  const on = `l.${quoted(step.left)} = r.${quoted(step.right)}`;
  return renumbered(
    `FROM (SELECT l._row AS _left, r._row AS _right, ${list.join(", ")} ` +
      `FROM (${input.sql}) l ${how} (${build.sql}) r ON ${on})`,
    new Map([...input.columns, ...payload.map(({ as, type }) => [as, type] as const)]),
    "_left, _right",
  );
}

/** The type that an expression gives; undefined kinds have no SQL. */
function kindSql(node: ExprNode, columns: Query["columns"]): string {
  const of = (child: ExprNode) => kindSql(child, columns);
  switch (node.node) {
    case "column":
      return columns.get(node.name)!;
    case "literal":
      return literalType(node.value);
    case "add":
    case "concat":
      if (!childrenOf(node).every((part) => of(part) === "VARCHAR")) throw new NoSql("add");
      return "VARCHAR";
    case "fillNull":
    case "choose": {
      const [type, other] = childrenOf(node).slice(-2).map(of);
      if (type !== other) throw new NoSql("branches");
      return type!;
    }
    case "call": {
      const type = CALLS.get(node.op.spec.name)?.type;
      if (type === undefined || of(node.text) !== "VARCHAR") throw new NoSql(node.op.spec.name);
      return type;
    }
    default:
      return "BOOLEAN";
  }
}

function literalType(value: Literal): string {
  if (typeof value === "string") return "VARCHAR";
  if (typeof value === "boolean") return "BOOLEAN";
  if (typeof value === "number" && value === (value | 0)) return "INTEGER";
  throw new NoSql(String(value));
}

/** Calls on text, which DuckDB has under other names; arguments that are literals are known. */
const CALLS = new Map<string, {
  readonly type: string;
  sql(text: string, args: readonly string[], given: readonly (Literal | undefined)[]): string;
}>([
  ["length", { type: "INTEGER", sql: (text) => `length(${text})::INTEGER` }],
  ["byteLength", { type: "INTEGER", sql: (text) => `strlen(${text})::INTEGER` }],
  ["contains", { type: "BOOLEAN", sql: (text, [target]) => `contains(${text}, ${target})` }],
  ["startsWith", { type: "BOOLEAN", sql: (text, [target]) => `starts_with(${text}, ${target})` }],
  ["endsWith", { type: "BOOLEAN", sql: (text, [target]) => `suffix(${text}, ${target})` }],
  ["urlEncode", { type: "VARCHAR", sql: (text) => `url_encode(${text})` }],
  ["nfc", { type: "VARCHAR", sql: (text) => `nfc_normalize(${text})` }],
  ["repeat", {
    type: "VARCHAR",
    sql: (text, [count]) => `repeat(${text}, greatest(${count}, 0)::BIGINT)`,
  }],
  ["replace", {
    type: "VARCHAR",
    sql(text, [target, by], [literal, , limit]) {
      if (!literal || (limit !== undefined && limit !== null)) throw new NoSql("replace");
      return `replace(${text}, ${target}, ${by})`;
    },
  }],
]);

function exprSql(node: ExprNode, columns: Query["columns"]): string {
  const of = (child: ExprNode) => exprSql(child, columns);
  const type = kindSql(node, columns);
  switch (node.node) {
    case "column":
      return quoted(node.name);
    case "literal":
      return `${literalSql(node.value, type)}::${type}`;
    case "add":
      return `(${of(node.left)} || ${of(node.right)})`;
    case "concat":
      return `(${node.parts.map(of).join(" || ")})`;
    case "compare": {
      const [left, right] = [node.left, node.right].map((side) => kindSql(side, columns));
      if (left !== right) throw new NoSql("compare");
      return `(${of(node.left)} ${node.op === "==" ? "=" : node.op} ${of(node.right)})`;
    }
    case "and":
    case "or":
      return `(${of(node.left)} ${node.node} ${of(node.right)})`;
    case "not":
      return `(NOT ${of(node.value)})`;
    case "isNull":
      return `(${of(node.value)} IS NULL)`;
    case "fillNull":
      return `coalesce(${of(node.value)}, ${of(node.other)})`;
    case "choose":
      return `(CASE WHEN ${of(node.test)} THEN ${of(node.yes)} ELSE ${of(node.no)} END)`;
    case "call": {
      const args = node.args.map((arg) => arg === undefined ? "NULL" : of(arg));
      const given = node.args.map((arg) => arg?.node === "literal" ? arg.value : undefined);
      return CALLS.get(node.op.spec.name)!.sql(of(node.text), args, given);
    }
    default:
      throw new NoSql(node.node);
  }
}
