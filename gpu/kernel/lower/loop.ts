/**
 * Lowers loops of row functions: unrolls them, recognizes their idiom, or keeps them as loops.
 *
 * @module
 */

import type { InlineLocals } from "./inline_locals.ts";
import type { LowerValue } from "./lower_value.ts";
import type { Scalar } from "../ir/ir.ts";
import type { LowerContext } from "./lower_context.ts";
import { passAscii } from "./pass_ascii.ts";
import { sizeOf, within } from "./view.ts";
import {
  assignedNames,
  conjuncts,
  hasJump,
  type RowExpr,
  type RowLoop,
  type RowStmt,
} from "../parse/row_code.ts";
import { and, binary, bool, int, not } from "../ir/scalar.ts";
import { numStatements } from "../ir/visit.ts";
import {
  type BackwardLoop,
  backwardLoopOf,
  type CharacterLoop,
  characterLoopOf,
  passedBack,
} from "./character_loop.ts";

/** The most rounds of a loop that is unrolled. */
const MAX_ROUNDS = 16;
/** The most statements of an unrolled loop. */
const MAX_UNROLLED_STATEMENTS = 256;

/** The functions that inline the contents of a loop. */
interface LoopBody {
  execute(statements: readonly RowStmt[]): void;
  value(expr: RowExpr): LowerValue;
  scalar(expr: RowExpr): Scalar;
}

interface LoopExit {
  readonly leave: () => void;
  readonly next: () => void;
}

/** The loops of a row function while it is inlined. */
export class InlineLoops {
  readonly #context: LowerContext;
  readonly #locals: InlineLocals;
  readonly #body: LoopBody;
  readonly #exits: LoopExit[] = [];

  constructor(context: LowerContext, locals: InlineLocals, body: LoopBody) {
    this.#context = context;
    this.#locals = locals;
    this.#body = body;
  }

  /** Leaves the innermost loop. */
  leave(): void {
    this.#exits.at(-1)?.leave();
  }

  /** Continues with the next round of the innermost loop. */
  next(): void {
    this.#exits.at(-1)?.next();
  }

