/**
 * Rewrites a kernel without i64, for targets that have none: each becomes two i32, its low and its
 * high half. The order of statements, and what a row computes, stay the same.
 *
 * @module
 */

import type { LoopIdiom, RowKernel, Scalar, Stmt } from "../ir/ir.ts";
import { mapIdiom } from "../ir/loop_idiom.ts";
import { bool, not } from "../ir/scalar.ts";
import { bodiesOf, mapScalars, scalarsOf, visit } from "../ir/visit.ts";
import { HalvedCode, type Local } from "./halved_code.ts";
import { HalvedScalars, hasLong } from "./halved_scalars.ts";
import type { Pair } from "./pair.ts";

type Loop = Stmt & { do: "loop" };

/** What a target has. */
export interface HalveOptions {
  /** Whether it computes with f64. */
  readonly hasFloats: boolean;
}

const withFloats = new WeakMap<RowKernel, RowKernel>();
const withoutFloats = new WeakMap<RowKernel, RowKernel>();

/** Returns a kernel without i64; a kernel that has none is returned as it is. */
export function halve(kernel: RowKernel, { hasFloats }: HalveOptions): RowKernel {
  const known = hasFloats ? withFloats : withoutFloats;
  let result = known.get(kernel);
  if (result === undefined) {
    result = usesLongs(kernel.body)
      ? { ...kernel, body: new BodyHalver(kernel.body, hasFloats).body }
      : kernel;
    known.set(kernel, result);
  }
  return result;
}

/** Whether a body has an i64. */
function usesLongs(body: readonly Stmt[]): boolean {
  return body.some((stmt) => scalarsOf(stmt).some(hasLong) || bodiesOf(stmt).some(usesLongs));
}

class BodyHalver {
  readonly body: readonly Stmt[];
  readonly #code: HalvedCode;
  readonly #scalars: HalvedScalars;
  readonly #assigned = new Set<string>();
  /** The halves of the locals. */
  readonly #locals = new Map<string, Pair>();

  constructor(body: readonly Stmt[], hasFloats: boolean) {
    visit(body, { stmt: (stmt) => void (stmt.do === "set" && this.#assigned.add(stmt.name)) });
    // The halves of a variable change with it.
    const changing = [...this.#assigned].flatMap((name) => [name, lowOf(name), highOf(name)]);
    this.#code = new HalvedCode(hasFloats, new Set(changing));
    this.#scalars = new HalvedScalars(this.#code, (name) => this.#locals.get(name)!);
    this.body = this.#code.collect(() => this.#list(body));
  }

  #list(body: readonly Stmt[]): void {
    for (const stmt of body) this.#statement(stmt);
  }

  #statement(stmt: Stmt): void {
    const code = this.#code;
    this.#scalars.begin();
    switch (stmt.do) {
      case "let":
        if (stmt.type === "i64") return this.#let(stmt.name, stmt.value);
        return code.push({ ...stmt, value: this.#scalar(stmt.value) });
      case "set":
        if (stmt.value.type === "i64") return this.#set(stmt.name, stmt.value);
        return code.push({ ...stmt, value: this.#scalar(stmt.value) });
      case "if":
        return this.#if(stmt);
      case "loop":
        return this.#loop(stmt);
      case "block":
        return code.push({ ...stmt, body: code.collect(() => this.#list(stmt.body)) });
      case "result":
        return code.push({ ...stmt, words: stmt.words.flatMap((word) => this.#words(word)) });
      default:
        return code.push(mapScalars(stmt, (scalar) => this.#scalar(scalar)));
    }
  }

  #scalar(scalar: Scalar): Scalar {
    return this.#scalars.scalar(scalar);
  }

  #words(word: Scalar): readonly Scalar[] {
    if (word.type !== "i64") return [this.#scalar(word)];
    const { low, high } = this.#scalars.pair(word);
    return [low, high];
  }

  #let(name: string, value: Scalar): void {
    const code = this.#code;
    const pair = this.#scalars.pair(value);
    if (this.#assigned.has(name)) {
      const halves: Pair = { low: half(lowOf(name)), high: half(highOf(name)) };
      code.push({ do: "let", name: lowOf(name), type: "i32", value: pair.low });
      code.push({ do: "let", name: highOf(name), type: "i32", value: pair.high });
      this.#locals.set(name, halves);
    } else {
      const [low, high] = [code.keep("low", pair.low), code.keep("high", pair.high)];
      this.#locals.set(name, { ...pair, low, high });
    }
  }

  #set(name: string, value: Scalar): void {
    const { low, high } = this.#scalars.pair(value);
    // The low half is set first.
    const last = high.op === "local" && high.name === lowOf(name)
      ? this.#code.variable("high", high)
      : high;
    this.#code.set(half(lowOf(name)), low);
    this.#code.set(half(highOf(name)), last);
  }

  #if(stmt: Stmt & { do: "if" }): void {
    const code = this.#code;
    const test = this.#scalar(stmt.test);
    if (test.op === "const") return this.#list(test.value === true ? stmt.then : stmt.else);
    code.if(test, () => this.#list(stmt.then), () => this.#list(stmt.else));
  }

  /** A test that needs statements moves to the start of each round. */
  #loop(loop: Loop): void {
    const code = this.#code;
    let test: Scalar = bool(true);
    const body = code.collect(() => {
      const holds = this.#scalar(loop.test);
      if (code.isEmpty) test = holds;
      else code.if(not(holds), () => code.push({ do: "break", label: loop.label }));
      this.#list(loop.body);
    });
    const update = code.collect(() => this.#list(loop.update));
    const { idiom, ...rest } = loop;
    const kept = idiom && this.#idiom(idiom);
    code.push({ ...rest, test, body, update, ...(kept && { idiom: kept }) });
  }

  /** Returns the same idiom; undefined if its scalars need statements, which have no place. */
  #idiom(idiom: LoopIdiom): LoopIdiom | undefined {
    let hasLongs = false;
    mapIdiom(idiom, (scalar) => {
      hasLongs ||= hasLong(scalar);
      return scalar;
    });
    if (!hasLongs) return idiom;
    let mapped = idiom;
    this.#scalars.begin();
    const statements = this.#code.collect(() => {
      mapped = mapIdiom(idiom, (scalar) => this.#scalar(scalar));
    });
    return statements.length === 0 ? mapped : undefined;
  }
}

function lowOf(name: string): string {
  return `${name}$low`;
}

function highOf(name: string): string {
  return `${name}$high`;
}

function half(name: string): Local {
  return { op: "local", type: "i32", name };
}
