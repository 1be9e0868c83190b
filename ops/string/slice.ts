import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import {
  type CallArgs,
  defineStringOp,
  type IntArg,
  type Overload,
  type StringOp,
} from "./define_string_op.ts";

const MAX_I32 = 0x7fffffff;
const MIN_I32 = -0x80000000;

const rest: Overload = {
  kind: "view",
  args: { start: "i32" },
  defaults: { start: 0 },
  row(text: View, start: i32): View {
    return text.sub(text.advance(start < 0 ? text.size : 0, start), text.size);
  },
};

const range: Overload = {
  kind: "view",
  args: { start: "i32", stop: "i32" },
  defaults: { start: 0 },
  row(text: View, start: i32, stop: i32): View {
    const from = text.advance(start < 0 ? text.size : 0, start);
    if (stop < 0) return text.sub(from, text.advance(text.size, stop));
    if (start < 0) return text.sub(from, text.advance(0, stop));
    return text.sub(from, text.advance(from, stop - start));
  },
};

/**
 * The characters from `start` to before `stop`, every `step`-th, by Python's rules: negative
 * positions count from the end, positions out of range are moved into it, and a negative step goes
 * backwards. Each of them may be null for its default. A step must be a literal, and not 0.
 *
 * @example
 * ```ts
 * import { col } from "../expr/expr.ts";
 * import { printExpr } from "../expr/print.ts";
 *
 * const text = printExpr(col("name").slice(null, null, -1));
 * if (text !== "name.slice(null, null, -1)") throw new Error(text);
 * ```
 */
export const slice: StringOp<
  [start?: IntArg | null, stop?: IntArg | null, step?: number | null]
> = defineStringOp({
  name: "slice",
  args: { start: "i32", stop: "i32", step: "i32" },
  optional: ["start", "stop", "step"],
  group: "slice",
  summary: "The characters from start to before stop, every step-th, by Python's rules",
  differs: ["DuckDB: text[2:4] counts from 1 and includes the last character"],
  examples: [
    { input: "Grace Hopper", args: [6], result: "Hopper" },
    { input: "Grace Hopper", args: [0, 1], result: "G" },
    { input: "Grace Hopper", args: [-6, -3], result: "Hop" },
    { input: "Grace", args: [null, null, -1], result: "ecarG" },
  ],
  check({ step }) {
    if (step === 0) return "the step is 0";
    return typeof step === "object" ? "the step must be a literal" : undefined;
  },
  choose({ start, stop, step }) {
    if (step === undefined || Number(step) === 1) {
      // Counted from the front, it can be cut out of text while that is being written.
      const isCounted = [start, stop].every(isCount);
      if (stop === undefined) return isCounted ? "countedRest" : "rest";
      return isCounted ? "countedRange" : "range";
    }
    return Number(step) > 0 ? "forward" : "backward";
  },
  overloads: {
    rest,
    countedRest: {
      ...rest,
      written: {
        state: { position: 0 },
        row(out: Sink, char: i32, start: i32, s: { position: i32 }) {
          if (s.position < start) s.position++;
          else out.put(char);
        },
      },
    },
    range,
    countedRange: {
      ...range,
      written: {
        state: { position: 0 },
        row(out: Sink, char: i32, start: i32, stop: i32, s: { position: i32 }) {
          if (s.position >= stop) return out.end();
          if (s.position >= start) out.put(char);
          s.position++;
        },
      },
    },
    forward: {
      kind: "emit",
      args: { start: "i32", stop: "i32", step: "i32" },
      defaults: { start: 0, stop: MAX_I32 },
      row(out: Sink, text: View, start: i32, stop: i32, step: i32) {
        let at = text.advance(start < 0 ? text.size : 0, start);
        const end = text.advance(stop < 0 ? text.size : 0, stop);
        while (at < end) {
          out.put(text.charAt(at));
          at = text.advance(at, step);
        }
      },
    },
    backward: {
      kind: "emit",
      args: { start: "i32", stop: "i32", step: "i32" },
      defaults: { start: MAX_I32, stop: MIN_I32 },
      row(out: Sink, text: View, start: i32, stop: i32, step: i32) {
        // Both are the ends of the characters named, since a range that runs backwards has its
        // first character and not its last. Adding 1 to a negative position cannot wrap around.
        let end = start < 0
          ? text.advance(text.size, start + 1)
          : text.advance(text.advance(0, start), 1);
        const low = stop < 0
          ? text.advance(text.size, stop + 1)
          : text.advance(text.advance(0, stop), 1);
        while (end > low) {
          out.put(text.charAt(text.prev(end)));
          end = text.advance(end, step);
        }
      },
    },
  },
});

/** Whether a bound is left out, or a literal that does not count from the end. */
function isCount(bound: CallArgs[string]): boolean {
  return bound === undefined ||
    ((typeof bound === "number" || typeof bound === "bigint") && bound >= 0);
}
