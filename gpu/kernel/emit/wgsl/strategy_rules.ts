/**
 * The rules by which a device uses other than the usual strategies: tiles instead of two passes for
 * text, several lanes instead of one for a row. They depend only on the kind of work, the number of
 * rows and their bytes; no program measures anything while it runs. Every strategy has the same
 * results.
 *
 * **The rules for cards are predictions: no card has run any strategy yet.** They were estimated
 * for an H100 (copies at 2.8 TB/s read and written, 50 MB of second-level cache, 132
 * multiprocessors), for kernels alone, without waits and transfers:
 *
 * - Five million rows of redact, 13 bytes each, take 0.35 to 0.5 ms in two passes, which move
 *   390 MB, and 0.2 to 0.35 ms in one, which moves 190 MB. 0.6 million rows, 47 MB, stay in the
 *   cache, so both take the same time. One pass should gain as much for other text that consists of
 *   pieces, for a filter and for a gather: a factor of 1.3 to 2 from about a million rows. With
 *   longer rows, each tile has several windows.
 * - Text that loops make is bound by their instructions, which both strategies run twice, and one
 *   pass repeats all of them if it guessed too few bytes: at best, both take the same time.
 * - Marks reduce the time for a search, count or comparison of rows of 512 bytes to 4 KB to between
 *   a quarter and a half; for 64 to 255 bytes only to between two thirds and all of it, for which
 *   another dispatch does not pay. Lanes that copy need no such dispatch and gain a little from 64
 *   bytes. Less than 8 MiB of text takes microseconds with either strategy, but milliseconds to
 *   compile.
 *
 * The rules for software adapters were measured on Mesa's lavapipe, with two busy cores, both
 * strategies in turn, the least of five times, 8 MB of text. There is no memory bandwidth to save,
 * and one pass took 2 to 5 times as long. With one lane a row, 256 lanes copy a text of 512 bytes
 * or more together; fewer lanes are faster: `text + "-"` took 148 ms with 32 lanes and 288 with one
 * in rows of 1,024 bytes, 110 and 199 in rows of 2,048, 86 and 161 in rows of 4,096, 35 and 43 for
 * 1,000 rows of 2,048 bytes, and 168 and 72 below 512 bytes. Marks took 0.5 to 2.3 times as long
 * from 512 bytes, and 3 times or more below.
 *
 * @module
 */

import type { RowKernel } from "../../ir/ir.ts";
import { boundOf } from "./print/text_bound.ts";

/**
 * Work for which there is another strategy. In one pass: text that consists of `pieces`, or that
 * `loops` make; rows that a `filter` or a `gather` selects. With several lanes a row: kernels for
 * which lanes leave `marks`, and those for which they only make `copies`.
 */
export type Work = "pieces" | "loops" | "filter" | "gather" | "marks" | "copies";

/** The size of some work. */
export interface WorkSize {
  readonly work: Work;
  readonly rows: number;
  /** The average bytes of a row's text. */
  readonly rowBytes: number;
}

/** A rule: the work for which the other strategy is used. */
export interface StrategyRule {
  readonly work: Work;
  readonly fewestRows: number;
  readonly fewestBytes: number;
  readonly mostBytes: number;
}

/** The rules for hardware that does not come through GL. */
export const CARD_RULES: readonly StrategyRule[] = rules([
  ["pieces", 1 << 20, 0, 256],
  ["filter", 1 << 20, 0, 1024],
  ["gather", 1 << 20, 0, 1024],
  ["marks", 1 << 15, 256, 511],
  ["marks", 1 << 14, 512, 4096],
  ["copies", 1 << 17, 64, 255],
  ["copies", 1 << 15, 256, 511],
  ["copies", 1 << 14, 512, 4096],
]);

/** The rules for software adapters that do not come through GL. */
export const SOFTWARE_RULES: readonly StrategyRule[] = rules([["copies", 1 << 10, 1024, 4096]]);

/** The rules for adapters that come through GL: none, since a chained scan hangs on some drivers. */
export const GL_RULES: readonly StrategyRule[] = rules([]);

/** Returns the rule by which work uses the other strategy; null if there is none. */
export function ruleFor(
  rules: readonly StrategyRule[],
  { work, rows, rowBytes }: WorkSize,
): StrategyRule | null {
  const rule = rules.find((rule) =>
    rule.work === work && rows >= rule.fewestRows &&
    rowBytes >= rule.fewestBytes && rowBytes < rule.mostBytes + 1
  );
  return rule ?? null;
}

/** Returns the kind of work that the text of a kernel is. */
export function textWork({ body }: Pick<RowKernel, "body">): "pieces" | "loops" {
  return boundOf(body).loops ? "loops" : "pieces";
}

/** Describes the rules for a kind of work, for `explain`; null if there are none. */
export function describeRules(work: Work): string | null {
  const card = describeRanges(CARD_RULES, work);
  const software = describeRanges(SOFTWARE_RULES, work);
  const all = [
    ...(card === null ? [] : [`on a card ${card} (predicted)`]),
    ...(software === null ? [] : [`on a software adapter ${software} (measured)`]),
  ];
  return all.length === 0 ? null : all.join(", ");
}

function describeRanges(rules: readonly StrategyRule[], work: Work): string | null {
  const own = rules.filter((rule) => rule.work === work);
  const ranges = own.map(({ fewestRows, fewestBytes, mostBytes }) => {
    const bytes = fewestBytes === 0 ? `up to ${mostBytes}` : `${fewestBytes} to ${mostBytes}`;
    return `from ${fewestRows} rows of ${bytes} bytes on`;
  });
  return ranges.length === 0 ? null : ranges.join(", ");
}

function rules(
  rows: readonly (readonly [Work, fewestRows: number, fewestBytes: number, mostBytes: number])[],
): readonly StrategyRule[] {
  return Object.freeze(
    rows.map(([work, fewestRows, fewestBytes, mostBytes]) =>
      Object.freeze({ work, fewestRows, fewestBytes, mostBytes })
    ),
  );
}
