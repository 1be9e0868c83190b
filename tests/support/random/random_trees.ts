import { add } from "../kernels/sums.ts";
import type { Tree } from "../../../gpu/kernel/tree/tree.ts";
import type { Value } from "../values/host_columns.ts";
import {
  BOOL,
  call,
  cast,
  choose,
  column,
  compare,
  concat,
  fillNull,
  INT32,
  INT64,
  isNull,
  literal,
  logic,
  not,
  STRING,
} from "../kernels/trees.ts";

/** Gives an integer from 0 to before `below`. */
export type Pick = (below: number) => number;

/** Types of the columns that `randomRow` fills and that random trees read. */
export const RANDOM_TYPES = [STRING, STRING, INT32, INT64, BOOL] as const;

const ASCII_PIECES = ["", "a", "b", "x", " ", "  ", "ab", "A", "Zz", "!", "1", "42", ",", "\n"];
const UNICODE_PIECES = ["é", "ß", "€", "𝄞", "É", "\u07ff", "\u0800", "\uffff"];
const LITERALS = ["", " ", "a", "ab", "x!", ",", "aé", "b 𝄞", "public visibility"];

function oneOf<T>(pick: Pick, items: readonly T[]): T {
  return items[pick(items.length)] as T;
}

/** Text of up to `pieces` pieces, of 1 to 4 byte characters unless it is to be ASCII. */
function randomText(pick: Pick, ascii: boolean, pieces = 8): string {
  const from = ascii ? ASCII_PIECES : [...ASCII_PIECES, ...UNICODE_PIECES];
  return Array.from({ length: pick(pieces) }, () => oneOf(pick, from)).join("");
}

/** Values for one row; one of 5 is null where the columns have nulls. */
export function randomRow(pick: Pick, ascii: boolean, nulls: boolean): Value[] {
  const edge = oneOf(pick, [0n, 1n, -1n, 2n ** 31n, -(2n ** 31n), 2n ** 63n - 1n, -(2n ** 63n)]);
  const values: Value[] = [
    randomText(pick, ascii),
    randomText(pick, ascii, 3),
    oneOf(pick, [0, 1, 2, 3, -1, -2, 5, 0x7fffffff, -0x80000000]),
    edge,
    pick(2) === 1,
  ];
  return values.map((value) => nulls && pick(5) === 0 ? null : value);
}

/** Trees that were made with the same numbers, and how deep they may be. */
const made = new WeakMap<Pick, { make: RandomTree; depth: number; tree: Tree }[]>();

type RandomTree = (pick: Pick, depth: number) => Tree;

/** Sometimes returns a tree a second time, so that equal calls stand at several places. */
function sometimesAgain(make: RandomTree): RandomTree {
  return (pick, depth) => {
    const trees = made.get(pick) ?? [];
    made.set(pick, trees);
    const fitting = trees.filter((other) => other.make === make && other.depth <= depth);
    if (depth > 0 && fitting.length > 0 && pick(5) === 0) return oneOf(pick, fitting).tree;
    const tree = make(pick, depth);
    if (depth > 0) trees.push({ make, depth, tree });
    return tree;
  };
}

/** A tree of text. */
export const randomTextTree: RandomTree = sometimesAgain(textTree);
/** A tree of int32. */
export const randomNumberTree: RandomTree = sometimesAgain(numberTree);
/** A tree of bool. */
export const randomTestTree: RandomTree = sometimesAgain(testTree);

