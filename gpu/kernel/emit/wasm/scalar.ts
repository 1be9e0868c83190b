/**
 * Prints scalars of the IR as WebAssembly.
 *
 * @module
 */

import type { ColumnType } from "../../../column/column.ts";
import { arrayName, spaceName } from "../host/calling_convention.ts";
import type { ConvertFn, Scalar, ScalarType } from "../../ir/ir.ts";
import { asFourBytes } from "../../ir/four_bytes.ts";
import { constantOf, scalarKey, wordIn } from "../../ir/scalar.ts";
import { childrenOf } from "../../ir/visit.ts";
import { wasm, type WasmCode, type WasmInstruction } from "../../../wasm/instructions.ts";
import type { WasmType } from "../../../wasm/module.ts";
import type { CodeScope } from "./code_scope.ts";
import { readBit, readNumber } from "./column_row.ts";
import { divideCode } from "./divide.ts";
import { isDivision } from "../../language/operators.ts";
import { bitsOfFloat } from "./float.ts";
import { binaryOp, convertCode, joinCode, unaryCode } from "./operators.ts";
import { isOverflow, overflowCode } from "./overflow.ts";

/** Leaves an offset of a column, `behind` places after that of a row, which a local names. */
export function offsetCode(column: number, row: string, behind = 0): WasmCode {
  const offsets = arrayName({ array: "offsets", column });
  return wasm`
    local.get ${offsets}; local.get ${row}; i32.const 2; i32.shl; i32.add; i32.load ${4 * behind}
  `;
}

/** Returns the type that values of a type of the IR have. */
export function wasmTypeOf(type: ScalarType): WasmType {
  return type === "bool" ? "i32" : type;
}

/** Returns the local with the start of the next row of a column. */
export function nextStart(column: number): string {
  return `$next${column}`;
}

function isHalf(fn: ConvertFn): fn is "low" | "high" {
  return fn === "low" || fn === "high";
}

/** Prints scalars, and collects the locals and the functions that the code of a kernel needs. */
export class WasmScope implements CodeScope {
  /** Locals by name, besides those of the row. */
  readonly locals: Map<string, WasmType> = new Map();
  /** The names of the helpers that the code calls. */
  readonly calls: Set<string> = new Set();
  /** The code before all rows. */
  readonly constants: WasmInstruction[] = [];
  /** The locals of rows of columns that are read once a row, by their keys. */
  readonly #rowValues = new Map<string, string>();
  readonly #columnTypes: readonly ColumnType[];
  #numTemporaries = 0;

  constructor(columnTypes: readonly ColumnType[]) {
    this.#columnTypes = columnTypes;
  }

  /** Declares a local and returns its name. */
  local(name: string, type: WasmType = "i32"): string {
    this.locals.set(name, type);
    return name;
  }

  /** Declares the local from which the row of a column is read from now on. */
  rowValue(scalar: Scalar, type: WasmType): string {
    const name = this.local(`$value${this.#rowValues.size}`, type);
    this.#rowValues.set(scalarKey(scalar), name);
    return name;
  }

  temporary(type: WasmType): string {
    return this.local(`$temporary${this.#numTemporaries++}`, type);
  }

