/** @module */

import { byteWidth } from "../column.ts";
import { spacePlace, WasmScalars } from "./emit_wasm_scalar.ts";
import { canSeek, seekCode, seekConstants } from "./emit_wasm_seek.ts";
import type { RowKernel, Scalar, Seek, Space, Stmt } from "./ir.ts";
import { MAX_REPEATED_BYTES } from "./repeat_limit.ts";
import { binary, constantOf } from "./scalar.ts";
import type { WasmInstruction } from "./wasm_instructions.ts";
import type { WasmType } from "./wasm_module.ts";

/** Bytes that a copy in place moves at once, needed or not. */
const COPIED_BYTES = 32;
/** Bytes of a repeated byte that are written in place. */
const FILLED_BYTES = 16;

/** Prints the statements of one row. */
export class WasmStatements {
  readonly #kernel: RowKernel;
  readonly #scalars: WasmScalars;
  /** What stands before all rows. */
  readonly constants: WasmInstruction[] = [];
  readonly #locals = new Map<string, WasmType>();

  constructor(kernel: RowKernel) {
    this.#kernel = kernel;
    this.#scalars = new WasmScalars(kernel.columnTypes);
  }

  /** Locals that the code uses, besides those of the row. */
  get locals(): (readonly [string, WasmType])[] {
    return [...this.#locals];
  }

  /** Names of the helpers that the code calls. */
  get calls(): ReadonlySet<string> {
    return this.#scalars.calls;
  }

  /** The code of statements. */
  code(statements: readonly Stmt[]): WasmInstruction[] {
    const code: WasmInstruction[] = [];
    for (let index = 0; index < statements.length; index++) {
      const rest = statements.slice(index);
      const puts = rest.slice(0, rest.findIndex((next) => next.do !== "put") >>> 0);
      const statement = statements[index]!;
      if (puts.length > 0) {
        code.push(...this.#puts(puts));
        index += puts.length - 1;
      } else {
        code.push(...this.#statement(statement));
      }
    }
    return code;
  }

  #statement(statement: Stmt): WasmInstruction[] {
    switch (statement.do) {
      case "let":
        this.#locals.set(statement.name, "i32");
        return [...this.#scalar(statement.value), ["local.set", statement.name]];
      case "set":
        return [...this.#scalar(statement.value), ["local.set", statement.name]];
      case "if":
        return [
          ...this.#scalar(statement.test),
          ["if", "$"],
          ...this.code(statement.then),
          ...(statement.else.length > 0 ? [["else"] as const, ...this.code(statement.else)] : []),
          ["end"],
        ];
      case "loop":
        return this.#loop(statement);
      case "block":
        return [["block", statement.label], ...this.code(statement.body), ["end"]];
      case "break":
        return [["br", statement.label]];
      case "continue":
        return [["br", roundOf(statement.label)]];
      case "copy":
        return this.#copy(statement);
      case "repeat":
        return this.#repeat(statement);
      case "checkRepeat":
        return [
          ...this.#product(statement.size, statement.count),
          ["i32.const", MAX_REPEATED_BYTES],
          ...ROW_BYTES,
          ["i32.sub"],
          ["i64.extend_i32_s"],
          ["i64.gt_s"],
          ["br_if", "$full"],
        ];
      case "store":
        return [
          ["local.get", "$scratch"],
          ...this.#scalar(statement.at),
          ["i32.const", 2],
          ["i32.shl"],
          ["i32.add"],
          ...this.#scalar(statement.value),
          ["i32.store", 0],
        ];
      case "result":
        return this.#result(statement.words);
      case "null":
        return this.#null();
      default:
        throw new RangeError(`Kernels of WebAssembly have no ${statement.do}`);
    }
  }

  #scalar(scalar: Scalar): WasmInstruction[] {
    return this.#scalars.code(scalar);
  }

  /** A local of this emitter, by its name. */
  #local(name: string, type: WasmType = "i32"): string {
    this.#locals.set(name, type);
    return name;
  }

  #loop(loop: Stmt & { do: "loop" }): WasmInstruction[] {
    if (loop.seek !== undefined && canSeek(loop.seek)) return this.#seek(loop.seek);
    const { label, test, body, update } = loop;
    const again = `${label}$again`;
    return [
      ["block", label],
      ...this.#scalar(test),
      ["i32.eqz"],
      ["br_if", label],
      ["loop", again],
      ["block", roundOf(label)],
      ...this.code(body),
      ["end"],
      ...this.code(update),
      ...this.#scalar(test),
      ["br_if", again],
      ["end"],
      ["end"],
    ];
  }

  #seek(seek: Seek): WasmInstruction[] {
    const names = {
      place: this.#local("$place"),
      last: this.#local("$last"),
      mask: this.#local("$mask"),
      candidate: this.#local("$candidate"),
    };
    for (const [name, code] of seekConstants(seek)) {
      if (this.#locals.has(name)) continue;
      this.constants.push(code, ["local.set", this.#local(name, "v128")]);
    }
    return seekCode(seek, this.#scalar(seek.last), names);
  }

  #puts(puts: readonly Stmt[]): WasmInstruction[] {
    const code: WasmInstruction[] = [...LEFT, ["i32.const", puts.length], ["i32.lt_s"], [
      "br_if",
      "$full",
    ]];
    puts.forEach((put, index) => {
      if (put.do !== "put") return;
      code.push(["local.get", "$at"], ...this.#scalar(put.byte), ["i32.store8", index]);
    });
    return [...code, ["local.get", "$at"], ["i32.const", puts.length], ["i32.add"], [
      "local.set",
      "$at",
    ]];
  }

  /** Whole words, whatever the size: a loop over a few bytes takes longer. */
  #copy({ space, start, stop }: Stmt & { do: "copy" }): WasmInstruction[] {
    const size = binary("-", stop, start);
    const from = this.#local("$from");
    const bytes = this.#local("$bytes");
    const known = constantOf(size);
    const words = (count: number): WasmInstruction[] =>
      Array.from({ length: count }, (_, word): WasmInstruction[] => [
        ["local.get", "$at"],
        ["local.get", from],
        ["v128.load", 16 * word],
        ["v128.store", 16 * word],
      ]).flat();
    return [
      ...this.#placeOf(space, start),
      ["local.set", from],
      ...this.#scalar(size),
      ["local.tee", bytes],
      ...LEFT,
      ["i32.gt_s"],
      ["br_if", "$full"],
      ...(known !== undefined && Number(known) <= COPIED_BYTES
        ? words(Math.ceil(Number(known) / 16))
        : this.#copyAny(from, bytes, words(COPIED_BYTES / 16))),
      ["local.get", "$at"],
      ["local.get", bytes],
      ["i32.add"],
      ["local.set", "$at"],
    ];
  }

  #copyAny(from: string, bytes: string, words: readonly WasmInstruction[]): WasmInstruction[] {
    this.#scalars.calls.add("copy");
    return [
      ["local.get", bytes],
      ["i32.const", COPIED_BYTES],
      ["i32.le_s"],
      ["if", "$"],
      ...words,
      ["else"],
      ["local.get", "$at"],
      ["local.get", from],
      ["local.get", bytes],
      ["call", "copy"],
      ["end"],
    ];
  }

  #repeat({ space, start, stop, count }: Stmt & { do: "repeat" }): WasmInstruction[] {
    const size = binary("-", stop, start);
    const from = this.#local("$from");
    const bytes = this.#local("$bytes");
    this.#scalars.calls.add("repeat");
    const call: WasmInstruction[] = [
      ["local.get", "$at"],
      ["local.get", from],
      ...this.#scalar(size),
      ["local.get", "$at"],
      ["local.get", bytes],
      ["i32.add"],
      ["call", "repeat"],
    ];
    return [
      ["block", "$repeat"],
      ...this.#scalar(size),
      ["i32.const", 0],
      ["i32.le_s"],
      ["br_if", "$repeat"],
      ...this.#scalar(count),
      ["i32.const", 0],
      ["i32.le_s"],
      ["br_if", "$repeat"],
      // What is too much for a row is more than fits as well.
      ...this.#product(size, count),
      ...LEFT,
      ["i64.extend_i32_s"],
      ["i64.gt_s"],
      ["br_if", "$full"],
      ...this.#placeOf(space, start),
      ["local.set", from],
      ...this.#scalar(binary("*", size, count)),
      ["local.set", bytes],
      ...(constantOf(size) === 1 ? fillCode(from, bytes, call) : call),
      ["local.get", "$at"],
      ["local.get", bytes],
      ["i32.add"],
      ["local.set", "$at"],
      ["end"],
    ];
  }

  #placeOf(space: Space, at: Scalar): WasmInstruction[] {
    return [["local.get", spacePlace(space)], ...this.#scalar(at), ["i32.add"]];
  }

  /** A product of 64 bits. */
  #product(left: Scalar, right: Scalar): WasmInstruction[] {
    return [
      ...this.#scalar(left),
      ["i64.extend_i32_s"],
      ...this.#scalar(right),
      ["i64.extend_i32_s"],
      ["i64.mul"],
    ];
  }

  #result(words: readonly Scalar[]): WasmInstruction[] {
    const { type } = this.#kernel;
    if (type.kind === "bool") {
      return words.flatMap((word) => [
        ...BIT_BYTE("$result"),
        ...BIT_BYTE("$result"),
        ["i32.load8_u", 0],
        ...this.#scalar(word),
        ...BIT_NUMBER,
        ["i32.shl"],
        ["i32.or"],
        ["i32.store8", 0],
      ]);
    }
    const width = byteWidth(type);
    const store = width === 1 ? "i32.store8" : width === 2 ? "i32.store16" : "i32.store";
    return words.flatMap((word, index) => [
      ["local.get", "$result"],
      ["local.get", "$row"],
      ["i32.const", width],
      ["i32.mul"],
      ["i32.add"],
      ...this.#scalar(word),
      [store, 4 * index],
    ]);
  }

