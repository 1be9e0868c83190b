/**
 * Defines the operations on the start and the end of a text.
 *
 * @module
 */

import { defineStringOp, type StringOp, type TextArg } from "./define/define_string_op.ts";

/** Tests whether the text starts with the target; every text starts with the empty text. */
export const startsWith: StringOp<[target: TextArg]> = defineStringOp({
  name: "startsWith",
  kind: "measure",
  returns: "bool",
  args: { target: "string" },
  group: "find",
  summary: "Whether the text starts with the target",
  examples: [{ input: "banana", args: ["ba"], result: true }, {
    input: "banana",
    args: [""],
    result: true,
  }],
  row(text, { target }) {
    return text.sub(0, target.size).equals(target);
  },
});

/** Tests whether the text ends with the target; every text ends with the empty text. */
export const endsWith: StringOp<[target: TextArg]> = defineStringOp({
  name: "endsWith",
  kind: "measure",
  returns: "bool",
  args: { target: "string" },
  group: "find",
  summary: "Whether the text ends with the target",
  examples: [{ input: "banana", args: ["nan"], result: false }, {
    input: "banana",
    args: ["na"],
    result: true,
  }],
  row(text, { target }) {
    return text.sub(text.size - target.size, text.size).equals(target);
  },
});

/** Removes a prefix once, where the text starts with it. */
export const removePrefix: StringOp<[prefix: TextArg]> = defineStringOp({
  name: "removePrefix",
  kind: "view",
  args: { prefix: "string" },
  group: "strip",
  summary: "The text without a prefix, where it starts with it",
  details: "The prefix is removed only once.",
  examples: [
    { input: "Dr. Hopper", args: ["Dr. "], result: "Hopper" },
    { input: "aab", args: ["a"], result: "ab" },
    { input: "Hopper", args: ["Dr. "], result: "Hopper" },
  ],
  row(text, { prefix }) {
    const hasPrefix = text.sub(0, prefix.size).equals(prefix);
    return text.sub(hasPrefix ? prefix.size : 0, text.size);
  },
});

/** Removes a suffix once, where the text ends with it. */
export const removeSuffix: StringOp<[suffix: TextArg]> = defineStringOp({
  name: "removeSuffix",
  kind: "view",
  args: { suffix: "string" },
  group: "strip",
  summary: "The text without a suffix, where it ends with it",
  details: "The suffix is removed only once.",
  examples: [
    { input: "flights.csv", args: [".csv"], result: "flights" },
    { input: "baa", args: ["a"], result: "ba" },
    { input: "flights", args: [".csv"], result: "flights" },
  ],
  row(text, { suffix }) {
    const stop = text.size - suffix.size;
    return text.sub(0, text.sub(stop, text.size).equals(suffix) ? stop : text.size);
  },
});
