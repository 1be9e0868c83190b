/**
 * What the code of one pass reads: which columns must be bound, and what of them.
 *
 * @module
 */

import { knownBytes } from "./emit_wgsl_append.ts";
import { repeatedByte } from "./emit_wgsl_repeat.ts";
import { dividesDirectly } from "./emit_wgsl_scalar.ts";
import type { RowKernel, Scalar, Space, Stmt } from "./ir.ts";

/** The pass of a kernel: two for text, one for results of fixed width. */
export type Pass = "sizes" | "write" | "single";

/** What is read of one column. */
export type ColumnUse =
  | "bounds"
  | "valid"
  | "bit"
  | "word"
  | "byte"
  | "copy"
  | "seek"
  | "itemStart"
  | "itemValid";

/** What the code of one pass reads. */
export interface Survey {
  /** Indices into `RowKernel.columns`, with what is read of them. */
  readonly columns: ReadonlyMap<number, ReadonlySet<ColumnUse>>;
  readonly literals: ReadonlySet<"byte" | "copy">;
  readonly tables: ReadonlySet<number>;
  /** Whether something is repeated, or the size of a repetition checked. */
  readonly repeats: boolean;
  /** Whether scratch is read or stored. */
  readonly scratch: boolean;
  /** Whether something is divided by what may be 0 or -1. */
  readonly divides: boolean;
}

/** Looks through a folded body. */
export function survey(kernel: RowKernel, pass: Pass): Survey {
  const surveyor = new Surveyor(kernel, pass);
  surveyor.list(kernel.body);
  return surveyor;
}

class Surveyor implements Survey {
  readonly columns = new Map<number, Set<ColumnUse>>();
  readonly literals = new Set<"byte" | "copy">();
  readonly tables = new Set<number>();
  scratch = false;
  repeats = false;
  divides = false;
  readonly #kernel: RowKernel;
  readonly #pass: Pass;

  constructor(kernel: RowKernel, pass: Pass) {
    this.#kernel = kernel;
    this.#pass = pass;
  }

  list(body: readonly Stmt[]): void {
    for (const stmt of body) this.#statement(stmt);
  }

  #statement(stmt: Stmt): void {
    switch (stmt.do) {
      case "let":
      case "set":
        this.#scalar(stmt.value);
        break;
      case "if":
        this.#scalar(stmt.test);
        this.list(stmt.then);
        this.list(stmt.else);
        break;
      case "loop":
        if (stmt.seek !== undefined) {
          this.#scalar(stmt.seek.last);
          this.#column(stmt.seek.column, "seek");
        }
        this.#scalar(stmt.test);
        this.list(stmt.body);
        this.list(stmt.update);
        break;
      case "block":
        this.list(stmt.body);
        break;
      case "put":
        // The sizes pass counts a byte without computing it.
        if (this.#pass === "write") this.#scalar(stmt.byte);
        break;
      case "copy":
        this.#scalar(stmt.start);
        this.#scalar(stmt.stop);
        if (this.#pass === "write" && knownBytes(stmt, this.#kernel) === null) {
          this.#space(stmt.space, "copy");
        }
        break;
      case "repeat":
        this.#scalar(stmt.start);
        this.#scalar(stmt.stop);
        this.#scalar(stmt.count);
        this.repeats = true;
        if (this.#pass === "write" && repeatedByte(stmt, this.#kernel) === null) {
          this.#space(stmt.space, "copy");
        }
        break;
      case "checkRepeat":
        // The write pass only has rows that are not too large.
        if (this.#pass === "write") break;
        this.#scalar(stmt.size);
        this.#scalar(stmt.count);
        this.repeats = true;
        break;
      case "store":
        this.#scalar(stmt.at);
        this.#scalar(stmt.value);
        this.scratch = true;
        break;
      case "beginItem":
        if (this.#pass === "write") this.#scalar(stmt.bytes);
        break;
      case "number":
        // The sizes pass counts a number without computing it.
        if (this.#pass === "write") this.#scalar(stmt.value);
        break;
      case "result":
        stmt.words.forEach((word) => this.#scalar(word));
        break;
      case "break":
      case "continue":
      case "endItem":
      case "null":
      case "copyNormal":
      case "putFloat":
    }
  }

  #scalar(value: Scalar): void {
    switch (value.op) {
      case "unary":
        this.#scalar(value.value);
        break;
      case "binary":
        this.#scalar(value.left);
        this.#scalar(value.right);
        if (value.fn === "/" || value.fn === "%") this.divides ||= !dividesDirectly(value.right);
        break;
      case "select":
        this.#scalar(value.test);
        this.#scalar(value.yes);
        this.#scalar(value.no);
        break;
      case "byte":
        this.#scalar(value.at);
        this.#space(value.space, "byte");
        break;
      case "start":
      case "stop":
        this.#column(value.column, "bounds");
        break;
      case "valid":
      case "bit":
      case "word":
        this.#column(value.column, value.op);
        break;
      case "table":
        this.#scalar(value.at);
        this.tables.add(value.table);
        break;
      case "scratch":
        this.#scalar(value.at);
        this.scratch = true;
        break;
      case "itemStart":
      case "itemValid":
        this.#scalar(value.at);
        this.#column(value.column, value.op);
        break;
      case "const":
      case "local":
      case "float":
      case "decimal":
    }
  }

  #space(space: Space, use: "byte" | "copy"): void {
    if (space.space === "literals") this.literals.add(use);
    else this.#column(space.column, use);
  }

  #column(column: number, use: ColumnUse): void {
    const uses = this.columns.get(column) ?? new Set();
    this.columns.set(column, uses.add(use));
  }
}
