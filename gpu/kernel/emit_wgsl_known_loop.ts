/** @module */

import { matchName } from "./emit_wgsl_match.ts";
import { spaceName } from "./emit_wgsl_repeat.ts";
import { localName, printScalar, printUnsigned } from "./emit_wgsl_scalar.ts";
import type { Count, Match, Seek, Stmt } from "./ir.ts";

/**
 * The lines that stand for a loop of which it is known that it counts characters, compares texts, or
 * makes a search that `shareSeek` prints; null for other loops.
 */
export function printKnownLoop(
  { count, match, seek }: Stmt & { do: "loop" },
  shareSeek: ((seek: Seek) => string) | null,
): string[] | null {
  if (count !== undefined) return printCounting(count);
  if (match !== undefined) return [printMatching(match)];
  if (seek === undefined || shareSeek === null) return null;
  return [`${localName(seek.at)} = ${shareSeek(seek)};`];
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