function textTree(pick: Pick, depth: number): Tree {
  if (depth === 0 || pick(8) === 0) {
    return pick(4) === 0 ? literal(oneOf(pick, LITERALS)) : column(pick(2));
  }
  const text = () => randomTextTree(pick, depth - 1);
  const number = () => randomNumberTree(pick, depth - 1);
  switch (pick(29)) {
    case 0:
      return call("splitPart", text(), oneOf(pick, [" ", ",", "ab", "é"]), number());
    case 1:
      return call("slice", text(), number(), pick(3) === 0 ? 0x7fffffff : number());
    case 2:
      return call(
        "strip",
        text(),
        oneOf(pick, [" ", " \n!", "aéx", "abcdefghijklmnopqrstuvwxyz!é\n"]),
      );
    case 3:
      return call("pick", text());
    case 4:
      return call("upper", text());
    case 5:
      return call("lower", text());
    case 6:
      return call("grow", text(), oneOf(pick, [63, 0xe9, 0x1d11e]));
    case 7:
      return call("scramble", text());
    case 8:
      return call("replace", text(), oneOf(pick, ["a", "ab", " ", "é"]), text());
    case 9:
      return call("reverse", text());
    case 10:
      return call("untilMark", text(), 0x78);
    case 11:
      return fillNull(text(), text());
    case 12:
      return choose(randomTestTree(pick, depth - 1), text(), text());
    case 13:
      return call("rotate", text(), number());
    case 14:
      return call("firstWord", text());
    case 15:
      return call("lastEight", text());
    case 16:
      return call("twice", text());
    case 17:
      return call("ditto", text(), number());
    case 18:
      return call("framed", text(), oneOf(pick, [literal(" "), literal("é-"), text()]), number());
    case 19:
      return call("squeeze", text());
    case 20:
      return call("enumerate", text(), number(), number());
    case 21:
      return call("head", text(), number());
    case 22:
      return call("skip", text(), number());
    case 23:
      return call(
        "replaceChar",
        text(),
        oneOf(pick, ["a", " ", "é", "𝄞"]),
        oneOf(pick, [literal("_"), literal(""), text()]),
      );
    case 24:
      return call("shadow", text());
    case 25:
      return call("trim", text());
    case 26:
      return call("stitch", text(), oneOf(pick, [literal("-"), literal("é"), text()]), number());
    default:
      return concat(text(), oneOf(pick, LITERALS), text());
  }
}

function numberTree(pick: Pick, depth: number): Tree {
  if (depth === 0 || pick(4) === 0) return oneOf(pick, [column(2, INT32), literal(pick(5) - 2)]);
  const text = () => randomTextTree(pick, depth - 1);
  switch (pick(11)) {
    case 10:
      return call("swapped", text(), randomNumberTree(pick, depth - 1));
    case 9:
      return call("commonest", text());
    case 8:
      return call("countLetters", text(), text());
    case 0:
      return call("length", text());
    case 1:
      return call("byteLength", text());
    case 2:
      return call("find", text(), text(), pick(2) === 1);
    case 3:
      return call("digits", text());
    case 4:
      return cast(column(3, INT64), INT32);
    case 5:
      return add(randomNumberTree(pick, depth - 1), randomNumberTree(pick, depth - 1));
    case 6:
      return fillNull(randomNumberTree(pick, depth - 1), literal(7));
    default:
      return choose(
        randomTestTree(pick, depth - 1),
        randomNumberTree(pick, depth - 1),
        randomNumberTree(pick, depth - 1),
      );
  }
}

function testTree(pick: Pick, depth: number): Tree {
  if (depth === 0 || pick(6) === 0) return oneOf(pick, [column(4, BOOL), literal(pick(2) === 1)]);
  const op = oneOf(pick, ["==", "!=", "<", "<=", ">", ">="] as const);
  const test = () => randomTestTree(pick, depth - 1);
  switch (pick(9)) {
    case 0:
      return call("contains", randomTextTree(pick, depth - 1), randomTextTree(pick, depth - 1));
    case 1:
      return call("startsWith", randomTextTree(pick, depth - 1), randomTextTree(pick, depth - 1));
    case 2:
      return compare(op, randomTextTree(pick, depth - 1), randomTextTree(pick, depth - 1));
    case 3:
      return compare(op, randomNumberTree(pick, depth - 1), randomNumberTree(pick, depth - 1));
    case 4:
      return compare(op, cast(randomNumberTree(pick, depth - 1), INT64), column(3, INT64));
    case 5:
      return logic(pick(2) === 0 ? "and" : "or", test(), test());
    case 6:
      return not(test());
    case 7:
      return isNull(oneOf(pick, [randomTextTree, randomNumberTree])(pick, depth - 1));
    default:
      return fillNull(test(), test());
  }
}
