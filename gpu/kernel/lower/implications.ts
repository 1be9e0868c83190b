import type { Scalar } from "../ir/ir.ts";

/** What is known under the keys of a builder. */
export type Known = ReadonlyMap<string, Scalar>;

const nothing: Known = new Map();

/** What was computed on the way to where a bool got one of its values. */
export class Implications {
  readonly #known = new Map<string, Known>();

  /** Notes that whatever `known` holds was computed where the bool called `name` is `outcome`. */
  note(name: string, outcome: boolean, known: Known): void {
    if (known.size > 0) this.#known.set(`${name} ${outcome}`, known);
  }

  /** What was computed where a test comes out as `outcome`. */
  of(test: Scalar, outcome: boolean): Known {
    switch (test.op) {
      case "local":
        return this.#known.get(`${test.name} ${outcome}`) ?? nothing;
      case "unary":
        return test.fn === "!" ? this.of(test.value, !outcome) : nothing;
      case "binary":
        if (test.fn !== (outcome ? "&&" : "||")) return nothing;
        return new Map([...this.of(test.left, outcome), ...this.of(test.right, outcome)]);
      default:
        return nothing;
    }
  }
}
