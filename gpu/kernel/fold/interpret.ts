/**
 * Runs a row function at compile time, on known operands. Its result is that of the emitted code.
 *
 * @module
 */

import { floatText } from "../../../base/float_text.ts";
import { InternalError } from "../../../base/errors/internal_error.ts";
import { bodyOf, helperOf, type RowExpr, type RowStmt } from "../parse/row_code.ts";
import type { RowFunction } from "../language/row_function.ts";
import { evaluateBinary, evaluateUnary } from "../ir/evaluate.ts";
import type { ScalarType } from "../ir/ir.ts";
import { ConstantView } from "./constant_view.ts";
import { evaluateIntrinsic, formOf } from "./evaluate_intrinsic.ts";
import { formattedDecimal, formattedFloat, formattedInteger } from "./formatted_number.ts";
import { normalText } from "./host_text.ts";
import { isScratch, ScratchMemory } from "../language/scratch.ts";
import { followBytes } from "../language/state_table.ts";

/** A value at compile time. */
export type Constant = number | bigint | boolean | ConstantView;

/** The result of a row: a value (of 64 or 128 bits, its low half and the high one), null, or text. */
type ConstantResult =
  | { readonly is: "null" }
  | { readonly is: "value"; readonly value: Constant; readonly high: number | bigint }
  | { readonly is: "text"; readonly bytes: Uint8Array };

/** Options of `interpret`. */
interface InterpretOptions {
  /** The high half of a subject of 64 or 128 bits. */
  readonly high?: number | bigint;
  /** The bits of a float subject. Default: 64. */
  readonly floatBits?: 16 | 32 | 64;
  /** The limits of a run. Default: `SHORT_RUN`. */
  readonly limits?: RunLimits;
}

/** The limits of a run; the interpreter gives up a run that needs more. */
export interface RunLimits {
  /** Statements and rounds of loops. */
  readonly steps: number;
  /** The bytes that one repetition makes. */
  readonly repeatedBytes: number;
}

/** For functions that lowering asks many times. */
const SHORT_RUN: RunLimits = { steps: 20_000, repeatedBytes: 1024 };

/**
 * Runs `fn` on a text or a number, or a map on one character. Returns null if it takes too long,
 * works on lists, or if a map reads next to a single character. A helper has no subject.
 */
export function interpret(
  fn: RowFunction,
  subject: Constant,
  args: readonly Constant[],
  { high = 0, floatBits = 64, limits = SHORT_RUN }: InterpretOptions = {},
): ConstantResult | null {
  if (fn.subject === "list" || fn.kind === "list") return null;
  const run = new Run(fn, { steps: 0, scratch: new Map(), floatBits, limits });
  let end: End;
  try {
    const isText = fn.kind === "map" && subject instanceof ConstantView;
    end = isText ? run.characters(subject, args) : run.start(subject, args, high);
  } catch (error) {
    if (error === GIVEN_UP) return null;
    throw error;
  }
  if (end === "null") return { is: "null" };
  if (fn.kind === "map" || fn.kind === "emit") {
    return { is: "text", bytes: Uint8Array.from(run.bytes) };
  }
  return { is: "value", value: run.result, high: run.resultHigh };
}

/** The way in which a list of statements ended. */
type End = "next" | "break" | "continue" | "return" | "end" | "null";

const encoder = new TextEncoder();

/** Thrown if a run takes too many steps, or needs something that it does not have. */
const GIVEN_UP = Symbol("given up");

/** The state that the run of a row function shares with those of its helpers. */
interface Shared {
  steps: number;
  readonly limits: RunLimits;
  readonly floatBits: 16 | 32 | 64;
  readonly scratch: Map<ScratchMemory, ScratchMemory>;
}

class Run {
  readonly bytes: number[] = [];
  result: Constant = 0;
  resultHigh: number | bigint = 0;
  readonly #locals = new Map<string, Constant>();
  readonly #fn: RowFunction;
  readonly #shared: Shared;

  constructor(fn: RowFunction, shared: Shared) {
    this.#fn = fn;
    this.#shared = shared;
  }

