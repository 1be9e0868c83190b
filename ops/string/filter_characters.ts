import type { i32, Sink, Table } from "../../gpu/kernel/language/row_function.ts";
import { type CallArgs, defineStringOp, type StringOp } from "./define_string_op.ts";
import { characterSet, problemOfSet } from "./character_set.ts";

/**
 * The characters of the text that are in `set`, or with `keep: false` those that are not. A set is
 * text in which `a-z` stands for the characters from a to z and any other character for itself (a
 * hyphen too, at either end), or a list of such texts and of kinds: `letter`, `mark`, `digit`,
 * `number`, `punctuation`, `symbol`, `space`. They are the categories L, M, Nd, P and S of Unicode,
 * and what `isNumeric` and `isSpace` call so.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("phone").filterCharacters("0-9+"));
 * if (text !== 'phone.filterCharacters("0-9+")') throw new Error(text);
 * ```
 */
export const filterCharacters: StringOp<
  [set: string | readonly string[], keep?: boolean | { readonly keep: boolean } | null]
> = defineStringOp({
  name: "filterCharacters",
  kind: "map",
  args: { set: "literal", keep: "literal" },
  defaults: { keep: true },
  group: "replace",
  accepts: { set: "string or list", keep: "bool" },
  summary: "The characters of a set; with keep: false, the others",
  details:
    "In a set `a-z` stands for the characters from a to z, and a hyphen at either end for itself. " +
    "A list holds sets and kinds: letter, mark, digit, number, punctuation, symbol, space (the " +
    "categories L, M, Nd, P and S of Unicode, and what isNumeric and isSpace call so).",
  examples: [
    { input: "+1 (555) 010-99", args: ["0-9+"], result: "+155501099" },
    { input: "+1 (555) 010-99", args: [" ()-", { keep: false }], result: "+155501099" },
    { input: "naïve 🙂", args: [["letter", "-"]], result: "naïve" },
  ],
  check: ({ set, keep }) => {
    if (keep !== undefined && typeof keep !== "boolean") return "keep must be true or false";
    return problemOfSet(set);
  },
  consts: tablesOf,
  row(out: Sink, char: i32, c: { ascii: Table; bounds: Table }) {
    let isKept = 0;
    if (char < 0x80) {
      isKept = c.ascii.at(char);
    } else {
      // The number of bounds up to the character: it is kept between the first and the second, ...
      let low = 0;
      let high = c.bounds.size;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (c.bounds.at(middle) <= char) low = middle + 1;
        else high = middle;
      }
      isKept = low & 1;
    }
    if (isKept === 1) out.put(char);
  },
});

/** `bounds`: where the characters that are kept begin and end, in turn; `ascii`: 1 if kept. */
function tablesOf({ set, keep }: CallArgs) {
  const bounds = characterSet(set as string | string[]);
  // What is not kept of a set begins at 0 where the set does not, and ends where the set begins.
  if (keep === false) {
    if (bounds[0] === 0) bounds.shift();
    else bounds.unshift(0);
  }
  const isKept = (char: number) => bounds.filter((bound) => bound <= char).length & 1;
  return {
    ascii: Int32Array.from({ length: 128 }, (_, char) => isKept(char)),
    bounds: Int32Array.from(bounds),
  };
}
