/**
 * Lists what the code of one pass reads: the columns to bind, and their parts.
 *
 * @module
 */

import { knownBytes } from "./append.ts";
import { type ByteRun, runsOf } from "./byte_runs.ts";
import { type ByteSet, ByteSets } from "./byte_sets.ts";
import { inlineNeedle } from "./look.ts";
import type { Pass } from "./pass.ts";
import { repeatedByte } from "./repeat.ts";
import { dividesDirectly, spaceName } from "./scalar.ts";
import type { Follow, Match, RowKernel, Scalar, Seek, Space, Stmt } from "../../../ir/ir.ts";
import { knownSeek } from "../../../ir/loop_idiom.ts";
import { bodiesOf, childrenOf, scalarsOf } from "../../../ir/visit.ts";

type Loop = Stmt & { do: "loop" };

/** A part of a column, or a function that reads it. */
export type ColumnUse =
  | "bounds"
  | "valid"
  | "bit"
  | "word"
  | "byte"
  | "copy"
  | "seek"
  /** Words at any place, within its functions. */
  | "four"
  | "search"
  | "count"
  | "itemStart"
  | "itemValid";

/** The columns, constants and helpers that the code of one pass uses. */
export interface Resources {
  /** Indices into `RowKernel.columns`, with the parts that are read. */
  readonly columns: ReadonlyMap<number, ReadonlySet<ColumnUse>>;
  readonly literals: ReadonlySet<"byte" | "copy" | "four">;
  /** The names of the spaces whose texts are compared, in pairs. */
  readonly matches: ReadonlyMap<string, readonly [left: string, right: string]>;
  /** Loops that follow states together in a workgroup: one for each table and column. */
  readonly follows: ReadonlyMap<string, Follow>;
  readonly tables: ReadonlySet<number>;
  /** Whether something is repeated, or the size of a repetition is checked. */
  readonly repeats: boolean;
  /** Whether scratch is read or stored. */
  readonly scratch: boolean;
  /** Whether a division or a remainder is computed by a function. */
  readonly divides: boolean;
}

/** The numbers of the marks that loops use. */
interface MarkNumbers {
  numberOf(loop: Loop): number | null;
}

/**
 * Lists what a kernel reads after `foldKernel`. `isShared` if a workgroup computes a row, `marks` if
 * lanes have marked it.
 */
export function resourcesOf(
  kernel: RowKernel,
  pass: Pass,
  isShared: boolean,
  marks: MarkNumbers | null,
): Resources {
  const resources = new ResourceList(kernel, pass, isShared, marks);
  resources.list(kernel.body);
  return resources;
}

class ResourceList implements Resources {
  readonly columns = new Map<number, Set<ColumnUse>>();
  readonly literals = new Set<"byte" | "copy" | "four">();
  readonly matches = new Map<string, readonly [string, string]>();
  readonly follows = new Map<string, Follow>();
  readonly tables = new Set<number>();
  scratch = false;
  repeats = false;
  divides = false;
  readonly #kernel: RowKernel;
  readonly #pass: Pass;
  readonly #isShared: boolean;
  readonly #marks: MarkNumbers | null;
  readonly #sets: ByteSets;

  constructor(kernel: RowKernel, pass: Pass, isShared: boolean, marks: MarkNumbers | null) {
    this.#kernel = kernel;
    this.#pass = pass;
    this.#isShared = isShared;
    this.#marks = marks;
    this.#sets = new ByteSets(kernel);
  }

  list(body: readonly Stmt[]): void {
    for (const stmt of body) this.#statement(stmt);
  }

