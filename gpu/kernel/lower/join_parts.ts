import type { Scalar } from "../ir/ir.ts";
import type { RowBuilder } from "./row_builder.ts";
import type { Local } from "./row_scope.ts";

/** Variables in which the values of several paths meet. */
export class Join {
  readonly #builder: RowBuilder;
  readonly #hint: string;
  #locals: readonly Local[] = [];

  constructor(builder: RowBuilder, hint: string) {
    this.#builder = builder;
    this.#hint = hint;
  }

  get locals(): readonly Local[] {
    return this.#locals;
  }

  /** Assigns the values where a path ends; a path that never gets here assigns nothing. */
  set(values: readonly Scalar[]): void {
    if (this.#builder.dead) return;
    if (this.#locals.length === 0) {
      this.#locals = values.map((value) => this.#builder.reserve(this.#hint, value.type));
    }
    this.#locals.forEach((local, index) => this.#builder.set(local, values[index] ?? local));
  }

  /** Runs the paths, with the variables declared before them. */
  around(paths: () => void): void {
    const collected = this.#builder.collect(paths);
    for (const local of this.#locals) this.#builder.declare(local);
    this.#builder.splice(collected);
  }
}
