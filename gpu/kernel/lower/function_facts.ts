/**
 * Facts about a row function that hold for any call. It is lowered alone, for an unknown text or
 * character, and the remaining code shows what it reads and what it writes.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { ColumnType } from "../../column/column.ts";
import type { LowerValue } from "./lower_value.ts";
import type { Scalar, ScalarType } from "../ir/ir.ts";
import { LowerContext } from "./lower_context.ts";
import { asciiTable } from "./map.ts";
import { inlineCall } from "./row_function.ts";
import type { LowerSink } from "./sink.ts";
import type { ArgType, RowFunction } from "../language/row_function.ts";
import { int } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";
import { visit } from "../ir/visit.ts";
import { bodyOf } from "../parse/row_code.ts";

/** The effect of a map on an ASCII character for all arguments and states. */
interface AsciiFacts {
  /** Whether it may look at the neighbouring characters. */
  readonly looks: boolean;
  /** Whether it is known to write only ASCII. */
  readonly staysAscii: boolean;
  /** The nodes of the remaining code. */
  readonly weight: number;
}

/** Whether a map may look next to an ASCII character. */
export function looksBesideAscii(fn: RowFunction): boolean {
  return fn.looks && factsOf(fn).looks;
}

/** Returns the nodes of the code of a map for ASCII characters: the cost of inlining it. */
export function asciiWeight(fn: RowFunction): number {
  return factsOf(fn).weight;
}

/**
 * Whether the text of a tree is certainly ASCII if the columns below `numColumns` are: it consists
 * of them, of literals, and of what maps make of such text.
 */
export function isAsciiText(tree: Tree, numColumns: number): boolean {
  const isAscii = (part: Tree) => isAsciiText(part, numColumns);
  switch (tree.node) {
    case "column":
      return tree.type.kind === "string" && tree.index < numColumns && tree.isBytes !== true;
    case "literal":
      return tree.value === null || /^[\0-\x7f]*$/.test(String(tree.value));
    case "concat":
      return tree.parts.every(isAscii);
    case "choose":
      return isAscii(tree.yes) && isAscii(tree.no);
    case "fillNull":
      return isAscii(tree.value) && isAscii(tree.other);
    case "call":
      // A view is a part of its text.
      if (tree.fn.kind === "view") return isAscii(tree.text);
      return tree.fn.kind === "map" && staysAscii(tree) && isAscii(tree.text);
    default:
      return false;
  }
}

function staysAscii({ fn, args }: Tree & { node: "call" }): boolean {
  return factsOf(fn).staysAscii || (args.length === 0 && asciiTable(fn, []) !== null);
}

const knownFacts = new WeakMap<RowFunction, AsciiFacts>();

function factsOf(fn: RowFunction): AsciiFacts {
  const known = knownFacts.get(fn);
  if (known !== undefined) return known;
  const facts = findFacts(fn);
  knownFacts.set(fn, facts);
  return facts;
}

/**
 * Lowers a map for an unknown ASCII character, and observes what the remaining code reads and what
 * it writes.
 */
function findFacts(fn: RowFunction): AsciiFacts {
  const context = contextOfText(false);
  const { builder } = context;
  const space = { space: "column", column: context.column(0) } as const;
  const unknown = (type: ScalarType): Scalar => builder.reserve("unknown", type);
  const argument = (type: ArgType): LowerValue => {
    if (type !== "string") return { is: "scalar", scalar: unknown(argumentScalar(type)) };
    const [start, stop] = [unknown("i32"), unknown("i32")];
    return { is: "view", view: { space: { one: space }, start, stop, ascii: false } };
  };
  const char = builder.stable(
    "char",
    builder.facts.markAscii({ op: "byte", type: "i32", space, at: int(0) }),
  );
  let staysAscii = true;
  const writeAny = () => void (staysAscii = false);
  const sink: LowerSink = {
    put: (byte) => {
      staysAscii &&= builder.facts.isAscii(byte);
      builder.push({ do: "put", byte });
    },
    ...{ copy: writeAny, repeat: writeAny, hostCall: writeAny },
  };
  try {
    inlineCall(context, {
      ...{ fn, sink, onNull: () => {}, onEnd: () => {} },
      subject: { is: "scalar", scalar: char },
      args: argumentTypes(fn).map(argument),
      state: bodyOf(fn).state.map(({ name }) => builder.reserve(name, "i32")),
    });
    let weight = 0;
    const count = () => void weight++;
    visit(builder.statements, { stmt: count, scalar: count });
    return { looks: false, staysAscii, weight };
  } catch (error) {
    if (isSluiceError(error, "NoValueError")) {
      return { looks: true, staysAscii: false, weight: bodyOf(fn).weight };
    }
    throw error;
  }
}

const positional = new WeakMap<RowFunction, boolean>();

/**
 * Whether a function takes a part of an ASCII text, or none, by positions alone: of two texts of
 * the same size it takes the same positions, whatever their bytes.
 */
export function isPositional(fn: RowFunction): boolean {
  if (fn.kind !== "view" || fn.subject !== "string") return false;
  if (fn.args.some(({ type }) => type === "string")) return false;
  let answer = positional.get(fn);
  if (answer === undefined) {
    answer = !looksAtBytes(fn);
    positional.set(fn, answer);
  }
  return answer;
}

/**
 * Lowers a function for a text with only its ends known, and returns whether it reads the
 * text.
 */
function looksAtBytes(fn: RowFunction): boolean {
  const context = contextOfText(true);
  const { builder } = context;
  const space = { one: { space: "column", column: context.column(0) } } as const;
  const unknown = (type: ScalarType) => builder.reserve("unknown", type);
  const view = { space, start: unknown("i32"), stop: unknown("i32"), ascii: true };
  const args = argumentTypes(fn).map((type) =>
    ({ is: "scalar", scalar: unknown(argumentScalar(type)) }) as const
  );
  const result = inlineCall(context, {
    ...{ fn, subject: { is: "view", view }, args, sink: null },
    onNull: () => builder.push({ do: "null" }),
  });
  const ends = result?.is === "view" ? [result.view.start, result.view.stop] : [];
  let looks = false;
  visit([...builder.statements, { do: "result", words: ends }], {
    scalar: ({ op }) => void (looks ||= op === "byte"),
  });
  return looks;
}

/** Returns the types of the arguments, one for each parameter. */
function argumentTypes({ args }: RowFunction): readonly ArgType[] {
  return args.flatMap(({ type }) => type === "i128" ? [type, type] : [type]);
}

/** Returns the type of an argument that is no text. */
function argumentScalar(type: ArgType): ScalarType {
  if (type === "u64" || type === "i128") return "i64";
  return type === "string" ? "i32" : type;
}

/** Returns the context for lowering a function alone: its text is a column. */
function contextOfText(ascii: boolean): LowerContext {
  const type: ColumnType = { kind: "string" };
  const tree = { node: "column", index: 0, type } as const;
  return new LowerContext({ types: [type], variant: { ascii, nullable: [] }, tree });
}
