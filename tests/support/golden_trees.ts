import type { ColumnType } from "../../gpu/column/column.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { containsRe } from "../../ops/string/regex_match.ts";
import { extract } from "../../ops/string/regex_find.ts";
import { toDate } from "../../ops/string/to_time.ts";
import { toInteger } from "../../ops/string/to_integer.ts";
import { backward, before, callOfSpec, LIST, positions, spread } from "./list_functions.ts";
import {
  add,
  call,
  choose,
  column,
  compare,
  concat,
  INT32,
  INT64,
  literal,
  STRING,
} from "./trees.ts";

/** An expression whose generated code is kept in tests/golden. */
export interface GoldenTree {
  readonly name: string;
  readonly types: readonly ColumnType[];
  readonly tree: Tree;
}

const name = column(0);

/** The expressions. */
export const goldenTrees: readonly GoldenTree[] = [
  {
    name: "redact",
    types: [STRING, STRING],
    tree: choose(
      compare("==", column(1), literal("public")),
      concat(
        call("slice", call("splitPart", name, " ", 1), 0, 1),
        " ",
        call("splitPart", name, " ", 0),
      ),
      literal("X X"),
    ),
  },
  { name: "upper", types: [STRING], tree: call("upper", name) },
  {
    name: "strip_lower_slice",
    types: [STRING],
    tree: call("slice", call("lower", call("strip", name, " \t")), 0, 3),
  },
  { name: "lower_head", types: [STRING], tree: call("head", call("lower", name), 20) },
  {
    name: "to_integer",
    types: [STRING],
    tree: { node: "call", fn: toInteger.rowFunction("text"), text: name, args: [], type: INT64 },
  },
  {
    name: "to_date",
    types: [STRING],
    tree: { node: "call", fn: toDate.rowFunction("iso"), text: name, args: [], type: INT32 },
  },
  {
    name: "contains_re",
    types: [STRING],
    tree: {
      node: "call",
      fn: containsRe.rowFunction("bytes", { pattern: "[a-z]+\\d" }),
      text: name,
      args: [],
      type: { kind: "bool" },
    },
  },
  {
    name: "extract",
    types: [STRING],
    tree: {
      node: "call",
      fn: extract.rowFunction("row", { pattern: "(\\w+)@" }),
      text: name,
      args: [],
      type: STRING,
    },
  },
  { name: "contains", types: [STRING], tree: call("contains", name, "needle") },
  { name: "contains_column", types: [STRING, STRING], tree: call("contains", name, column(1)) },
  { name: "replace", types: [STRING], tree: call("replace", name, "-", ", ") },
  { name: "length", types: [STRING], tree: call("length", name) },
  { name: "reverse", types: [STRING], tree: call("reverse", name) },
  {
    name: "route",
    types: [STRING, STRING],
    tree: concat(column(0), " > ", call("upper", column(1))),
  },
  { name: "helpers", types: [STRING], tree: call("rotate", call("firstWord", name), 13) },
  { name: "scratch", types: [STRING], tree: call("twice", call("lastEight", name)) },
  {
    name: "repeat",
    types: [STRING, INT32],
    tree: call("upper", call("framed", name, "*-", column(1, INT32))),
  },
  {
    name: "add_int64",
    types: [INT64, INT64],
    tree: add(column(0, INT64), column(1, INT64)),
  },
  { name: "list_spread", types: [STRING], tree: callOfSpec(spread, name) },
  { name: "list_backward", types: [STRING], tree: callOfSpec(backward, name) },
  { name: "list_numbers", types: [STRING], tree: callOfSpec(positions, name, literal("-")) },
  {
    name: "list_item",
    types: [LIST, INT32],
    tree: callOfSpec(before, column(0, LIST), column(1, INT32)),
  },
];
