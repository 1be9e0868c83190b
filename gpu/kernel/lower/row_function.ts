/**
 * Inlines row functions. Statements whose values are known run at compile time; the others become
 * code.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import { InlineLocals } from "./inline_locals.ts";
import type { LowerValue, NullExit, ViewValue } from "./lower_value.ts";
import type { LowerContext } from "./lower_context.ts";
import { evaluateExpression, type ExpressionScope } from "./expression.ts";
import { InlineLoops } from "./loop.ts";
import { scratchPart, type ScratchPlaces, storeScratch } from "./scratch.ts";
import {
  alwaysLeaves,
  assignedNames,
  bodyOf,
  helperOf,
  type RowExpr,
  type RowStmt,
} from "../parse/row_code.ts";
import type { Local } from "./row_locals.ts";
import { constant, int, not } from "../ir/scalar.ts";
import type { LowerSink } from "./sink.ts";
import type { RowFunction } from "../language/row_function.ts";

/** The text and position that a map uses to look at the characters around its own. */
export interface Look {
  readonly text: ViewValue;
  readonly at: Scalar;
}

/** The inputs of a call, and where its results go. */
interface InlineCall {
  readonly fn: RowFunction;
  /** The name in the generated code. Default: the name of the function. */
  readonly name?: string;
  /**
   * The text, list or number that the call works on, or the character of a map. Null for a helper.
   */
  readonly subject: LowerValue | null;
  readonly args: readonly LowerValue[];
  /** The text around the character of a map that looks, and the position of the character in it. */
  readonly look?: Look;
  readonly sink: LowerSink | null;
  readonly onNull: NullExit;
  /** Where the scratch of a helper starts. Other functions get scratch of their own. */
  readonly scratch?: ScratchPlaces;
  /** The variables of a map with state, in the order of its state. */
  readonly state?: readonly Local[];
  /** Emits what `end` does before it returns. */
  readonly onEnd?: () => void;
  /** Bits of the float that the call works on, if it works on one. */
  readonly floatBits?: 16 | 32 | 64;
}

/** Inlines a call. Returns the result of a view or a measure, and null for other kinds. */
export function inlineCall(context: LowerContext, call: InlineCall): LowerValue | null {
  if (call.scratch !== undefined) return inlineBody(context, call, call.scratch);
  return context.scratch.during(call.fn, (places) => inlineBody(context, call, places));
}

function inlineBody(
  context: LowerContext,
  call: InlineCall,
  scratch: ScratchPlaces,
): LowerValue | null {
  const { builder } = context;
  const inliner = new Inliner(context, call, scratch);
  const collected = builder.collect(() =>
    builder.block(call.name ?? call.fn.name, (leave) => inliner.run(builder.depth, leave))
  );
  for (const local of inliner.joinLocals) builder.declare(local);
  builder.splice(collected);
  return inliner.result;
}

/** Inlines a call of a helper, under the name that its caller has for it. */
function inlineHelper(
  context: LowerContext,
  call: Pick<InlineCall, "fn" | "args" | "sink"> & { name: string; scratch: ScratchPlaces },
): LowerValue {
  const result = inlineCall(context, { ...call, subject: null, onNull: () => {} });
  if (result?.is === "scalar") return result;
  // It writes, or no path gets here.
  const { returns } = call.fn;
  const type = returns === "bool" || returns === "i64" || returns === "f64" ? returns : "i32";
  return { is: "scalar", scalar: constant(type, type === "bool" ? false : 0) };
}

class Inliner {
  result: LowerValue | null = null;
  /** The variables in which several returns meet; empty if a single return ends the function. */
  joinLocals: readonly Local[] = [];
  readonly #context: LowerContext;
  readonly #call: InlineCall;
  #leave: () => void = () => {};
  #depth = 0;
  #done = false;
  readonly #locals: InlineLocals;
  readonly #loops: InlineLoops;
  readonly #scope: ExpressionScope;

