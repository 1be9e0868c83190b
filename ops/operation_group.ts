/** @module */

/** The groups of operations, in the order in which they are listed. */
export const OPERATION_GROUPS = [
  "size",
  "case",
  "kinds",
  "combine",
  "find",
  "slice",
  "split",
  "strip",
  "pad",
  "repeat",
  "replace",
  "reverse",
  "wrap",
  "regex",
  "convert",
  "choose",
  "compare",
  "normalise",
  "text size",
] as const;

/** A group of operations. */
export type OperationGroup = typeof OPERATION_GROUPS[number];
