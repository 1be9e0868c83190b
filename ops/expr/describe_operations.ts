/**
 * Describes all operations of expressions as data, for lists of operations.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import { builtInOperations } from "./built_in_operations.ts";
import { typeName } from "../batch/arrow_types.ts";
import { exampleReceiver, printExample } from "./example.ts";
import type { ExampleValue, StringOp } from "../syntax/node.ts";
import type { Overload } from "../syntax/overload.ts";
import { type Expr, printExpr } from "./expr.ts";
import { parseExpr } from "./parse.ts";
import { checkTests } from "./quoted_text.ts";
import { printData } from "../syntax/print.ts";
import { type LanguageOperation, languageOperations } from "./language_operations.ts";
import { OPERATION_GROUPS, type OperationGroup } from "../syntax/operation_group.ts";

/** An example of an operation. */
export interface DescribedExample {
  /** The expression with its values inserted; over columns where a value is null or a list. */
  readonly text: string;
  /** The condition on the values of the columns, such as "where name is null", or "". */
  readonly where: string;
  /** The expression over columns. */
  readonly expr: Expr;
  /** The values of the columns. */
  readonly columns: Readonly<Record<string, ExampleValue>>;
  /** The result. */
  readonly result: ExampleValue;
  /** The example as one line of text: `"a".upper() is "A"`. */
  readonly line: string;
}

/** The description of an operation for its users. */
export interface OperationDescription {
  /** The name in expressions, or the operator. */
  readonly name: string;
  /** Other operators that the description covers. */
  readonly aliases: readonly string[];
  /** The group in which it is listed; "plugins" for an operation without one. */
  readonly group: OperationGroup | "plugins";
  /** The signature with the type of the result: `left(count: integer) -> string`. */
  readonly signature: string;
  /** The kinds of its row functions; "language" for an operation of the language. */
  readonly kinds: readonly string[];
  /** A clause without a period; may be empty. */
  readonly summary: string;
  /** Sentences that complete the summary; may be empty. */
  readonly details: string;
  /** Deliberate differences from operations of the same name elsewhere. */
  readonly differs: readonly string[];
  /** Examples, which the tests run. */
  readonly examples: readonly DescribedExample[];
}

/**
 * Describes everything that can be called in expressions, group by group: the given string operations
 * (by default the built-in ones), and the operations of the language.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { describeOperations } from "../../mod.ts";
 *
 * const find = describeOperations().find(({ name }) => name === "startsWith");
 * assertEquals(find?.signature, "startsWith(target: string) -> bool");
 * ```
 */
export function describeOperations(
  operations: Iterable<StringOp> = builtInOperations,
): readonly OperationDescription[] {
  const all = [
    ...[...operations].map(describeStringOp),
    ...languageOperations.map(describeLanguage),
  ];
  return [...OPERATION_GROUPS, "plugins" as const].flatMap((group) =>
    all.filter((description) => description.group === group)
  );
}

function describeStringOp(op: StringOp): OperationDescription {
  const { name, group = "plugins", summary = "", details = "", differs = [], examples = [] } =
    op.spec;
  // `-` is the difference, so the operator before an operand has its name.
  const sign = op.parameters.length > 0 ? op.spec.operator : undefined;
  return {
    name: sign ?? name,
    aliases: sign === undefined ? [] : [name],
    group,
    signature: signatureOf(op),
    kinds: [...new Set(Object.values(op.overloads).map(({ kind }) => kind))],
    summary,
    details,
    differs,
    examples: examples.map((example) => {
      const { input, args = [], result } = example;
      const expr = exampleReceiver(example).call(op, ...args);
      const columns = { text: input };
      const text = whereOf(columns) === "" ? printExample(op, example) : printExpr(expr);
      return described(text, expr, columns, result);
    }),
  };
}

/** Returns `splitPart(delimiter: string, index: integer) -> string`; `?` marks optional arguments. */
function signatureOf({ spec, parameters, overloads }: StringOp): string {
  const list = parameters.map(({ name, type, optional }) => {
    const accepted = spec.accepts?.[name] ?? (ACCEPTED[type] ?? type);
    return `${name}${optional ? "?" : ""}: ${accepted}`;
  });
  if (spec.parts !== undefined) {
    return `${spec.name}(${list.join(", ")}) -> columns ${spec.parts.join(", ")}`;
  }
  if (spec.conversion !== undefined) return `${spec.name}(${list.join(", ")}) -> that type`;
  const results = spec.result ??
    [...new Set(Object.values(overloads).map(resultOf))].join(" or ");
  if (spec.operator !== undefined) {
    return `${list.length > 0 ? `a ${spec.operator} b` : `${spec.operator}a`} -> ${results}`;
  }
  return `${spec.name}(${list.join(", ")}) -> ${results}`;
}

/** The names of types of arguments. */
const ACCEPTED: Readonly<Record<string, string>> = {
  i32: "integer",
  i64: "integer",
  u64: "integer",
  f64: "number",
  same: "number",
};

const RESULTS: Readonly<Record<string, string>> = {
  i32: "int32",
  i64: "int64",
  u64: "uint64",
  words: "int64",
  f64: "float64",
};

/** Returns the type of the result of a row function, by its name in Arrow. */
function resultOf({ kind, returns = "i32", items, gives }: Overload): string {
  if (kind === "list") {
    const own = items === "i32" ? "int32" : "string";
    return `list<${typeof gives === "object" ? typeName(gives) : own}>`;
  }
  if (typeof gives === "function") return "type of the value";
  if (gives !== undefined) return typeName(gives);
  return kind === "measure" ? RESULTS[returns] ?? returns : "string";
}

function describeLanguage(operation: LanguageOperation): OperationDescription {
  const { aliases = [], details = "", differs = [], examples, ...rest } = operation;
  return {
    ...rest,
    aliases,
    kinds: ["language"],
    details,
    differs,
    examples: examples.map(({ expression, columns, result }) => {
      const written = whereOf(columns) === "" ? withValues(expression, columns) : expression;
      const isAllowed = canBeWritten(written);
      const text = isAllowed ? written : expression;
      return described(text, parseExpr(expression), columns, result, !isAllowed);
    }),
  };
}

/** Whether an expression is valid with values inserted; a test of constants is an error. */
function canBeWritten(expression: string): boolean {
  try {
    checkTests(parseExpr(expression).node);
    return true;
  } catch (error) {
    if (isSluiceError(error, "ExprError")) return false;
    throw error;
  }
}

type Columns = Readonly<Record<string, ExampleValue>>;

function described(
  text: string,
  expr: Expr,
  columns: Columns,
  result: ExampleValue,
  isOverColumns = false,
): DescribedExample {
  const where = whereOf(columns, isOverColumns);
  const given = typeof result === "bigint" ? String(result) : printData(result);
  return { text, where, expr, columns, result, line: `${text} is ${given} ${where}`.trimEnd() };
}

/** Returns the expression with values in place of the columns. */
function withValues(expression: string, columns: Columns): string {
  return expression.replace(/"[^"]*"|\w+(?!\w*[(:])/g, (word) => {
    const value = Object.hasOwn(columns, word) ? columns[word] : undefined;
    return value === undefined ? word : printData(value);
  });
}

/** Returns the clause for values that are null or lists, which only a column can hold, or for all. */
function whereOf(columns: Columns, all = false): string {
  const clauses = Object.entries(columns).flatMap(([name, value]) =>
    all || typeof value === "object" ? [`${name} is ${printData(value)}`] : []
  );
  return clauses.length === 0 ? "" : `where ${clauses.join(" and ")}`;
}
