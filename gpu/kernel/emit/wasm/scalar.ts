/**
 * Prints scalars of the IR as WebAssembly.
 *
 * @module
 */

import { byteWidth, type ColumnType } from "../../../column/column.ts";
import { arrayName, spaceName } from "../host/calling_convention.ts";
import type { BinaryFn, Scalar } from "../../ir/ir.ts";
import { constantOf } from "../../ir/scalar.ts";
import { childrenOf } from "../../ir/visit.ts";
import { wasm, type WasmCode, type WasmInstruction } from "../../../wasm/instructions.ts";
import type { WasmType } from "../../../wasm/module.ts";

const BINARY: Partial<Record<BinaryFn, string>> = {
  "+": "i32.add",
  "-": "i32.sub",
  "*": "i32.mul",
  "&": "i32.and",
  "|": "i32.or",
  "^": "i32.xor",
  "<<": "i32.shl",
  ">>": "i32.shr_s",
  ">>>": "i32.shr_u",
  "==": "i32.eq",
  "!=": "i32.ne",
  "<": "i32.lt_s",
  "<=": "i32.le_s",
  ">": "i32.gt_s",
  ">=": "i32.ge_s",
  "<u": "i32.lt_u",
};

/** Leaves an offset of a column, `behind` places after that of a row, which a local names. */
export function offsetCode(column: number, row: string, behind = 0): WasmCode {
  const offsets = arrayName({ array: "offsets", column });
  return wasm`
    local.get ${offsets}; local.get ${row}; i32.const 2; i32.shl; i32.add; i32.load ${4 * behind}
  `;
}

/** Returns the local with the start of the next row of a column. */
export function nextStart(column: number): string {
  return `$next${column}`;
}

/** Prints scalars, and collects the locals and the functions that the code of a kernel needs. */
export class WasmScope {
  /** Locals by name, besides those of the row. */
  readonly locals: Map<string, WasmType> = new Map();
  /** The names of the helpers that the code calls. */
  readonly calls: Set<string> = new Set();
  /** The code before all rows. */
  readonly constants: WasmInstruction[] = [];
  readonly #columnTypes: readonly ColumnType[];

  constructor(columnTypes: readonly ColumnType[]) {
    this.#columnTypes = columnTypes;
  }

  /** Declares a local and returns its name. */
  local(name: string, type: WasmType = "i32"): string {
    this.locals.set(name, type);
    return name;
  }

  /** Returns the name of a local with the same byte 16 times. */
  splat(byte: number): string {
    const name = `$byte${byte}`;
    if (!this.locals.has(name)) {
      const bytes = Array.from({ length: 16 }, () => byte);
      this.constants.push(["v128.const", ...bytes], ["local.set", this.local(name, "v128")]);
    }
    return name;
  }

  /** Returns code that leaves the value of a scalar; that of a bool is 0 or 1. */
  code(scalar: Scalar): WasmCode {
    switch (scalar.op) {
      case "const":
        return [["i32.const", Number(scalar.value)]];
      case "local":
        return [["local.get", scalar.name]];
      case "unary":
        return this.#unary(scalar);
      case "binary":
        return this.#binary(scalar);
      case "select":
        return this.#select(scalar);
      case "byte":
        return wasm`
          local.get ${spaceName(scalar.space)}; ${this.code(scalar.at)}; i32.add; i32.load8_u 0
        `;
      case "start":
      case "stop":
        return [["local.get", `$${scalar.op}${scalar.column}`]];
      case "valid":
        return bit(arrayName({ array: "validity", column: scalar.column }));
      case "bit":
        return bit(arrayName({ array: "data", column: scalar.column }));
      case "word":
        return this.#word(scalar.column, scalar.word);
      case "table":
        return this.#item(arrayName({ array: "table", table: scalar.table }), scalar.at);
      case "scratch":
        return this.#item("$scratch", scalar.at);
      case "float":
      case "hostCall":
      case "itemStart":
      case "itemValid":
        throw new RangeError(`Kernels of WebAssembly have no ${scalar.op}`);
    }
  }