  #null(): WasmInstruction[] {
    const code: WasmInstruction[] = [
      ["local.get", "$nulls"],
      ["i32.const", 1],
      ["i32.add"],
      ["local.set", "$nulls"],
      ...BIT_BYTE("$validity"),
      ...BIT_BYTE("$validity"),
      ["i32.load8_u", 0],
      ["i32.const", 1],
      ...BIT_NUMBER,
      ["i32.shl"],
      ["i32.const", -1],
      ["i32.xor"],
      ["i32.and"],
      ["i32.store8", 0],
    ];
    if (this.#kernel.type.kind === "string") {
      code.push(["local.get", "$begin"], ["local.set", "$at"]);
    }
    return [...code, ["br", "$body"]];
  }
}

/** The label that ends a round of a loop. */
function roundOf(label: string): string {
  return `${label}$round`;
}

/** Bytes for which there is room. */
const LEFT: readonly WasmInstruction[] = [
  ["local.get", "$limit"],
  ["local.get", "$at"],
  ["i32.sub"],
];

/** Bytes of text that the row has so far. */
const ROW_BYTES: readonly WasmInstruction[] = [
  ["local.get", "$at"],
  ["local.get", "$begin"],
  ["i32.sub"],
];

/** The place of the byte of a bitmap in which the row has its bit. */
function BIT_BYTE(place: string): WasmInstruction[] {
  return [["local.get", place], ["local.get", "$row"], ["i32.const", 3], ["i32.shr_u"], [
    "i32.add",
  ]];
}

const BIT_NUMBER: readonly WasmInstruction[] = [
  ["local.get", "$row"],
  ["i32.const", 7],
  ["i32.and"],
];

/** Writes a byte several times: a few of them as one word. */
function fillCode(
  from: string,
  bytes: string,
  otherwise: readonly WasmInstruction[],
): WasmInstruction[] {
  return [
    ["local.get", bytes],
    ["i32.const", FILLED_BYTES],
    ["i32.le_s"],
    ["if", "$"],
    ["local.get", "$at"],
    ["local.get", from],
    ["i32.load8_u", 0],
    ["i8x16.splat"],
    ["v128.store", 0],
    ["else"],
    ...otherwise,
    ["end"],
  ];
}
