/** Rows by position in SQL: conditions on `_row`, which counts from 1. */

import { quoted } from "./duck_exprs.ts";
import { type Query, renumbered } from "./duck_query.ts";
import type { CaseRows } from "./fuzz_case.ts";
import type { PickStep } from "./pick_model.ts";

/** Which rows of `input`, and what they are ordered by. */
interface Range {
  readonly test: string;
  readonly order: string;
}

const COUNT = "(SELECT count(*) FROM input)";

/** The rows of a step, which must exist. */
export function pickSql({ sql, columns }: Query, step: PickStep): Query {
  const list = [...columns.keys()].map(quoted).join(", ");
  const parts = partsOf(step).map((part, index) => {
    const { test, order } = typeof part === "number" ? rowSql(part) : rangeSql(part);
    return `SELECT ${index} AS _part, ${order} AS _place, ${list} FROM input WHERE ${test}`;
  });
  if (parts.length === 0) return renumbered(`FROM (${sql}) WHERE false`, columns);
  return renumbered(
    `FROM (WITH input AS (${sql}) ${parts.join(" UNION ALL ")})`,
    columns,
    "_part, _place",
  );
}

/** A step as a list. */
function partsOf(step: PickStep): readonly CaseRows[] {
  switch (step.do) {
    case "slice":
      return [[step.start, step.stop, step.step]];
    case "head":
      return [[0, step.count, null]];
    case "tail":
      // Before the front there is no row -0.
      return [step.count === 0 ? [0, 0, null] : [-step.count, null, null]];
    case "at":
      return [step.row];
    case "take":
      return step.rows;
  }
}

function rowSql(row: number): Range {
  return { test: `_row = ${row < 0 ? `${COUNT} + ${row + 1}` : row + 1}`, order: "_row" };
}

/** A range whose first row is the one at `start` or the nearest to it in the direction of the step. */
function rangeSql([start, stop, step]: CaseRows & object): Range {
  const at = (bound: number) => bound < 0 ? `(${COUNT} + ${bound + 1})` : `${bound + 1}`;
  if ((step ?? 1) > 0) {
    const first = start === null ? "1" : `greatest(${at(start)}, 1)`;
    const end = stop === null ? "true" : `_row < ${at(stop)}`;
    return {
      test: `_row >= ${first} AND ${end} AND (_row - ${first}) % ${step ?? 1} = 0`,
      order: "_row",
    };
  }
  const first = start === null ? COUNT : `least(${at(start)}, ${COUNT})`;
  const end = stop === null ? "true" : `_row > ${at(stop)}`;
  return {
    test: `_row <= ${first} AND ${end} AND (${first} - _row) % ${-step!} = 0`,
    order: "-_row",
  };
}