  start(subject: Constant, args: readonly Constant[], high: number | bigint): End {
    this.#bind(args);
    const { subjectHigh } = bodyOf(this.#fn);
    if (subjectHigh !== null) this.#locals.set(subjectHigh, high);
    return this.#row(subject);
  }

  /** Runs a map on the characters of a text. */
  characters(text: ConstantView, args: readonly Constant[]): End {
    this.#bind(args);
    const { look } = bodyOf(this.#fn);
    for (let at = 0; at < text.size; at = text.next(at)) {
      if (look.text !== null) this.#locals.set(look.text, text);
      if (look.at !== null) this.#locals.set(look.at, at);
      if (this.#row(text.charAt(at)) === "end") break;
    }
    return "next";
  }

  #bind(args: readonly Constant[]): void {
    const { params, state } = bodyOf(this.#fn);
    params.forEach((name, index) => {
      if (name !== null) this.#locals.set(name, args[index] ?? 0);
    });
    for (const { name, initial } of state) this.#locals.set(name, initial);
  }

  #row(subject: Constant): End {
    const body = bodyOf(this.#fn);
    if (body.subject !== null) this.#locals.set(body.subject, subject);
    return this.execute(body.statements);
  }

  execute(statements: readonly RowStmt[]): End {
    for (const statement of statements) {
      const end = this.#statement(statement);
      if (end !== "next") return end;
    }
    return "next";
  }

  #statement(statement: RowStmt): End {
    this.#step();
    switch (statement.do) {
      case "let":
      case "set":
        this.#locals.set(statement.name, this.#value(statement.value));
        return "next";
      case "if":
        return this.execute(this.#value(statement.test) ? statement.then : statement.else);
      case "loop":
        return this.#loop(statement);
      case "break":
      case "continue":
      case "end":
        return statement.do;
      case "return":
        if (statement.value !== undefined) this.result = this.#value(statement.value);
        if (statement.high !== undefined) {
          this.resultHigh = this.#value(statement.high) as number | bigint;
        }
        return "return";
      case "returnNull":
        return "null";
      case "put":
        this.bytes.push(...encodeChar(this.#number(statement.char)));
        return "next";
      case "copy":
        this.#append(this.#view(statement.view).bytes);
        return "next";
      case "repeat":
        this.#repeat(this.#view(statement.view).bytes, this.#number(statement.count));
        return "next";
      case "hostCall":
        this.#append(this.#hostBytes(statement));
        return "next";
      case "store": {
        const at = this.#number(statement.at);
        this.#scratch(statement.scratch).set(at, this.#number(statement.value));
        return "next";
      }
      case "call":
        this.#value(statement.call);
        return "next";
      case "item":
      case "endItem":
        throw new InternalError("A list is not known at compile time");
    }
  }

  #hostBytes({ name, args: [first, form, ...more] }: RowStmt & { do: "hostCall" }): Uint8Array {
    if (first === undefined || name === "toFloat" || name === "toNarrowFloat") throw GIVEN_UP;
    if (name === "putFloat") {
      return encoder.encode(floatText(this.#number(first), this.#shared.floatBits));
    }
    const { bytes } = this.#view(first);
    if (name === "putFormattedDecimal") {
      const numbers = [form!, ...more].map((arg) => this.#number(arg));
      const [words, scale = 0] = [numbers.slice(0, 4), numbers[4]];
      return encoder.encode(formattedDecimal(bytes, 0, bytes.length, words, scale));
    }
    if (name === "putFormatted" || name === "putFormattedInteger") {
      if (form === undefined) throw GIVEN_UP;
      const value = this.#number(form);
      if (name === "putFormatted") {
        const { floatBits } = this.#shared;
        return encoder.encode(formattedFloat(bytes, 0, bytes.length, value, floatBits));
      }
      const [high = 0, signed = 0] = more.map((arg) => this.#number(arg));
      return encoder.encode(formattedInteger(bytes, 0, bytes.length, value, high, signed === 1));
    }
    const text = normalText(bytes, 0, bytes.length, form === undefined ? 0 : this.#number(form));
    return text === null ? bytes : encoder.encode(text);
  }

  #repeat(bytes: Uint8Array, count: number): void {
    if (count <= 0 || bytes.length === 0) return;
    if (bytes.length * count > this.#shared.limits.repeatedBytes) throw GIVEN_UP;
    for (let left = count; left > 0; left--) this.#append(bytes);
  }

  /** Appends one by one: a call takes only as many arguments as fit the stack. */
  #append(bytes: Iterable<number>): void {
    for (const byte of bytes) this.bytes.push(byte);
  }

  #step(): void {
    if (++this.#shared.steps > this.#shared.limits.steps) throw GIVEN_UP;
  }

  #loop(loop: RowStmt & { do: "loop" }): End {
    this.execute(loop.init);
    while (this.#value(loop.test)) {
      this.#step();
      const end = this.execute(loop.body);
      if (end === "break") break;
      if (end !== "next" && end !== "continue") return end;
      this.execute(loop.update);
    }
    return "next";
  }

  #value(expr: RowExpr): Constant {
    switch (expr.op) {
      case "const":
        return expr.value;
      case "name":
        return this.#read(expr.name);
      case "text":
        return new ConstantView(new TextEncoder().encode(expr.text));
      case "unary":
        return this.#unary(expr);
      case "binary":
        return this.#binary(expr);
      case "select":
        return this.#value(this.#value(expr.test) ? expr.yes : expr.no);
      case "method":
        return this.#method(expr);
      case "table": {
        const table = this.#fn.consts[expr.table];
        return table instanceof Int32Array ? table[this.#number(expr.at)] ?? 0 : 0;
      }
      case "follow": {
        const table = this.#fn.consts[expr.table];
        if (!(table instanceof Int32Array)) return 0;
        return followBytes(table, this.#view(expr.view).bytes, this.#number(expr.state));
      }
      case "intrinsic":
        return this.#intrinsic(expr);
      case "scratch":
        return this.#scratch(expr.scratch).at(this.#number(expr.at));
      case "helper":
        return this.#call(helperOf(this.#fn, expr.helper), expr.args);
      case "list":
        throw new InternalError("A list is not known at compile time");
    }
  }

  #read(name: string): Constant {
    const value = this.#locals.get(name);
    if (value !== undefined) return value;
    const { look } = bodyOf(this.#fn);
    // A single character may have any neighbours.
    if (name === look.text || name === look.at) throw GIVEN_UP;
    return 0;
  }

  /** Returns the memory of a scratch, which this run shares with those of its helpers. */
  #scratch(name: string): ScratchMemory {
    const memory = this.#fn.consts[name];
    if (!isScratch(memory)) throw new InternalError(`${this.#fn.name} has no ${name}`);
    const own = this.#shared.scratch.get(memory) ?? new ScratchMemory(memory.size);
    this.#shared.scratch.set(memory, own);
    return own;
  }

  #call(helper: RowFunction, args: readonly RowExpr[]): Constant {
    const run = new Run(helper, this.#shared);
    run.start(0, args.map((arg) => this.#value(arg)), 0);
    this.#append(run.bytes);
    return run.result;
  }

  #unary(expr: RowExpr & { op: "unary" }): Constant {
    const value = this.#value(expr.value);
    return value instanceof ConstantView
      ? false
      : evaluateUnary(expr.fn, value, numberType(expr.value));
  }

  #binary(expr: RowExpr & { op: "binary" }): Constant {
    const left = this.#value(expr.left);
    if (expr.fn === "&&" && left === false) return false;
    if (expr.fn === "||" && left === true) return true;
    const right = this.#value(expr.right);
    return left instanceof ConstantView || right instanceof ConstantView
      ? false
      : evaluateBinary(expr.fn, left, right, numberType(expr.left));
  }

  #intrinsic({ intrinsic, args }: RowExpr & { op: "intrinsic" }): Constant {
    const form = formOf(intrinsic, args.map(({ type }) => type));
    if (form === undefined) throw new InternalError(`${intrinsic} has no such form`);
    const values = args.map((arg) => this.#value(arg));
    return evaluateIntrinsic(
      form,
      values.map((value) => value instanceof ConstantView ? 0 : value),
    );
  }

  #method(expr: RowExpr & { op: "method" }): Constant {
    const view = this.#view(expr.view);
    const [first, second] = expr.args.map((arg) => this.#value(arg));
    const position = Number(first ?? 0);
    const other = first instanceof ConstantView ? first : view;
    switch (expr.method) {
      case "size":
        return view.size;
      case "length":
        return view.length;
      case "byteAt":
        return view.byteAt(position);
      case "fourDigits":
        return view.fourDigits(position, Number(second ?? 0));
      case "charAt":
        return view.charAt(position);
      case "next":
        return view.next(position);
      case "prev":
        return view.prev(position);
      case "advance":
        return view.advance(position, Number(second ?? 0));
      case "sub":
        return view.sub(position, Number(second ?? 0));
      case "find":
        return view.find(other, Number(second ?? 0));
      case "rfind":
        return view.rfind(other);
      case "equals":
        return view.compare(other) === 0;
      case "compare":
        return view.compare(other);
      case "has":
        return view.has(position);
      case "toFloat":
        return view.toFloat();
      case "toNarrowFloat":
        return view.toNarrowFloat(position);
    }
  }

  #number(expr: RowExpr): number {
    return Number(this.#value(expr));
  }

  #view(expr: RowExpr): ConstantView {
    const value = this.#value(expr);
    return value instanceof ConstantView ? value : new ConstantView(new Uint8Array());
  }
}

/** Returns the type of an operand, for an operator; views have none. */
function numberType({ type }: RowExpr): ScalarType {
  return type === "view" ? "i32" : type;
}

/** Returns the UTF-8 of a code point; an invalid one becomes U+FFFD. */
export function encodeChar(char: number): number[] {
  if (char >= 0 && char < 0x80) return [char];
  if (char >= 0 && char < 0x800) return [0xc0 | (char >> 6), 0x80 | (char & 0x3f)];
  if (char < 0 || char > 0x10ffff || (char >= 0xd800 && char < 0xe000)) return [0xef, 0xbf, 0xbd];
  if (char < 0x10000) {
    return [0xe0 | (char >> 12), 0x80 | ((char >> 6) & 0x3f), 0x80 | (char & 0x3f)];
  }
  return [
    0xf0 | (char >> 18),
    0x80 | ((char >> 12) & 0x3f),
    0x80 | ((char >> 6) & 0x3f),
    0x80 | (char & 0x3f),
  ];
}
