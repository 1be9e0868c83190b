/**
 * The marks of a row: facts that several lanes find before its invocation computes it, a word each.
 *
 *     places      bits: in which of 32 segments of a text a needle begins, or a byte of a set is
 *     characters  the number of characters of a text
 *     difference  the first byte in which two texts differ, or the number of bytes compared
 *
 * The code of the row stays the same, but its loops skip segments without a hit, begin to compare
 * where texts differ, and need not count. A mark never claims more than lanes have seen: a segment
 * without a bit has no hit, and bytes before a difference are equal. So a row that is too long to
 * be marked has all segments set, no count, and the difference at the last byte compared.
 *
 * A loop can be marked if the needle, or both texts, are known when the row begins: from its bounds
 * and constants alone.
 *
 * @module
 */

import { ByteSets, setKey } from "../print/byte_sets.ts";
import { inlineNeedle, type Sought } from "../print/look.ts";
import { TOGETHER_BYTES } from "../print/pass.ts";
import { spaceName } from "../print/scalar.ts";
import type { Match, RowKernel, Scalar, Space, Stmt } from "../../../ir/ir.ts";
import { scalarKey } from "../../../ir/scalar.ts";
import { childrenOf, mapChildren, visit } from "../../../ir/visit.ts";

type Loop = Stmt & { do: "loop" };

/** The most words of a row. */
const MAX_MARKS = 8;

/**
 * The bytes of the longest text that is marked; of compared texts, only this many first bytes are.
 */
export const MARKED_BYTES = 8192;

/** The bytes of a needle that marks look for; the row compares the others. */
export const MARKED_NEEDLE_BYTES = 16;

/** The count of a text that is too long to be marked. */
export const NOT_COUNTED = "0xffffffffu";

/** The most nodes of a scalar that the marks compute again. */
const MAX_NODES = 100;

/**
 * A fact about a row that lanes find. Its scalars depend only on bounds of rows and on constants.
 */
export type Mark =
  | { readonly of: "places"; readonly sought: Sought }
  | { readonly of: "characters"; readonly column: number }
  | { readonly of: "difference"; readonly match: Match };

/** The marks of a kernel after `foldKernel`, numbered in the order of the loops that use them. */
export class Marks {
  readonly list: readonly Mark[];
  readonly #numbers = new Map<string, number>();
  readonly #columnTypes: RowKernel["columnTypes"];
  /** The values of locals that are never set again. */
  readonly #values = new Map<string, Scalar>();
  readonly #sets: ByteSets;

