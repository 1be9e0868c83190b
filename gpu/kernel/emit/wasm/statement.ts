/**
 * Prints statements of the IR as WebAssembly.
 *
 * @module
 */

import { WasmScope, wasmTypeOf } from "./scalar.ts";
import { mapCode, matchCode, skipCode } from "./byte_loop.ts";
import { countCode, walkCode } from "./characters.ts";
import { type NullRows, nullRowsOf, nullsCode, VALID } from "./null_rows.ts";
import { appendBit, bitsCode, RESULT_BITS, setBit, storeWord, VALID_BITS } from "./result.ts";
import { canSeek, type PassCode, passCode, seekCode } from "./seek.ts";
import { WasmText } from "./text.ts";
import { nullColumnOf, testedColumnsOf } from "../../ir/null_columns.ts";
import { type FlatCode, flatten } from "../host/flatten.ts";
import type { KnownSeek, RowKernel, Scalar, Stmt } from "../../ir/ir.ts";
import { and } from "../../ir/scalar.ts";
import { putsAt, someStatement } from "../../ir/visit.ts";

import { wasm, type WasmCode, type WasmInstruction } from "../../../wasm/instructions.ts";
import type { WasmType } from "../../../wasm/module.ts";

/** Prints the statements of one row. */
export class WasmStatements {
  readonly #kernel: RowKernel;
  readonly scope: WasmScope;
  readonly #text: WasmText;
  /** A search without whose hit a row is skipped. */
  readonly #needed: KnownSeek | null;
  readonly #nulls: NullRows;
  /** The code without branches; null if it keeps them. */
  readonly #flat: FlatCode | null;
  /** Whether every row that is not skipped has a result. */
  readonly #everyRow: boolean;
  /** Where null rows are computed: the columns whose nulls would end a row before this place. */
  readonly #tested: number[] = [];