  /** Inlines a loop. */
  run(loop: RowLoop): void {
    this.#body.execute(loop.init);
    const walk = this.#characterLoopOf(loop);
    const back = walk === null ? this.#backwardLoopOf(loop) : null;
    const position = (walk ?? back)?.position;
    // A position that other code may assign stays a variable after the loop.
    const ends = position !== undefined && !this.#locals.isVariable(position);
    if (this.#unroll(loop)) return;
    const [head, ...others] = conjuncts(loop.test);
    this.#locals.makeVariables(assignedNames([loop]));
    const pass = this.#passOf(walk, back, others);
    this.#locals.scoped(() =>
      this.#context.builder.loop(
        "loop",
        [
          ...(head === undefined ? [] : [() => this.#body.scalar(head)]),
          ...(pass === null ? [] : [pass]),
          ...others.map((test) => () => this.#inRound(walk, () => this.#body.scalar(test))),
        ],
        (exits) => {
          this.#exits.push(exits);
          if (walk !== null) this.#round(walk);
          else if (back !== null) this.#roundBack(back);
          else this.#locals.scoped(() => this.#body.execute(loop.body));
          this.#exits.pop();
        },
        () => {
          if (walk === null) this.#body.execute(loop.update);
          else if (walk.hasUpdate) this.#step(walk);
        },
      )
    );
    if (ends) this.#fixEnd(walk ?? back, back?.low);
  }

  /**
   * Passes over ASCII characters byte by byte, if a loop only passes over characters and the text
   * may have others. Leaves whether a character that is not ASCII follows.
   */
  #passOf(
    walk: CharacterLoop | null,
    back: BackwardLoop | null,
    others: readonly RowExpr[],
  ): (() => Scalar) | null {
    const { view: name = "", position = "" } = walk ?? back ?? {};
    const text = name === "" ? null : this.#locals.read(name);
    if (text?.is !== "view" || text.view.ascii) return null;
    const at = this.#locals.read(position);
    const passed = back === null ? null : passedBack(back);
    const isPass = walk !== null ? walk.body.length === 0 && others.length > 0 : passed !== null;
    if (!isPass || at.is !== "scalar" || at.scalar.op !== "local") return null;
    const [place, { view }] = [at.scalar, text];
    const low = back === null ? int(0) : this.#body.scalar(back.low);
    const goesOn = (): Scalar => {
      let test = bool(true);
      this.#locals.scoped(() => {
        this.#locals.bind(name, { is: "view", view: { ...view, ascii: true } });
        if (walk !== null) this.#fixPosition(walk);
        if (back !== null && this.#fixBehind(back)) this.#body.execute(back.body.slice(0, 1));
        for (const other of others) test = and(test, this.#body.scalar(other));
        if (passed !== null) {
          const outcome = this.#body.scalar(passed.test);
          test = and(test, passed.goesOn ? outcome : not(outcome));
        }
      });
      return test;
    };
    return () => passAscii(this.#context, { view, place, low, backward: back !== null, goesOn });
  }

  #round(walk: CharacterLoop): void {
    if (walk.hasUpdate) return this.#inRound(walk, () => this.#body.execute(walk.body));
    this.#step(walk, walk.body);
  }

  /** Moves to the next position, after the statements of a round before that. */
  #step(walk: CharacterLoop, before: readonly RowStmt[] = []): void {
    const next = this.#inRound(walk, () => {
      this.#body.execute(before);
      return this.#body.value(walk.next);
    });
    if (!this.#context.builder.dead) this.#locals.set(walk.position, next);
  }

  /** Runs a round of a backward walk, whose position is after a character, so not 0. */
  #roundBack(back: BackwardLoop): void {
    let next: LowerValue | undefined;
    this.#locals.scoped(() => {
      if (!this.#fixBehind(back)) return;
      this.#body.execute(back.body);
      if (!this.#context.builder.dead) next = this.#body.value(back.before);
    });
    if (next !== undefined) this.#locals.set(back.position, next);
  }

  /** Binds the position of a backward walk to a local that never changes, after a character. */
  #fixBehind({ position, view, low }: BackwardLoop): boolean {
    const { builder } = this.#context;
    const end = this.#locals.read(position);
    const text = this.#locals.read(view);
    if (end.is !== "scalar" || text.is !== "view") return false;
    const at = within(this.#context, text.view, builder.stable("at", end.scalar));
    const previous = binary("-", at, int(1));
    builder.facts.noteOrder({ low: int(1), high: at });
    builder.facts.noteOrder({ low: int(0), high: previous });
    // In other text, the previous character may begin before that.
    if (text.view.ascii) builder.facts.noteOrder({ low: this.#body.scalar(low), high: previous });
    this.#locals.bind(position, { is: "scalar", scalar: at });
    return true;
  }

  /** Binds the position of a finished walk to a local that never changes, within the view. */
  #fixEnd(walk: CharacterLoop | BackwardLoop | null, low: RowExpr | undefined): void {
    const { builder } = this.#context;
    if (walk === null || builder.dead) return;
    const position = this.#locals.read(walk.position);
    const text = this.#locals.read(walk.view);
    if (position.is !== "scalar" || text.is !== "view") return;
    const at = within(this.#context, text.view, builder.stable(walk.position, position.scalar));
    if (low !== undefined && text.view.ascii) {
      builder.facts.noteOrder({ low: this.#body.scalar(low), high: at });
    }
    this.#locals.bind(walk.position, { is: "scalar", scalar: at });
  }

  /**
   * Returns a loop as a backward walk through a view, if it is one and starts and stops within it.
   */
  #backwardLoopOf(loop: RowLoop): BackwardLoop | null {
    const { builder } = this.#context;
    const back = backwardLoopOf(loop);
    if (back === null) return null;
    const start = this.#locals.read(back.position);
    const text = this.#locals.read(back.view);
    if (start.is !== "scalar" || text.is !== "view") return null;
    const low = this.#body.scalar(back.low);
    const isWithin = builder.facts.knows(int(0), low) && builder.facts.knows(low, start.scalar) &&
      builder.facts.knows(start.scalar, sizeOf(text.view));
    return isWithin ? back : null;
  }

  /** Returns a loop as a walk through a view, if it is one and starts within it. */
  #characterLoopOf(loop: RowLoop): CharacterLoop | null {
    const walk = characterLoopOf(loop);
    if (walk === null) return null;
    const start = this.#locals.read(walk.position);
    const text = this.#locals.read(walk.view);
    if (start.is !== "scalar" || text.is !== "view") return null;
    if (start.scalar.op === "const") return start.scalar.value === 0 ? walk : null;
    const { facts } = this.#context.builder;
    const isWithin = facts.knows(int(0), start.scalar) &&
      facts.knows(start.scalar, sizeOf(text.view));
    return isWithin ? walk : null;
  }

  /** Runs code of a round after its first test. */
  #inRound<T>(walk: CharacterLoop | null, run: () => T): T {
    let result: T;
    this.#locals.scoped(() => {
      if (walk !== null) this.#fixPosition(walk);
      result = run();
    });
    return result!;
  }

  /** Binds the position of a walk to a local that never changes, with the known bounds. */
  #fixPosition({ position, view }: CharacterLoop): void {
    const { builder } = this.#context;
    const scalar = this.#locals.read(position);
    const text = this.#locals.read(view);
    if (scalar.is !== "scalar" || text.is !== "view") return;
    const at = within(this.#context, text.view, builder.stable("at", scalar.scalar));
    builder.facts.noteOrder({ low: binary("+", at, int(1)), high: sizeOf(text.view) });
    this.#locals.bind(position, { is: "scalar", scalar: at });
  }

  /** Runs a loop at compile time while its test is known; returns false if that goes too far. */
  #unroll(loop: RowLoop): boolean {
    const { builder } = this.#context;
    const declared = new Set(loop.init.flatMap((item) => item.do === "let" ? [item.name] : []));
    const assigned = assignedNames([loop]);
    // The targets of assignments that a jump may skip have to be variables.
    if (hasJump(loop.body, "break")) {
      this.#locals.makeVariables([...assigned].filter((name) => !declared.has(name)));
    }
    if (hasJump(loop.body, "continue")) this.#locals.makeVariables(assignedNames(loop.body));
    return this.#locals.tried(() => {
      let isComplete = false;
      const collected = builder.collect(() =>
        builder.block("unrolled", (leave) => {
          isComplete = this.#rounds(loop, leave);
        })
      );
      const keep = isComplete && numStatements(collected.statements) <= MAX_UNROLLED_STATEMENTS;
      if (keep) builder.splice(collected);
      return keep;
    });
  }

  #rounds(loop: RowLoop, leave: () => void): boolean {
    const { builder } = this.#context;
    for (let round = 0; round <= MAX_ROUNDS; round++) {
      if (builder.dead) return true;
      const test = this.#body.scalar(loop.test);
      if (test.op !== "const") return false;
      if (test.value !== true) return true;
      builder.block("round", (next) => {
        this.#exits.push({ leave, next });
        this.#body.execute(loop.body);
        this.#exits.pop();
      });
      if (!builder.dead) this.#body.execute(loop.update);
    }
    return false;
  }
}
