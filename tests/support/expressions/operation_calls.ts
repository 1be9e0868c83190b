/** Random calls of the string operations, and the results of the model. */

import type { StringOp } from "../../../ops/string/define/define_string_op.ts";
import type { ExampleValue } from "../../../ops/syntax/node.ts";
import { col, type Expr } from "../../../ops/expr/expr.ts";
import { partsOf } from "../../../ops/expr/rewrite.ts";
import type { PlainColumns } from "./evaluate_expr.ts";
import { joinModel } from "../models/list_model.ts";
import { type Argument, ARGUMENTS, randomTexts } from "../random/random_text.ts";
import type { SeededRandom } from "../random/seeded_random.ts";
import { textModel } from "../models/text_model.ts";

type Texts = readonly (string | null)[];

const CONVERSIONS = new Set([
  "cast",
  "format",
  "hexToInteger",
  "integerToHex",
  "integerToIpv4",
  "ipv4ToInteger",
  "isFloat",
  "isInteger",
  "toBoolean",
  "toDate",
  "toFloat",
  "toInteger",
  "toString",
  "toTimestamp",
  "tryCast",
  "urlDecode",
  "urlEncode",
]);

/** Whether an operation converts between types: `tests/host/convert` has the oracles of those. */
export function isConversion({ spec }: StringOp): boolean {
  return CONVERSIONS.has(spec.name);
}

/** A call on the column `text`, and its result for each row. */
export interface OperationCall {
  /** The call; one for each part where the operation returns several columns. */
  readonly exprs: readonly Expr[];
  /** The columns of its arguments. */
  readonly columns: PlainColumns;
  /** Of each of the expressions, a value a row. */
  readonly expected: readonly (readonly ExampleValue[])[];
}

/** A call with literal arguments. */
export function literalCall(random: SeededRandom, op: StringOp, texts: Texts): OperationCall {
  const args = accepted(op, () => {
    const args = drawArguments(random, op);
    return isRefused(op, args) ? undefined : args;
  });
  const { subject, values, columns } = drawSubject(random, op, texts);
  return {
    exprs: partsOfCall(op(subject, ...args)),
    columns,
    expected: modelled(op, values, () => args),
  };
}

/** Whether some argument of an operation may be a column. */
export function takesColumns(op: StringOp): boolean {
  return op.parameters.some((_, index) => !isLiteralOnly(op, index));
}

/**
 * A call with columns for arguments, one at least, except for those that only literals can be. The
 * columns have names that begin with `prefix`.
 */
export function columnCall(
  random: SeededRandom,
  op: StringOp,
  texts: Texts,
  prefix = "",
): OperationCall {
  return accepted(op, () => drawColumnCall(random, op, texts, prefix));
}

function drawColumnCall(
  random: SeededRandom,
  op: StringOp,
  texts: Texts,
  prefix: string,
): OperationCall | undefined {
  const shape = drawArguments(random, op);
  const rows = texts.map(() => drawArguments(random, op));
  const columns: Record<string, PlainColumns[string]> = {};
  const args = shape.map((first, index) => {
    if (first === null || isLiteralOnly(op, index)) return first;
    const name = `${prefix}${op.spec.name}${index}`;
    columns[name] = rows.map((row) =>
      (row[index] ?? (typeof first === "string" ? "-" : 1)) as string | number
    );
    return col(name);
  });
  const literals = args.map((arg, index) => arg === shape[index] ? shape[index] : undefined);
  if (Object.keys(columns).length === 0 || isRefused(op, literals)) return undefined;
  const argsOf = (row: number) =>
    shape.map((first, index) =>
      columns[`${prefix}${op.spec.name}${index}`]?.[row] ?? first
    ) as readonly Argument[];
  const { subject, values, columns: lists } = drawSubject(random, op, texts, prefix);
  return {
    exprs: partsOfCall(op(subject, ...args)),
    columns: { ...columns, ...lists },
    expected: modelled(op, values, argsOf),
  };
}

/** Draws until a call is accepted; an operation that refuses every call is a mistake here. */
function accepted<T>(op: StringOp, draw: () => T | undefined): T {
  for (let attempt = 0; attempt < 200; attempt++) {
    const drawn = draw();
    if (drawn !== undefined) return drawn;
  }
  throw new Error(`${op.spec.name}() refused all arguments that were drawn`);
}

function drawArguments(random: SeededRandom, op: StringOp): readonly Argument[] {
  const draw = ARGUMENTS[op.spec.name];
  if (draw === undefined && op.parameters.length > 0) {
    throw new Error(`Nothing draws arguments of ${op.spec.name}()`);
  }
  return draw?.(random) ?? [];
}

/** A literal, such as the step of a slice, decides on the row function. */
export function isLiteralOnly(op: StringOp, index: number): boolean {
  const { name } = op.spec;
  const type = op.parameters[index]?.type;
  return type === "literal" || type === "any" || (name === "slice" && index === 2) ||
    name === "ngrams" || name === "replaceRe";
}

function isRefused(op: StringOp, args: readonly (Argument | undefined)[]): boolean {
  const named = op.parameters.map(({ name }, index) => [name, args[index] ?? undefined]);
  return op.spec.check?.(Object.fromEntries(named)) !== undefined;
}

/** Whether an operation works on lists of texts. */
function isOfLists({ spec }: StringOp): boolean {
  return spec.name === "join";
}

type Values = readonly (string | readonly (string | null)[] | null)[];

/** The receiver of a call: the text; for an operation on lists, its parts or a column. */
interface Subject {
  readonly subject: Expr;
  readonly values: Values;
  /** The column of lists. */
  readonly columns: PlainColumns;
}

function drawSubject(random: SeededRandom, op: StringOp, texts: Texts, prefix = ""): Subject {
  const subject = col("text");
  if (!isOfLists(op)) return { subject, values: texts, columns: {} };
  if (random.chance(0.5)) {
    const values = texts.map((text) => text?.split("a") ?? null);
    return { subject: subject.split("a"), values, columns: {} };
  }
  const lists = texts.map((text) => text === null ? null : randomTexts(random, random.below(4)));
  const name = `${prefix}${op.spec.name}List`;
  return { subject: col(name), values: lists, columns: { [name]: lists } };
}

function partsOfCall(expr: Expr): readonly Expr[] {
  return [...partsOf(expr)?.values() ?? [expr]];
}

function modelled(
  op: StringOp,
  subjects: Values,
  argsOf: (row: number) => readonly Argument[],
): OperationCall["expected"] {
  const { name, parts } = op.spec;
  const model = isOfLists(op) ? joinModel : textModel[name]!;
  const results = subjects.map((subject, row) =>
    subject === null
      ? null
      : (model as (...args: unknown[]) => ExampleValue)(subject, ...argsOf(row))
  );
  if (parts === undefined) return [results];
  return parts.map((_, part) =>
    results.map((result) => (result as readonly string[] | null)?.[part] ?? null)
  );
}
