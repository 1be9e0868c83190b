/**
 * The chart of speed against the number of rows: a column for each operation, a line for each
 * contender.
 *
 * @module
 */

import type { Results } from "../support/results.ts";
import { chartedContests, circumstances, seriesNames, shortened } from "./charted.ts";
import { type Chart, logTicks, type Plot, symbols, type Theme } from "./theme.ts";

/** A contender at one number of rows. */
interface Point {
  readonly operation: string;
  readonly rows: number;
  readonly series: string;
  /** Million rows per second: at the median, and at the slower and the faster quartile of the runs. */
  readonly speed: number;
  readonly low: number;
  readonly high: number;
}

/** Lengths in pixels. */
const COLUMN_WIDTH = 270;
const HEIGHT = 330;

/** Returns the chart of the contests about `rows`; undefined if there are none. */
export function rowsChart(results: Results): ((plot: Plot, theme: Theme) => Chart) | undefined {
  const charted = chartedContests(results, "rows");
  if (charted.length === 0) return undefined;
  const series = seriesNames(charted);
  const points = charted.flatMap(({ contest: { labels, numRows }, times }): Point[] =>
    [...times].map(([series, { medianMs, quartilesMs: [fast, slow] }]) => ({
      operation: shortened(`${labels["operation"]}`),
      rows: numRows,
      series,
      speed: numRows / 1e3 / medianMs,
      low: numRows / 1e3 / slow,
      high: numRows / 1e3 / fast,
    }))
  ).sort((a, b) => a.rows - b.rows);
  const operations = [...new Set(points.map(({ operation }) => operation))];
  const ticksOf = (values: readonly number[], steps: readonly number[]) =>
    logTicks(Math.min(...values), Math.max(...values), steps);
  const rowTicks = ticksOf(points.map(({ rows }) => rows), [1]);
  const speedTicks = ticksOf(points.flatMap(({ low, high }) => [low, high]), [1, 3]);
  const place = { fx: "operation", x: "rows" } as const;
  return (plot, theme) => ({
    title: "Rows in a second against rows in all, real names",
    notes: [
      "Million rows in a second, medians, with the middle half of the runs; both scales logarithmic",
      ...circumstances(results, charted),
    ],
    series,
    width: 60 + COLUMN_WIDTH * operations.length + 16,
    height: HEIGHT,
    options: {
      marginLeft: 60,
      marginRight: 16,
      marginTop: 34,
      marginBottom: 40,
      fx: { domain: operations, label: null, padding: 0.1 },
      x: { type: "log", label: null },
      y: { type: "log", label: null },
    },
    marks: [
      plot.axisFx({ fontWeight: "bold", label: null, color: theme.text, dy: -4 }),
      plot.axisX({ ticks: rowTicks, tickFormat: "~s", label: null, color: theme.faint }),
      plot.axisY({ ticks: speedTicks, tickFormat: "~g", label: null, color: theme.faint }),
      plot.gridX({ stroke: theme.grid, strokeOpacity: 1, ticks: rowTicks }),
      plot.gridY({ stroke: theme.grid, strokeOpacity: 1, ticks: speedTicks }),
      series.toReversed().map((name) => {
        const own = points.filter((point) => point.series === name);
        const color = theme.series[series.indexOf(name)]!;
        return [
          plot.ruleX(own, {
            ...place,
            y1: "low",
            y2: "high",
            stroke: color,
            strokeWidth: 3,
            strokeOpacity: 0.4,
          }),
          plot.lineY(own, { ...place, y: "speed", stroke: color, strokeWidth: 1.5 }),
          plot.dot(own, {
            ...place,
            y: "speed",
            fill: color,
            symbol: symbols[series.indexOf(name)]!,
            r: 4,
          }),
        ];
      }),
    ],
  });
}