  constructor({ body, columnTypes, tables }: Pick<RowKernel, "body" | "columnTypes" | "tables">) {
    this.#columnTypes = columnTypes;
    this.#sets = new ByteSets({ body, tables });
    const set = new Set<string>();
    const loops: Loop[] = [];
    visit(body, {
      stmt: (stmt) => {
        if (stmt.do === "let") this.#values.set(stmt.name, stmt.value);
        if (stmt.do === "set") set.add(stmt.name);
        if (stmt.do === "loop") loops.push(stmt);
      },
    });
    for (const name of set) this.#values.delete(name);
    const list: Mark[] = [];
    for (const loop of loops) {
      const mark = this.#markOf(loop);
      if (mark === null || this.#numbers.has(keyOf(mark)) || list.length === MAX_MARKS) continue;
      this.#numbers.set(keyOf(mark), list.length);
      list.push(mark);
    }
    this.list = list;
  }

  /** Returns the number of the mark that a loop can use; null if there is none. */
  numberOf(loop: Loop): number | null {
    const mark = this.#markOf(loop);
    return mark === null ? null : this.#numbers.get(keyOf(mark)) ?? null;
  }

  #markOf(loop: Loop): Mark | null {
    const { idiom, update } = loop;
    switch (idiom?.does) {
      case "seek": {
        if (!this.#isText(idiom.column)) return null;
        if (inlineNeedle(idiom) !== null) return { of: "places", sought: idiom };
        const [step, ...others] = update;
        if (step?.do !== "set" || step.name !== idiom.at || others.length > 0) return null;
        const { space } = idiom.needle;
        const [start, stop] = this.#known(idiom.needle.start, idiom.needle.stop);
        if (start == null || stop == null || !this.#isRead(space)) return null;
        return { of: "places", sought: { ...idiom, needle: { space, start, stop } } };
      }
      case "skip":
      case "follow": {
        const set = this.#sets.stopsOf(loop) ?? this.#sets.restOf(loop)?.set;
        return set && this.#isText(set.column) ? { of: "places", sought: set } : null;
      }
      case "count":
        return this.#isText(idiom.column) ? { of: "characters", column: idiom.column } : null;
      case "match": {
        const { left, right } = idiom;
        const [first, second, size] = this.#known(left.start, right.start, idiom.size);
        if (first == null || second == null || size == null) return null;
        if (size.op === "const" && Number(size.value) < TOGETHER_BYTES) return null;
        if (!this.#isRead(left.space) || !this.#isRead(right.space)) return null;
        const sides = { left: { ...left, start: first }, right: { ...right, start: second } };
        return { of: "difference", match: { ...idiom, ...sides, size } };
      }
    }
    return null;
  }

  #isText(column: number): boolean {
    return this.#columnTypes[column]?.kind === "string";
  }

  #isRead(space: Space): boolean {
    return space.space === "literals" || this.#isText(space.column);
  }

  /** Returns the scalars without locals; null for one that cannot be computed before the row. */
  #known(...scalars: readonly Scalar[]): readonly (Scalar | null)[] {
    let nodes = 0;
    const known = (scalar: Scalar): Scalar => {
      const value = scalar.op === "local" ? this.#values.get(scalar.name) : undefined;
      // A scalar that is too long counts as unknown.
      if (++nodes > MAX_NODES) return scalar;
      return value === undefined ? mapChildren(scalar, known) : known(value);
    };
    return scalars.map((scalar) => {
      nodes = 0;
      const value = known(scalar);
      return nodes <= MAX_NODES && this.#isOfBounds(value) ? value : null;
    });
  }

  #isOfBounds(scalar: Scalar): boolean {
    switch (scalar.op) {
      case "const":
        return true;
      case "start":
      case "stop":
        return this.#isText(scalar.column);
      case "unary":
      case "select":
        break;
      case "binary":
        if (scalar.fn === "/" || scalar.fn === "%") return false;
        break;
      default:
        return false;
    }
    return childrenOf(scalar).every((child) => this.#isOfBounds(child));
  }
}

/** Returns the columns whose text a mark is about. */
export function columnsOf(mark: Mark): number[] {
  switch (mark.of) {
    case "places":
      return [mark.sought.column];
    case "characters":
      return [mark.column];
    case "difference":
      return [mark.match.left, mark.match.right].flatMap(({ space }) =>
        space.space === "column" ? [space.column] : []
      );
  }
}

function keyOf(mark: Mark): string {
  switch (mark.of) {
    case "places": {
      if (mark.sought.does === "bytes") return `bytes ${setKey(mark.sought)}`;
      const { column, needle: { space, start, stop } } = mark.sought;
      const needle = inlineNeedle(mark.sought) ??
        `${spaceName(space)} ${scalarKey(start)} ${scalarKey(stop)}`;
      return `places ${column} ${needle}`;
    }
    case "characters":
      return `characters ${mark.column}`;
    case "difference": {
      const { left, right, size } = mark.match;
      const sides = [left, right].map(({ space, start }) =>
        `${spaceName(space)} ${scalarKey(start)}`
      );
      return `difference ${sides.join(" ")} ${scalarKey(size)}`;
    }
  }
}

/** WGSL that maps parts of 16 bytes to segments. */
export const SEGMENTS = `
// The parts of a segment of a text, 1 << so many: 32 segments take in all bytes [start, stop], and
// those of the last part.
fn segment_shift(start: u32, stop: u32) -> u32 {
  return 32u - countLeadingZeros(((stop >> 4u) - (start >> 4u)) >> 5u);
}
`;
