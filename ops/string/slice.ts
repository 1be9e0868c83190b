/**
 * Defines the operations that take parts of a text by position; positions count characters.
 *
 * @module
 */

import { callNode } from "../syntax/call_node.ts";
import { literalNode } from "../syntax/literal.ts";
import {
  type CallArgs,
  defineStringOp,
  type IntArg,
  overload,
  type StringOp,
  type TextArg,
} from "./define/define_string_op.ts";

const MAX_I32 = 0x7fffffff;
const MIN_I32 = -0x80000000;

/**
 * Returns the characters from `start` to before `stop`, every `step`-th, by Python's rules. Null
 * stands for the default of an argument. The step is a literal other than 0.
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
  choose({ stop, step }) {
    if (step === undefined || Number(step) === 1) return stop === undefined ? "rest" : "range";
    return Number(step) > 0 ? "forward" : "backward";
  },
  overloads: {
    rest: overload({
      kind: "view",
      args: { start: "i32" },
      defaults: { start: 0 },
      row(text, { start }) {
        return text.sub(text.advance(start < 0 ? text.size : 0, start), text.size);
      },
      written: {
        when: ({ start }) => isCount(start),
        state: { position: 0 },
        row(out, char, { start, state }) {
          if (state.position < start) state.position++;
          else out.put(char);
        },
      },
    }),
    range: overload({
      kind: "view",
      args: { start: "i32", stop: "i32" },
      defaults: { start: 0 },
      row(text, { start, stop }) {
        const from = text.advance(start < 0 ? text.size : 0, start);
        if (stop < 0) return text.sub(from, text.advance(text.size, stop));
        if (start < 0) return text.sub(from, text.advance(0, stop));
        return text.sub(from, text.advance(from, stop - start));
      },
      written: {
        when: ({ start, stop }) => isCount(start) && isCount(stop),
        state: { position: 0 },
        row(out, char, { start, stop, state }) {
          if (state.position >= stop) return out.end();
          if (state.position >= start) out.put(char);
          state.position++;
        },
      },
    }),
    forward: overload({
      kind: "emit",
      args: { start: "i32", stop: "i32", step: "i32" },
      defaults: { start: 0, stop: MAX_I32 },
      row(out, text, { start, stop, step }) {
        let at = text.advance(start < 0 ? text.size : 0, start);
        const end = text.advance(stop < 0 ? text.size : 0, stop);
        while (at < end) {
          out.put(text.charAt(at));
          at = text.advance(at, step);
        }
      },
    }),
    backward: overload({
      kind: "emit",
      args: { start: "i32", stop: "i32", step: "i32" },
      defaults: { start: MAX_I32, stop: MIN_I32 },
      row(out, text, { start, stop, step }) {
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
    }),
  },
});

/** Whether a bound is left out or counts from the front, which works while text is being written. */
function isCount(bound: CallArgs[string]): boolean {
  return bound === undefined ||
    ((typeof bound === "number" || typeof bound === "bigint") && bound >= 0);
}

/** Returns the first `count` characters; where it is negative, all but the last ones, as in SQL. */
export const left: StringOp<[count: IntArg]> = defineStringOp({
  name: "left",
  kind: "view",
  args: { count: "i32" },
  group: "slice",
  summary: "The first characters; with a negative count, all but the last ones",
  details: "A shorter text is returned whole.",
  examples: [
    { input: "naïve", args: [3], result: "naï" },
    { input: "naïve", args: [-1], result: "naïv" },
  ],
  expand(text, { count }) {
    // Such a slice fuses with an operation that writes its text.
    if (typeof count !== "number" || count < 0) return undefined;
    return callNode(slice, text, [literalNode(0), literalNode(count)]);
  },
  row(text, { count }) {
    return text.sub(0, text.advance(count < 0 ? text.size : 0, count));
  },
});

/** Returns the last `count` characters; where it is negative, all but the first ones, as in SQL. */
export const right: StringOp<[count: IntArg]> = defineStringOp({
  name: "right",
  kind: "view",
  args: { count: "i32" },
  group: "slice",
  summary: "The last characters; with a negative count, all but the first ones",
  details: "A shorter text is returned whole.",
  differs: ["Python: text[-0:] is the whole text, right(0) is empty"],
  examples: [
    { input: "naïve", args: [3], result: "ïve" },
    { input: "naïve", args: [-1], result: "aïve" },
  ],
  row(text, { count }) {
    // In two steps, since the least integer has no opposite.
    if (count < 0) return text.sub(text.advance(text.advance(0, -(count + 1)), 1), text.size);
    return text.sub(text.advance(text.size, -count), text.size);
  },
});

/** Replaces the characters from `start` to before `stop`, by Python's rules. */
export const replaceSlice: StringOp<
  [replacement: TextArg, start?: IntArg | null, stop?: IntArg | null]
> = defineStringOp({
  name: "replaceSlice",
  kind: "emit",
  args: { replacement: "string", start: "i32", stop: "i32" },
  defaults: { start: 0, stop: MAX_I32 },
  group: "replace",
  summary: "The text with the characters from start to before stop replaced",
  details:
    "Positions are as in slice(). Where stop lies before start, nothing is removed, and the " +
    "replacement is inserted at start.",
  examples: [
    { input: "4929 1234", args: ["****", 0, -4], result: "****1234" },
    { input: "naïve", args: ["-", 2, 2], result: "na-ïve" },
    { input: "naïve", args: ["...", 3], result: "naï..." },
  ],
  row(out, text, { replacement, start, stop }) {
    const from = text.advance(start < 0 ? text.size : 0, start);
    const to = text.advance(stop < 0 ? text.size : 0, stop);
    out.copy(text.sub(0, from));
    out.copy(replacement);
    out.copy(text.sub(to < from ? from : to, text.size));
  },
});

/** Reverses the characters, not the visible signs, as Python and libcudf do. */
export const reverse: StringOp<[]> = defineStringOp({
  name: "reverse",
  kind: "emit",
  group: "reverse",
  summary: "The characters in reverse order",
  details:
    "Combining accents are characters too, so in the result they stand on the letter that was " +
    "before theirs.",
  examples: [
    { input: "naïve 🙂", result: "🙂 evïan" },
    { input: "", result: "" },
  ],
  row(out, text) {
    let stop = text.size;
    while (stop > 0) {
      const start = text.prev(stop);
      out.put(text.charAt(start));
      stop = start;
    }
  },
});
