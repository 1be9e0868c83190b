/** @module */

import { followName } from "./follow.ts";
import { matchName } from "./match.ts";
import { spaceName } from "./space.ts";
import { localName, printScalar, printUnsigned } from "./scalar.ts";
import type { Count, Follow, Match, Seek, Stmt } from "../../ir/ir.ts";

/**
 * The lines that stand for a loop of which it is known that it counts characters or compares texts;
 * for long rows, where `shareSeek` prints searches, also that it searches or follows states. Null for
 * other loops.
 */
export function printKnownLoop(
  { idiom }: Stmt & { do: "loop" },
  shareSeek: ((seek: Seek) => string) | null,
): string[] | null {
  switch (idiom?.does) {
    case "count":
      return printCounting(idiom);
    case "match":
      return [printMatching(idiom)];
    case "follow":
      return shareSeek && printFollowing(idiom);
    case "seek":
      return shareSeek && [`${localName(idiom.at)} = ${shareSeek(idiom)};`];
    default:
      return null;
  }
}

function printFollowing(follow: Follow): string[] {
  const [state, place, end] = [
    localName(follow.state),
    localName(follow.at),
    printScalar(follow.stop),
  ];
  return [
    `${state} = ${followName(follow)}(${state}, ${place}, ${end});`,
    `${place} = max(${place}, ${end});`,
  ];
}

function printCounting({ total, at, stop, column }: Count): string[] {
  const [sum, place, end] = [localName(total), localName(at), printScalar(stop)];
  return [
    `${sum} = ${sum} + count_characters${column}(${place}, ${end});`,
    `${place} = max(${place}, ${end});`,
  ];
}

function printMatching({ offset, size, left, right }: Match): string {
  const name = matchName(spaceName(left.space), spaceName(right.space));
  const at = localName(offset);
  const operands = [left.start, right.start].map(printUnsigned).join(", ");
  return `${at} = bitcast<i32>(${name}(${operands}, bitcast<u32>(${at}), ${printUnsigned(size)}));`;
}