  #item(words: string, at: Scalar): WasmCode {
    return wasm`
      local.get ${words}; ${this.code(at)}; i32.const 2; i32.shl; i32.add; i32.load 0
    `;
  }

  #unary({ fn, value }: Scalar & { op: "unary" }): WasmCode {
    switch (fn) {
      case "!":
        return [this.code(value), ["i32.eqz"]];
      case "~":
        return [this.code(value), ["i32.const", -1], ["i32.xor"]];
      case "-":
        return [["i32.const", 0], this.code(value), ["i32.sub"]];
    }
  }

  #binary({ fn, left, right }: Scalar & { op: "binary" }): WasmCode {
    // Each side is printed once: twice at each level would grow exponentially.
    if (fn === "&&" && !isCheap(right)) {
      return this.#choose(left, this.code(right), [["i32.const", 0]]);
    }
    if (fn === "||" && !isCheap(right)) {
      return this.#choose(left, [["i32.const", 1]], this.code(right));
    }
    const sides = [this.code(left), this.code(right)];
    switch (fn) {
      case "/":
      case "%":
        return [sides, ...this.#divide(fn, constantOf(right))];
      case "&&":
        return [sides, ["i32.and"]];
      case "||":
        return [sides, ["i32.or"]];
      default:
        return [sides, [BINARY[fn] ?? fn]];
    }
  }

  /**
   * Calls a helper where the instruction would trap: at a division by 0, or of the least number by
   * -1.
   */
  #divide(fn: "/" | "%", divisor: number | boolean | undefined): WasmInstruction[] {
    const op = fn === "/" ? "i32.div_s" : "i32.rem_s";
    if (divisor !== undefined && Number(divisor) > 0) return [[op]];
    const helper = fn === "/" ? "divide" : "remainder";
    this.calls.add(helper);
    return [["call", helper]];
  }

  #select({ test, yes, no }: Scalar & { op: "select" }): WasmCode {
    const [first, second] = [this.code(yes), this.code(no)];
    if (isCheap(yes) && isCheap(no)) {
      return [first, second, this.code(test), ["select"]];
    }
    return this.#choose(test, first, second);
  }

  #choose(test: Scalar, yes: WasmCode, no: WasmCode): WasmCode {
    return [this.code(test), ["if", "$", "i32"], yes, ["else"], no, ["end"]];
  }

  #word(column: number, word: 0 | 1): WasmCode {
    const type = this.#columnTypes[column];
    if (type === undefined) throw new RangeError(`The kernel has no column ${column}`);
    const width = byteWidth(type);
    const isSigned = type.kind === "int" && type.signed;
    const load = width === 1
      ? isSigned ? "i32.load8_s" : "i32.load8_u"
      : width === 2
      ? isSigned ? "i32.load16_s" : "i32.load16_u"
      : "i32.load";
    return wasm`
      local.get ${arrayName({ array: "words", column })}
      local.get $row; i32.const ${width}; i32.mul; i32.add; ${load} ${4 * word}
    `;
  }
}

/** Leaves bit `$row` of a bitmap. */
function bit(place: string): WasmCode {
  return wasm`
    local.get ${place}; local.get $row; i32.const 3; i32.shr_u; i32.add; i32.load8_u 0
    local.get $row; i32.const 7; i32.and; i32.shr_u; i32.const 1; i32.and
  `;
}

/** The most operations of a value that is computed whether it is needed or not. */
const MAX_CHEAP = 6;

/** Whether a scalar reads nothing, cannot trap, and costs less than a mispredicted branch. */
function isCheap(scalar: Scalar): boolean {
  return budgetAfter(scalar, MAX_CHEAP) >= 0;
}

/** Subtracts the operations of a scalar from a budget; stops below 0. */
function budgetAfter(scalar: Scalar, budget: number): number {
  if (budget < 0) return budget;
  switch (scalar.op) {
    case "const":
    case "local":
    case "start":
    case "stop":
      return budget;
    case "unary":
    case "select":
      break;
    case "binary":
      if (scalar.fn === "/" || scalar.fn === "%") return -1;
      break;
    default:
      return -1;
  }
  return childrenOf(scalar).reduce((left, child) => budgetAfter(child, left), budget - 1);
}