  constructor(kernel: RowKernel) {
    const { neededSeek } = kernel;
    this.#flat = flatten(kernel);
    this.#nulls = this.#flat === null ? nullRowsOf(kernel) : {
      columns: testedColumnsOf(kernel.body),
      areAll: this.#flat.isValid === null,
      areComputed: true,
      areEmpty: false,
    };
    this.#everyRow = this.#flat !== null || (this.#nulls.areComputed && this.#nulls.areAll) ||
      !someStatement(kernel.body, (statement) => statement.do === "null");
    const isNeeded = neededSeek !== undefined && canSeek(neededSeek) && this.#everyRow;
    this.#needed = isNeeded ? neededSeek : null;
    this.#kernel = kernel;
    this.scope = new WasmScope(kernel.columnTypes);
    this.#text = new WasmText(this.scope);
  }

  /** The locals that the code uses, besides those of the row. */
  get locals(): (readonly [string, WasmType])[] {
    return [...this.scope.locals];
  }

  /** Returns the code that skips rows; empty if each row is computed. */
  passCode(): PassCode {
    return this.#needed === null ? { first: [], each: [] } : passCode(this.#needed, this.scope);
  }

  /** Returns the code for the bits of all rows. */
  bitsCode(): ReturnType<typeof bitsCode> {
    const isBits = this.#kernel.type.kind === "bool" && this.#everyRow;
    const runs = [
      ...isBits ? [RESULT_BITS] : [],
      ...this.#flat?.isValid ? [VALID_BITS] : [],
    ].map((run) => bitsCode(run, this.scope));
    return { first: runs.map(({ first }) => first), last: runs.map(({ last }) => last) };
  }

  /** The statements of a row that are printed. */
  get body(): readonly Stmt[] {
    if (this.#flat === null) return this.#kernel.body;
    const { statements, value, isValid } = this.#flat;
    const valid: Stmt[] = isValid === null
      ? []
      : [{ do: "let", name: ROW_VALID, type: "bool", value: isValid }];
    return [...statements, ...valid, { do: "result", words: [value] }];
  }

  /** Returns the code of a row. */
  rowCode(): WasmCode {
    return [
      this.code(this.body),
      this.#flat?.isValid ? appendBit(wasm`local.get ${ROW_VALID}`, VALID_BITS, this.scope) : [],
    ];
  }

  /** The nulls of the kernel. */
  get nulls(): NullRows {
    return this.#nulls;
  }

  /** Returns the code for the nulls of all rows. */
  nullsCode(): ReturnType<typeof nullsCode> {
    return nullsCode(this.#nulls, this.#kernel.type, this.scope);
  }

  /** Constants, which come before all rows. */
  get constants(): readonly WasmInstruction[] {
    return this.scope.constants;
  }

  /** The names of the helpers that the code calls. */
  get calls(): ReadonlySet<string> {
    return this.scope.calls;
  }

  /** Returns the code of statements. */
  code(statements: readonly Stmt[]): WasmCode {
    const code: WasmCode[] = [];
    for (let index = 0; index < statements.length; index++) {
      const puts = putsAt(statements, index);
      if (puts.length > 0) {
        code.push(this.#text.puts(puts));
        index += puts.length - 1;
      } else {
        code.push(this.#statement(statements[index]!));
      }
    }
    return code;
  }

  #statement(statement: Stmt): WasmCode {
    switch (statement.do) {
      case "let":
        this.scope.local(statement.name, wasmTypeOf(statement.type));
        return [this.#scalar(statement.value), ["local.set", statement.name]];
      case "set":
        return [this.#scalar(statement.value), ["local.set", statement.name]];
      case "if":
        if (this.#nulls.areComputed && this.#isNullTest(statement)) return [];
        if (isFailure(statement) && this.#tested.length === 0) {
          return [this.#scalar(statement.test), ["br_if", "$full"]];
        }
        return [
          this.#scalar(statement.test),
          ["if", "$"],
          this.code(statement.then),
          ...(statement.else.length > 0 ? [["else"] as const, this.code(statement.else)] : []),
          ["end"],
        ];
      case "loop":
        return this.#loop(statement);
      case "block":
        return [["block", statement.label], this.code(statement.body), ["end"]];
      case "break":
        return [["br", statement.label]];
      case "continue":
        return [["br", roundOf(statement.label)]];
      case "copy":
        return this.#text.copy(statement);
      case "repeat":
        return this.#text.repeat(statement);
      case "checkRepeat":
        return this.#text.checkRepeat(statement);
      case "store":
        return wasm`
          local.get $scratch; ${this.#scalar(statement.at)}; i32.const 2; i32.shl; i32.add
          ${this.#scalar(statement.value)}; i32.store 0
        `;
      case "result":
        return this.#result(statement.words);
      case "fail":
        return this.#fail();
      case "null":
        return this.#null();
      case "put":
        return this.#text.puts([statement]);
      case "hostCall":
      case "beginItem":
      case "endItem":
      case "number":
        throw new RangeError(`Kernels of WebAssembly have no ${statement.do}`);
    }
  }

  /** Whether a statement ends the row where a column is null, whose bits are known; notes the column. */
  #isNullTest(statement: Stmt): boolean {
    const column = this.#kernel.body.includes(statement) ? nullColumnOf(statement) : null;
    if (column !== null) this.#tested.push(column);
    return column !== null;
  }

  /**
   * Stops in front of the row, for JavaScript to compute it. A null row that would not have got here
   * goes on.
   */
  #fail(): WasmCode {
    if (this.#tested.length === 0) return [["br", "$full"]];
    const isValid = (column: number): Scalar => ({ op: "valid", type: "bool", column });
    return [this.#scalar(and(...this.#tested.map(isValid))), ["br_if", "$full"]];
  }

  #scalar(scalar: Scalar): WasmCode {
    return this.scope.code(scalar);
  }

  #loop(loop: Stmt & { do: "loop" }): WasmCode {
    const code = this.#idiom(loop);
    if (code !== null) return code;
    const { label, test, body, update } = loop;
    const again = `${label}$again`;
    return wasm`
      block ${label}
        ${this.#scalar(test)}; i32.eqz; br_if ${label}
        loop ${again}
          block ${roundOf(label)}
            ${this.code(body)}
          end
          ${this.code(update)}
          ${this.#scalar(test)}; br_if ${again}
        end
      end
    `;
  }

  /** Returns better code for a loop that is a known idiom; null for other loops. */
  #idiom(loop: Stmt & { do: "loop" }): WasmCode | null {
    switch (loop.idiom?.does) {
      case "seek": {
        const { idiom } = loop;
        return canSeek(idiom) ? seekCode(idiom, this.#scalar(idiom.last), this.scope) : null;
      }
      case "count":
        return countCode(loop.idiom, this.scope);
      case "walk":
        return walkCode(loop.idiom, this.scope);
      case "skip":
        return skipCode(loop.idiom, this.scope);
      case "match":
        return matchCode(loop.idiom, this.scope);
      case "map":
        return mapCode(loop.idiom, this.scope);
      default:
        return null;
    }
  }

  #result(words: readonly Scalar[]): WasmCode {
    const { type } = this.#kernel;
    return words.map((word, index) => {
      if (type.kind === "bool") {
        const value = this.#scalar(word);
        if (!this.#everyRow) return setBit(value);
        const bit = this.#flat?.isValid ? wasm`${value}; local.get ${ROW_VALID}; i32.and` : value;
        return appendBit(bit, RESULT_BITS, this.scope);
      }
      return storeWord(type, word, index, this.#mask(), this.scope);
    });
  }

  /** Returns code that leaves an i32 with all bits set if the row is not null, and none if it is. */
  #mask(): WasmCode | null {
    if (!this.#nulls.areComputed) return null;
    const byColumns = this.#nulls.columns?.length ? wasm`local.get ${VALID}` : null;
    if (!this.#flat?.isValid) return byColumns;
    const byCode = wasm`i32.const 0; local.get ${ROW_VALID}; i32.sub`;
    return byColumns === null ? byCode : wasm`${byColumns}; ${byCode}; i32.and`;
  }

  #null(): WasmCode {
    const isText = this.#kernel.type.kind === "string";
    const leave = wasm`${isText ? wasm`local.get $begin; local.set $at` : []}; br $body`;
    // The columns have said it.
    if (this.#nulls.areAll) return leave;
    const byte = wasm`local.get $validity; local.get $row; i32.const 3; i32.shr_u; i32.add`;
    return wasm`
      ${this.#nulls.columns !== null ? [] : COUNT_NULL}
      ${byte}
      ${byte}; i32.load8_u 0
      i32.const 1; local.get $row; i32.const 7; i32.and; i32.shl; i32.const -1; i32.xor
      i32.and; i32.store8 0
      ${leave}
    `;
  }
}

/** The local that says whether a row of code without branches has a value. */
const ROW_VALID = "$rowValid";

/** Counts the row as null, where bits are not counted after all rows. */
const COUNT_NULL = wasm`local.get $nulls; i32.const 1; i32.add; local.set $nulls`;

/** Whether a statement only tests for a failure. */
function isFailure({ then, else: other }: Stmt & { do: "if" }): boolean {
  return then.length === 1 && then[0]?.do === "fail" && other.length === 0;
}

/** Returns the label that ends a round of a loop. */
function roundOf(label: string): string {
  return `${label}$round`;
}
