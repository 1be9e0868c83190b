/** @module */

import { byteWidth } from "../../../column/column.ts";
import { arrayName } from "../host/calling_convention.ts";
import { WasmScope } from "./scalar.ts";
import { mapCode, matchCode, skipCode } from "./byte_loop.ts";
import { countCode, walkCode } from "./characters.ts";
import { canSeek, LATEST, type PassCode, passCode, seekCode } from "./seek.ts";
import { WasmText } from "./text.ts";
import type { KnownSeek, RowKernel, Scalar, Stmt } from "../../ir/ir.ts";
import { nullColumnsOf } from "../../ir/null_columns.ts";
import { putsAt } from "../../ir/visit.ts";

import { wasm, type WasmCode, type WasmInstruction } from "./instructions.ts";
import type { WasmType } from "./module.ts";

/** The code about the nulls of all rows. */
interface NullsCode {
  /** What stands before all rows. */
  readonly first: WasmCode;
  /** What leaves how many of the rows that were computed are null. */
  readonly count: WasmCode;
}

/** Prints the statements of one row. */
export class WasmStatements {
  readonly #kernel: RowKernel;
  readonly #scope: WasmScope;
  readonly #text: WasmText;
  /** A search without which rows are passed over. */
  readonly #needed: KnownSeek | null;
  /** The columns that say which rows are null, if these do. */
  readonly #nullColumns: readonly number[] | null;

  constructor(kernel: RowKernel) {
    const { neededSeek } = kernel;
    this.#needed = neededSeek !== undefined && canSeek(neededSeek) ? neededSeek : null;
    this.#nullColumns = nullColumnsOf(kernel.body);
    this.#kernel = kernel;
    this.#scope = new WasmScope(kernel.columnTypes);
    this.#text = new WasmText(this.#scope);
  }

  /** Locals that the code uses, besides those of the row. */
  get locals(): (readonly [string, WasmType])[] {
    return [...this.#scope.locals];
  }

  /** The code that passes over rows; none where each is to be computed. */
  passCode(): PassCode {
    return this.#needed === null ? { first: [], each: [] } : passCode(this.#needed, this.#scope);
  }

  /** Constants, which stand before all rows. */
  get constants(): readonly WasmInstruction[] {
    return this.#scope.constants;
  }

  /** Names of the helpers that the code calls. */
  get calls(): ReadonlySet<string> {
    return this.#scope.calls;
  }

  /** The code of statements. */
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
        this.#scope.local(statement.name);
        return [this.#scalar(statement.value), ["local.set", statement.name]];
      case "set":
        return [this.#scalar(statement.value), ["local.set", statement.name]];
      case "if":
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

  #scalar(scalar: Scalar): WasmCode {
    return this.#scope.code(scalar);
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

  /** The code of a loop for which there is a better way than to go round. */
  #idiom(loop: Stmt & { do: "loop" }): WasmCode | null {
    switch (loop.idiom?.does) {
      case "seek": {
        const { idiom } = loop;
        return canSeek(idiom) ? seekCode(idiom, this.#scalar(idiom.last), this.#scope) : null;
      }
      case "count":
        return countCode(loop.idiom, this.#scope);
      case "walk":
        return walkCode(loop.idiom, this.#scope);
      case "skip":
        return skipCode(loop.idiom, this.#scope);
      case "match":
        return matchCode(loop.idiom, this.#scope);
      case "map":
        return mapCode(loop.idiom, this.#scope);
      default:
        return null;
    }
  }

  #result(words: readonly Scalar[]): WasmCode {
    const { type } = this.#kernel;
    if (type.kind === "bool") {
      return words.map((word) =>
        wasm`
          ${bitByte("$result")}
          ${bitByte("$result")}; i32.load8_u 0
          ${this.#scalar(word)}; ${this.#needed === null ? [] : wasm`local.tee ${LATEST}`}
          local.get $row; i32.const 7; i32.and; i32.shl; i32.or; i32.store8 0
        `
      );
    }
    const width = byteWidth(type);
    const store = width === 1 ? "i32.store8" : width === 2 ? "i32.store16" : "i32.store";
    return words.map((word, index) =>
      wasm`
        local.get $result; local.get $row; i32.const ${width}; i32.mul; i32.add
        ${this.#scalar(word)}; ${store} ${4 * index}
      `
    );
  }

  /** The code that says which rows are null, for kernels that know it of all rows at once. */
  nullsCode(): NullsCode {
    if (this.#nullColumns === null) return { first: [], count: wasm`local.get $nulls` };
    const firstRow = this.#scope.local("$firstRow");
    for (const helper of ["andBits", "countUnset"]) this.#scope.calls.add(helper);
    const bits = this.#nullColumns.map((column) =>
      wasm`
        local.get $validity; local.get ${arrayName({ array: "validity", column })}
        local.get $rows; call andBits
      `
    );
    return {
      first: wasm`local.get $row; local.set ${firstRow}; ${bits}`,
      count: wasm`local.get $validity; local.get ${firstRow}; local.get $row; call countUnset`,
    };
  }

  #null(): WasmCode {
    const isText = this.#kernel.type.kind === "string";
    if (this.#nullColumns !== null) {
      return wasm`${isText ? wasm`local.get $begin; local.set $at` : []}; br $body`;
    }
    return wasm`
      local.get $nulls; i32.const 1; i32.add; local.set $nulls
      ${bitByte("$validity")}
      ${bitByte("$validity")}; i32.load8_u 0
      i32.const 1; local.get $row; i32.const 7; i32.and; i32.shl; i32.const -1; i32.xor
      i32.and; i32.store8 0
      ${isText ? wasm`local.get $begin; local.set $at` : []}
      br $body
    `;
  }
}

/** The label that ends a round of a loop. */
function roundOf(label: string): string {
  return `${label}$round`;
}

/** The place of the byte of a bitmap in which the row has its bit. */
function bitByte(place: string): WasmCode {
  return wasm`local.get ${place}; local.get $row; i32.const 3; i32.shr_u; i32.add`;
}
