/**
 * The groups in which operations are listed.
 *
 * @module
 */

/** A group of operations. */
export type OperationGroup =
  | "size"
  | "case"
  | "kinds"
  | "combine"
  | "find"
  | "slice"
  | "split"
  | "strip"
  | "pad"
  | "repeat"
  | "replace"
  | "reverse"
  | "wrap"
  | "regex"
  | "numbers"
  | "lists"
  | "json"
  | "convert"
  | "dates"
  | "choose"
  | "compare"
  | "normalise"
  | "text size";

/** The groups, in the order in which they are listed. */
export const OPERATION_GROUPS: readonly OperationGroup[] = [
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
  "numbers",
  "lists",
  "json",
  "convert",
  "dates",
  "choose",
  "compare",
  "normalise",
  "text size",
];