  constructor(context: LowerContext, call: InlineCall, scratch: ScratchPlaces) {
    this.#context = context;
    this.#call = call;
    this.#locals = new InlineLocals(context);
    this.#loops = new InlineLoops(context, this.#locals, {
      execute: (statements) => this.#execute(statements),
      value: (expr) => this.#value(expr),
      scalar: (expr) => this.#scalar(expr),
    });
    const { fn } = call;
    this.#scope = {
      fn,
      read: (name) => this.#locals.read(name),
      call: (name, args) =>
        inlineHelper(context, { fn: helperOf(fn, name), name, args, scratch, sink: call.sink }),
      scratch: (name) => scratchPart(fn, name, scratch),
    };
  }

  /** Runs the body. At `depth` a return is unconditional; deeper ones leave through `leave`. */
  run(depth: number, leave: () => void): void {
    this.#depth = depth;
    this.#leave = leave;
    const { subject, subjectHigh, look, params, state, statements } = bodyOf(this.#call.fn);
    state.forEach(({ name }, index) => {
      const variable = this.#call.state?.[index];
      if (variable !== undefined) this.#locals.bindVariable(name, variable);
    });
    const { subject: given } = this.#call;
    if (given?.is === "wide") {
      this.#locals.bind(subject, { is: "scalar", scalar: given.low });
      this.#locals.bind(subjectHigh, { is: "scalar", scalar: given.high });
    } else if (given !== null) {
      this.#locals.bind(subject, given);
    }
    const { look: around } = this.#call;
    if (around !== undefined) {
      this.#locals.bind(look.text, { is: "view", view: around.text });
      this.#locals.bind(look.at, { is: "scalar", scalar: around.at });
    }
    params.forEach((name, index) => {
      const arg = this.#call.args[index];
      if (arg !== undefined) this.#locals.bind(name, arg);
    });
    this.#execute(statements);
  }

  #execute(statements: readonly RowStmt[]): void {
    for (const [index, statement] of statements.entries()) {
      if (this.#done || this.#context.builder.dead) return;
      if (statement.do === "if") {
        // The side that continues takes the remaining statements, which saves a level of nesting.
        this.#if(statement, statements.slice(index + 1));
        return;
      }
      this.#statement(statement);
    }
  }

  #statement(statement: Exclude<RowStmt, { do: "if" }>): void {
    const { builder } = this.#context;
    switch (statement.do) {
      case "let":
        return this.#locals.bind(statement.name, this.#value(statement.value));
      case "set":
        return this.#locals.set(statement.name, this.#value(statement.value));
      case "loop":
        return this.#loops.run(statement);
      case "break":
        return this.#loops.leave();
      case "continue":
        return this.#loops.next();
      case "return":
        return this.#return(this.#returned(statement));
      case "end":
        this.#call.onEnd?.();
        return this.#return(null);
      case "returnNull":
        if (builder.depth === this.#depth) this.#done = true;
        return this.#call.onNull();
      case "put":
        return this.#call.sink?.put(this.#scalar(statement.char));
      case "copy": {
        const value = this.#value(statement.view);
        if (value.is === "view") this.#call.sink?.copy(value.view);
        return;
      }
      case "repeat": {
        const value = this.#value(statement.view);
        const count = this.#scalar(statement.count);
        if (value.is === "view") this.#call.sink?.repeat(value.view, count);
        return;
      }
      case "hostCall":
        return this.#hostCall(statement);
      case "store": {
        const at = this.#scalar(statement.at);
        const part = this.#scope.scratch(statement.scratch);
        return storeScratch(builder, part, at, this.#scalar(statement.value));
      }
      case "call":
        this.#value(statement.call);
        return;
      case "item": {
        const value = this.#value(statement.value);
        if (value.is === "view") this.#call.sink?.item?.(value.view);
        else if (value.is === "scalar") this.#call.sink?.number?.(value.scalar);
        return;
      }
      case "endItem":
        this.#call.sink?.endItem?.();
    }
  }

  #hostCall({ name, args }: RowStmt & { do: "hostCall" }): void {
    let view: ViewValue | null = null;
    const scalars: Scalar[] = [];
    for (const arg of args) {
      const value = this.#value(arg);
      if (value.is === "view") view = value.view;
      if (value.is !== "scalar") continue;
      scalars.push(value.scalar);
      if (value.scalar.type === "f64") scalars.push(int(this.#call.floatBits ?? 64));
    }
    this.#call.sink?.hostCall(name, view, scalars);
  }

  #returned({ value, high }: RowStmt & { do: "return" }): LowerValue | null {
    if (value === undefined) return null;
    if (high === undefined) return this.#value(value);
    const { builder } = this.#context;
    const low = builder.stable("low", this.#scalar(value));
    return { is: "wide", low, high: builder.stable("high", this.#scalar(high)) };
  }

  #value(expr: RowExpr): LowerValue {
    return evaluateExpression(this.#context, this.#scope, expr);
  }

  #scalar(expr: RowExpr): Scalar {
    const value = this.#value(expr);
    return value.is === "scalar" ? value.scalar : int(0);
  }

  #if(statement: RowStmt & { do: "if" }, rest: readonly RowStmt[]): void {
    const { builder } = this.#context;
    const test = this.#scalar(statement.test);
    if (test.op === "const") {
      this.#execute(test.value === true ? statement.then : statement.else);
      return this.#execute(rest);
    }
    const thenLeaves = alwaysLeaves(statement.then);
    if (thenLeaves || alwaysLeaves(statement.else)) {
      const leaving = thenLeaves ? statement.then : statement.else;
      builder.if(thenLeaves ? test : not(test), () => this.#branch(leaving));
      this.#execute(thenLeaves ? statement.else : statement.then);
      return this.#execute(rest);
    }
    this.#locals.makeVariables(assignedNames([statement]));
    builder.if(
      test,
      () => this.#branch(statement.then),
      () => this.#branch(statement.else),
    );
    this.#execute(rest);
  }

  /** Runs statements in a scope of their own; control may or may not continue after them. */
  #branch(statements: readonly RowStmt[]): void {
    this.#locals.scoped(() => this.#execute(statements));
  }

  #return(value: LowerValue | null): void {
    const { builder } = this.#context;
    const isLast = builder.depth === this.#depth;
    if (isLast) this.#done = true;
    if (value !== null) {
      if (isLast && this.joinLocals.length === 0) {
        this.result = value;
        return;
      }
      this.#joinWith(value);
    }
    if (!isLast) this.#leave();
  }

  /** Assigns the result to the variables in which the returns meet. */
  #joinWith(value: LowerValue): void {
    const { builder } = this.#context;
    if (value.is === "list") return;
    const parts = value.is === "scalar"
      ? [value.scalar]
      : value.is === "wide"
      ? [value.low, value.high]
      : [value.view.start, value.view.stop];
    if (this.joinLocals.length === 0) {
      const locals = parts.map((part) =>
        builder.reserve(this.#call.name ?? this.#call.fn.name, part.type)
      );
      this.joinLocals = locals;
      const [first, second] = locals;
      if (value.is === "scalar" && first !== undefined) {
        this.result = { is: "scalar", scalar: first };
      } else if (value.is === "wide" && first !== undefined && second !== undefined) {
        this.result = { is: "wide", low: first, high: second };
      } else if (value.is === "view" && first !== undefined && second !== undefined) {
        this.result = { is: "view", view: { ...value.view, start: first, stop: second } };
      }
    }
    this.joinLocals.forEach((local, index) => builder.set(local, parts[index] ?? local));
  }
}