  #statement(stmt: Stmt): void {
    if (stmt.do === "loop") return this.#loop(stmt);
    if (!this.#isComputed(stmt)) return;
    for (const scalar of scalarsOf(stmt)) this.#scalar(scalar);
    for (const body of bodiesOf(stmt)) this.list(body);
    const stores = this.#pass !== "sizes";
    switch (stmt.do) {
      case "copy":
        if (stores && knownBytes(stmt, this.#kernel) === null) this.#space(stmt.space, "copy");
        break;
      case "repeat":
        if (stores && repeatedByte(stmt, this.#kernel) === null) this.#space(stmt.space, "copy");
        this.repeats = true;
        break;
      case "checkRepeat":
        this.repeats = true;
        break;
      case "store":
        this.scratch = true;
    }
  }

  #isComputed(stmt: Stmt): boolean {
    switch (stmt.do) {
      case "put":
      case "number":
      case "beginItem":
        // The sizes pass counts them without computing them.
        return this.#pass !== "sizes";
      case "checkRepeat":
        // The write pass only has rows that are not too large.
        return this.#pass !== "write";
      default:
        return true;
    }
  }

  #loop(loop: Loop): void {
    const { idiom } = loop;
    const isMarked = this.#marks != null && this.#marks.numberOf(loop) !== null;
    if (idiom?.does === "count") {
      this.#scalar(idiom.stop);
      if (isMarked) this.#column(idiom.column, "bounds");
      return this.#column(idiom.column, "count");
    }
    if (idiom?.does === "match") return this.#match(idiom);
    if (idiom?.does === "follow" && this.#isShared) return this.#follow(idiom);
    const set = this.#sets.stopsOf(loop) ?? this.#sets.restOf(loop)?.set;
    if (set != null) return this.#setSearch(loop, set, isMarked);
    if (idiom?.does === "seek" && (this.#isShared || isMarked)) {
      this.#lookingSeek(idiom);
      if (this.#isShared) return;
      this.#column(idiom.column, "bounds");
      if (inlineNeedle(idiom) !== null) return;
    }
    const known = isMarked ? null : knownSeek(loop);
    if (known !== null) {
      this.#scalar(known.last);
      this.#column(known.column, "seek");
    }
    this.#scalar(loop.test);
    this.list(loop.body);
    this.list(loop.update);
  }

  #setSearch({ idiom }: Loop, { column }: ByteSet, isMarked: boolean): void {
    this.#column(column, "search");
    if (isMarked) this.#column(column, "bounds");
    if (idiom?.does === "skip") {
      this.#scalar(idiom.base);
      this.#scalar(idiom.bound);
    }
    if (idiom?.does === "follow") {
      this.#scalar(idiom.stop);
      this.#column(column, "byte");
      this.tables.add(idiom.table);
    }
  }

  #lookingSeek(seek: Seek): void {
    this.#scalar(seek.last);
    this.#column(seek.column, "search");
    const known = inlineNeedle(seek);
    if (known === null || known.length > 4) this.#column(seek.column, "four");
    if (known !== null) return;
    this.#scalar(seek.needle.start);
    this.#scalar(seek.needle.stop);
    this.#space(seek.needle.space, "four");
  }

  #follow(follow: Follow): void {
    const { stop, column, table } = follow;
    this.#scalar(stop);
    this.#column(column, "byte");
    this.tables.add(table);
    this.follows.set(`${table} ${column}`, follow);
  }

  #match({ size, left, right }: Match): void {
    this.#scalar(size);
    const names = [left, right].map(({ space, start }) => {
      this.#scalar(start);
      this.#space(space, "four");
      return spaceName(space);
    });
    this.matches.set(names.join(), [names[0]!, names[1]!]);
  }

  #scalar(value: Scalar): void {
    const parts = value.op === "binary" && value.fn === "&&" ? runsOf(value) : null;
    if (parts !== null) return this.#terms(parts);
    for (const child of childrenOf(value)) this.#scalar(child);
    switch (value.op) {
      case "binary":
        if (value.fn === "%") this.divides = true;
        if (value.fn === "/" || value.fn === "/u" || value.fn === "%u") {
          this.divides ||= !dividesDirectly(value.right);
        }
        break;
      case "byte":
        return this.#space(value.space, "byte");
      case "start":
      case "stop":
        return this.#column(value.column, "bounds");
      case "valid":
      case "bit":
      case "word":
      case "itemStart":
      case "itemValid":
        return this.#column(value.column, value.op);
      case "table":
        this.tables.add(value.table);
        break;
      case "scratch":
        this.scratch = true;
    }
  }

  #terms(parts: readonly (ByteRun | Scalar)[]): void {
    for (const part of parts) {
      if (!("words" in part)) {
        this.#scalar(part);
        continue;
      }
      part.words.forEach(({ at }) => this.#scalar(at));
      this.#space(part.space, "four");
    }
  }

  #space(space: Space, use: "byte" | "copy" | "four"): void {
    if (space.space === "literals") this.literals.add(use);
    else this.#column(space.column, use);
  }

  #column(column: number, use: ColumnUse): void {
    const uses = this.columns.get(column) ?? new Set();
    this.columns.set(column, uses.add(use));
  }
}
