/** Random requests for rows, and the rows that they mean, found by going from row to row. */

import type { RowPick, RowRequest } from "../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../streams/rows/row_slice.ts";
import type { Draws, SeededRandom } from "../random/seeded_random.ts";

type Bound = number | null;
type Part = number | readonly [start: Bound, stop: Bound, step: number];

/** A request, and the positions that it means. */
interface WrittenRequest {
  readonly request: RowRequest;
  readonly rows: readonly number[];
  /** As a person writes it. */
  readonly text: string;
}

/** Kinds of requests that `randomRequest` notes as drawn. */
export const requestKinds = ["slice", "back", "steps", "list", "chain"] as const;

/** A request for rows of `numRows`; its single rows exist. */
export function randomRequest(
  random: SeededRandom,
  numRows: number,
  draws?: Draws,
): WrittenRequest {
  const picks: RowPick[] = [];
  const texts: string[] = [];
  let rows = Array.from({ length: numRows }, (_, row) => row);
  const numPicks = random.chance(0.2) ? 2 : 1;
  if (numPicks > 1) draws?.add("chain");
  for (let count = 0; count < numPicks; count++) {
    const isList = random.chance(0.3);
    const parts = Array.from(
      { length: isList ? random.below(6) : 1 },
      () =>
        isList && rows.length > 0 && random.chance(0.6)
          ? random.below(2 * rows.length) - rows.length
          : randomBounds(random, rows.length),
    );
    if (isList) draws?.add("list");
    else {
      const [, , step] = parts[0] as readonly [Bound, Bound, number];
      draws?.add(step < 0 ? "back" : step > 1 ? "steps" : "slice");
    }
    const slices = parts.map((part) => typeof part === "number" ? part : rowSlice(...part));
    picks.push(isList ? { kind: "list", parts: slices } : slices[0] as RowPick);
    texts.push(parts.map((part) => typeof part === "number" ? part : part.join(":")).join());
    rows = parts.flatMap((part) => positions(part, rows.length).map((at) => rows[at]!));
  }
  return { request: picks as unknown as RowRequest, rows, text: texts.join(" then ") };
}

function randomBounds(random: SeededRandom, numRows: number): [Bound, Bound, number] {
  const bound = () => random.chance(0.3) ? null : random.below(2 * numRows + 6) - numRows - 3;
  return [bound(), bound(), random.pick([1, 1, 2, 7, -1, -3])];
}

/** The positions of a part, by Python's rules. */
function positions(part: Part, numRows: number): number[] {
  if (typeof part === "number") return [part < 0 ? part + numRows : part];
  const [start, stop, step] = part;
  const [least, most] = step > 0 ? [0, numRows] : [-1, numRows - 1];
  const clamp = (at: number) => Math.min(Math.max(at < 0 ? at + numRows : at, least), most);
  const first = start === null ? (step > 0 ? least : most) : clamp(start);
  const end = stop === null ? (step > 0 ? most : least) : clamp(stop);
  const rows: number[] = [];
  for (let row = first; step > 0 ? row < end : row > end; row += step) rows.push(row);
  return rows;
}
