/** Expressions in SQL, as far as DuckDB has the same. */

import { childrenOf, type ExprNode } from "../../ops/syntax/node.ts";
import type { Literal } from "../../ops/syntax/literal.ts";

/** There is no SQL for the case that means the same. */
export class NoSql extends Error {}

/** Columns by name, each with its type in DuckDB. */
export type SqlColumns = ReadonlyMap<string, string>;

/** A name in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A value that is not null, of a type. */
export function literalSql(value: unknown, type: string): string {
  if (type === "VARCHAR") return textSql(value as string);
  if (type === "DOUBLE") return `'${Object.is(value, -0) ? "-0" : value}'::DOUBLE`;
  // A cast would bind before the minus.
  return `(${value})`;
}

function textSql(text: string): string {
  return `decode(from_hex('${new TextEncoder().encode(text).toHex()}'))`;
}

/** The type of an expression in DuckDB. */
export function kindSql(node: ExprNode, columns: SqlColumns): string {
  const of = (child: ExprNode) => kindSql(child, columns);
  switch (node.node) {
    case "column":
      return columns.get(node.name)!;
    case "literal":
      return literalType(node.value);
    case "concat":
      if (!childrenOf(node).every((part) => of(part) === "VARCHAR")) throw new NoSql("concat");
      return "VARCHAR";
    case "fillNull":
    case "choose": {
      const [type, other] = childrenOf(node).slice(-2).map(of);
      if (type !== other) throw new NoSql("branches");
      return type!;
    }
    case "call": {
      const { name } = node.op.spec;
      if (name === "add") {
        if (!childrenOf(node).every((part) => of(part) === "VARCHAR")) throw new NoSql("add");
        return "VARCHAR";
      }
      const type = CALLS.get(name)?.type;
      if (type === undefined || of(node.text) !== "VARCHAR") throw new NoSql(name);
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
  ["add", { type: "VARCHAR", sql: (text, [other]) => `(${text} || ${other})` }],
  ["length", { type: "INTEGER", sql: (text) => `length(${text})::INTEGER` }],
  ["byteLength", { type: "INTEGER", sql: (text) => `strlen(${text})::INTEGER` }],
  ["contains", { type: "BOOLEAN", sql: (text, [target]) => `contains(${text}, ${target})` }],
  ["startsWith", { type: "BOOLEAN", sql: (text, [target]) => `starts_with(${text}, ${target})` }],
  ["endsWith", { type: "BOOLEAN", sql: (text, [target]) => `suffix(${text}, ${target})` }],
  ["urlEncode", { type: "VARCHAR", sql: (text) => `url_encode(${text})` }],
  ["nfc", { type: "VARCHAR", sql: (text) => `nfc_normalize(${text})` }],
  ["repeat", {
    type: "VARCHAR",
    sql: (text, [count]) =>
      `repeat(${text}, (CASE WHEN ${count} < 0 THEN 0 ELSE ${count} END)::BIGINT)`,
  }],
  ["strip", { type: "VARCHAR", sql: trimmed("trim") }],
  ["lstrip", { type: "VARCHAR", sql: trimmed("ltrim") }],
  ["rstrip", { type: "VARCHAR", sql: trimmed("rtrim") }],
  ["left", { type: "VARCHAR", sql: firstChars("left") }],
  ["right", { type: "VARCHAR", sql: firstChars("right") }],
  ["find", {
    type: "INTEGER",
    sql(text, [target, start = "NULL"]) {
      if (start !== "NULL") throw new NoSql("find");
      return `(instr(${text}, ${target}) - 1)::INTEGER`;
    },
  }],
  ["like", {
    type: "BOOLEAN",
    sql(text, [pattern], [, escape]) {
      if (escape !== undefined && escape !== null) throw new NoSql("like");
      return `(${text} LIKE ${pattern})`;
    },
  }],
  ["splitPart", {
    type: "VARCHAR",
    sql(text, [delimiter], [literal, index]) {
      if (!literal || typeof index !== "number" || index < 0) throw new NoSql("splitPart");
      return `string_split(${text}, ${delimiter})[${index + 1}]`;
    },
  }],
  ["replace", {
    type: "VARCHAR",
    sql(text, [target, by, limit = "NULL"], [literal]) {
      if (!literal || limit !== "NULL") throw new NoSql("replace");
      return `replace(${text}, ${target}, ${by})`;
    },
  }],
]);

/** Without characters, where these are given. */
function trimmed(name: string) {
  return (
    text: string,
    [chars]: readonly string[],
    [literal]: readonly (Literal | undefined)[],
  ) => {
    if (!literal) throw new NoSql(name);
    return `${name}(${text}, ${chars})`;
  };
}

function firstChars(name: string) {
  return (text: string, _: readonly string[], [count]: readonly (Literal | undefined)[]) => {
    if (typeof count !== "number" || count < 0) throw new NoSql(name);
    return `${name}(${text}, ${count})`;
  };
}

/** An expression in SQL. */
export function exprSql(node: ExprNode, columns: SqlColumns): string {
  const of = (child: ExprNode) => exprSql(child, columns);
  const type = kindSql(node, columns);
  switch (node.node) {
    case "column":
      return quoted(node.name);
    case "literal":
      return `${literalSql(node.value, type)}::${type}`;
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
    case "isIn": {
      const kind = kindSql(node.value, columns);
      const items = node.values.map((value) => {
        if (value !== null && literalType(value) !== kind) throw new NoSql("isIn");
        return value === null ? "NULL" : literalSql(value, kind);
      });
      if (items.length === 0) throw new NoSql("isIn nothing");
      return `(${of(node.value)} IN (${items.join(", ")}))`;
    }
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
