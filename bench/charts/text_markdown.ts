/**
 * Prints the numbers of the chart of string operations as a table for a page.
 *
 * @module
 */

import { formatMarkdown } from "../support/judge.ts";
import type { Results } from "../support/results.ts";
import { textKinds } from "../support/texts.ts";
import { chartedContests, circumstances, msText, ratioOf } from "./charted.ts";

/**
 * Returns a table with a row for each operation and a column for each kind of text: our milliseconds, and our speed
 * as a multiple of that of the faster peer. Undefined if nothing was measured.
 */
export function textMarkdown(results: Results): string | undefined {
  const charted = chartedContests(results, "strings");
  if (charted.length === 0) return undefined;
  const kinds = Object.entries(textKinds).filter(([name]) =>
    charted.some(({ contest }) => contest.labels["text"] === name)
  );
  const rowsOf = (kind: string) => {
    const numRows = charted.find(({ contest }) => contest.labels["text"] === kind)!.contest.numRows;
    return numRows.toLocaleString("en");
  };
  const byOperation = Map.groupBy(charted, ({ contest }) => `${contest.labels["operation"]}`);
  const lines = [
    ["expression", ...kinds.map(([kind, { title }]) => `${rowsOf(kind)} ${title}`)],
    ["---", ...kinds.map(() => "---:")],
    ...[...byOperation].map(([operation, cells]) => [
      `\`${operation}\``,
      ...kinds.map(([kind]) => {
        const cell = cells.find(({ contest }) => contest.labels["text"] === kind);
        const ms = cell?.times.get("Sluice")?.medianMs;
        return ms === undefined ? "" : `${msText(ms)}, ${ratioOf(cell!)!.toFixed(2)}x`;
      }),
    ]),
  ];
  return [
    "Milliseconds of Sluice, and how many times as fast as the faster peer that is. Everyone keeps",
    "the whole result, and the results are equal. Medians.",
    "",
    formatMarkdown(lines),
    "",
    ...circumstances(results, charted).map((line) => `${line}  `),
    "",
  ].join("\n");
}