  operand(scalar: Scalar): { readonly first: WasmCode; readonly again: WasmCode } {
    if (scalar.op === "const" || scalar.op === "local") {
      return { first: [], again: this.code(scalar) };
    }
    const name = this.temporary(wasmTypeOf(scalar.type));
    return {
      first: [this.code(scalar), ["local.set", name]],
      again: [["local.get", name]],
    };
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
        return scalar.type === "i64" || scalar.type === "f64"
          ? [[`${scalar.type}.const`, scalar.value]]
          : [["i32.const", Number(scalar.value)]];
      case "local":
        return [["local.get", scalar.name]];
      case "unary":
        return unaryCode(scalar.fn, scalar.value.type, this.code(scalar.value));
      case "binary":
        return this.#binary(scalar);
      case "convert":
        return this.#convert(scalar);
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
      case "bit":
        return this.#rowValue(scalar, () => {
          const array = scalar.op === "valid" ? "validity" : "data";
          return readBit(arrayName({ array, column: scalar.column }));
        });
      case "word":
      case "long":
      case "float":
        return this.#number(scalar);
      case "table":
        return this.#item(arrayName({ array: "table", table: scalar.table }), scalar.at);
      case "scratch":
        return this.#item("$scratch", scalar.at);
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

  #binary(scalar: Scalar & { op: "binary" }): WasmCode {
    const { fn, left, right, type } = scalar;
    // Each side is printed once: twice at each level would grow exponentially.
    if (fn === "&&" && !isCheap(right)) {
      return this.#choose(left, this.code(right), [["i32.const", 0]]);
    }
    if (fn === "||" && !isCheap(right)) {
      return this.#choose(left, [["i32.const", 1]], this.code(right));
    }
    const four = fn === "|" ? asFourBytes(scalar) : null;
    if (four !== null) {
      return wasm`local.get ${spaceName(four.space)}; ${this.code(four.at)}; i32.add; i32.load 0`;
    }
    if (isOverflow(fn)) return overflowCode({ ...scalar, fn }, this);
    const sides = [this.code(left), this.code(right)];
    const operands = wasmTypeOf(left.type);
    if (fn === "join") return joinCode(sides[0]!, sides[1]!, type === "f64");
    if (isDivision(fn) && (operands === "i32" || operands === "i64")) {
      const divisor = constantOf(right);
      const known = divisor === undefined ? undefined : BigInt(divisor);
      return [sides, divideCode(fn, operands, known, this.calls)];
    }
    const isShift = fn === "<<" || fn === ">>" || fn === ">>>";
    const widened: WasmCode = isShift && operands === "i64" ? wasm`i64.extend_i32_u` : [];
    return [sides, widened, [binaryOp(fn, operands)]];
  }

  #convert({ fn, value, type }: Scalar & { op: "convert" }): WasmCode {
    // Half of a row is read by itself, unless the row is read anyway.
    if (value.op === "long" && isHalf(fn) && !this.#rowValues.has(scalarKey(value))) {
      const { column } = value;
      return this.#number({ op: "word", type: "i32", column, word: wordIn(value, fn) });
    }
    const readsBits = isHalf(fn) || (fn === "bits" && type === "i64");
    return readsBits && value.type === "f64"
      ? convertCode(fn, "i64", type, bitsOfFloat(value, 64, this))
      : convertCode(fn, value.type, type, this.code(value));
  }

  #select({ test, yes, no, type }: Scalar & { op: "select" }): WasmCode {
    const [first, second] = [this.code(yes), this.code(no)];
    if (isCheap(yes) && isCheap(no)) {
      // Engines turn a choice of floats into a branch, and one of integers into an instruction.
      return type === "f64"
        ? wasm`
          ${first}; i64.reinterpret_f64; ${second}; i64.reinterpret_f64; ${this.code(test)}
          select; f64.reinterpret_i64
        `
        : [first, second, this.code(test), ["select"]];
    }
    return this.#choose(test, first, second, wasmTypeOf(type));
  }

  #choose(test: Scalar, yes: WasmCode, no: WasmCode, type: WasmType = "i32"): WasmCode {
    return [this.code(test), ["if", "$", type], yes, ["else"], no, ["end"]];
  }

  #typeOf(column: number): ColumnType {
    const type = this.#columnTypes[column];
    if (type === undefined) throw new RangeError(`The kernel has no column ${column}`);
    return type;
  }

  #number(scalar: Scalar & { op: "word" | "long" | "float" }): WasmCode {
    return this.#rowValue(scalar, () => readNumber(scalar, this.#typeOf(scalar.column)));
  }

  /** Reads the row of a column, or its local. */
  #rowValue(scalar: Scalar, read: () => WasmCode): WasmCode {
    const name = this.#rowValues.get(scalarKey(scalar));
    return name === undefined ? read() : [["local.get", name]];
  }
}

/** The most operations of a value that is computed whether it is needed or not. */
const MAX_CHEAP = 6;

/** The operations that count for the bit of a row. */
const BIT_OPERATIONS = 3;

/**
 * Whether a scalar reads nothing but the row of columns, cannot trap, and costs less than a
 * mispredicted branch.
 */
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
    case "convert":
    case "select":
    case "word":
    case "long":
    case "float":
      break;
    case "bit":
    case "valid":
      return budget - BIT_OPERATIONS;
    case "binary":
      if (isDivision(scalar.fn) && scalar.type !== "f64") return -1;
      if (scalar.fn.startsWith("*overflows")) return -1;
      break;
    default:
      return -1;
  }
  return childrenOf(scalar).reduce((left, child) => budgetAfter(child, left), budget - 1);
}
