/**
 * The chart of the string operations: a row for each operation, a column for each kind of text, and in each cell the
 * speed of each contender.
 *
 * @module
 */

import type { Results } from "../support/results.ts";
import { textKinds, type TextSubject, textSubjects } from "../support/texts.ts";
import { chartedContests, circumstances, ratioOf, seriesNames, shortened } from "./charted.ts";
import { type Chart, logTicks, type Plot, symbols, type Theme } from "./theme.ts";

/** A contender in one cell. */
interface Dot {
  readonly operation: string;
  readonly text: string;
  readonly series: string;
  /** GB of text read and written per second. */
  readonly speed: number;
}

/** The subject of contests in which nobody keeps a result. */
const HANDED_ON: TextSubject = "strings handed on";

/** Lengths in pixels. */
const ROW_HEIGHT = 26;
const COLUMN_WIDTH = 172;
const LABEL_WIDTH = 245;
/** The least width of the chart, since the lines above it do not wrap. */
const LEAST_WIDTH = 720;

/** Returns the chart of the contests about `strings`; undefined if there are none. */
export function textChart(results: Results): ((plot: Plot, theme: Theme) => Chart) | undefined {
  const whole = chartedContests(results, "strings");
  if (whole.length === 0) return undefined;
  const charted = [...whole, ...chartedContests(results, HANDED_ON)];
  const series = seriesNames(charted);
  const labelsOf = ({ contest: { labels } }: typeof charted[number]) => ({
    operation: shortened(`${labels["operation"]}`),
    text: titleOf(`${labels["text"]}`, labels["subject"] === HANDED_ON),
  });
  const dots = charted.flatMap((cell): Dot[] =>
    [...cell.times].map(([series, { medianMs }]) => ({
      ...labelsOf(cell),
      series,
      speed: cell.contest.numBytes / 1e6 / medianMs,
    }))
  );
  const ratios = charted.map((cell) => ({ ...labelsOf(cell), ratio: ratioOf(cell) }));
  const operations = [...new Set(ratios.map(({ operation }) => operation))];
  const titles = [false, true].flatMap((isHandedOn) =>
    Object.keys(textKinds).map((text) => titleOf(text, isHandedOn))
  );
  const columns = titles.filter((title) => ratios.some(({ text }) => text === title));
  const speeds = dots.map(({ speed }) => speed);
  const [least, most] = [Math.min(...speeds), Math.max(...speeds)];
  // Extends the scale by nearly half at the right, for the ratios.
  const domain = [0.9 * least, most * (most / least) ** 0.45] as const;
  const ticks = logTicks(least, most, most / least > 60 ? [1] : [1, 3]);
  const place = { fx: "text", y: "operation" } as const;
  return (plot, theme) => {
    const colorOf = (name: string) => theme.series[series.indexOf(name)]!;
    return {
      title: "Text computed in a second, by operation and kind of text",
      notes: [
        "GB read and written, medians, on a logarithmic scale; the numbers say how many times as " +
        "fast as the faster peer Sluice is",
        "Everyone keeps the whole result; where batches are handed on, nobody does",
        ...circumstances(results, charted),
      ],
      series,
      width: Math.max(LEAST_WIDTH, LABEL_WIDTH + COLUMN_WIDTH * columns.length + 16),
      height: 34 + ROW_HEIGHT * operations.length + 40,
      options: {
        marginLeft: LABEL_WIDTH,
        marginRight: 16,
        marginTop: 34,
        marginBottom: 40,
        fx: { domain: columns, label: null, padding: 0.06 },
        x: { type: "log", domain, label: null },
        y: { domain: operations, label: null, type: "band", padding: 0 },
      },
      marks: [
        plot.axisFx({ fontWeight: "bold", label: null, color: theme.text, dy: -4 }),
        plot.axisY({ tickSize: 0, fontFamily: "ui-monospace, monospace", label: null }),
        plot.axisX({ ticks, tickFormat: "~g", label: null, color: theme.faint }),
        plot.gridX({ stroke: theme.grid, strokeOpacity: 1, ticks }),
        plot.ruleY(spans(dots), { ...place, x1: "least", x2: "most", stroke: theme.grid }),
        series.toReversed().map((name) =>
          plot.dot(dots.filter((dot) => dot.series === name), {
            ...place,
            x: "speed",
            fill: colorOf(name),
            symbol: symbols[series.indexOf(name)]!,
            r: name === "Sluice" ? 5 : 4,
          })
        ),
        plot.text(ratios.filter(({ ratio }) => ratio !== undefined), {
          ...place,
          frameAnchor: "right",
          textAnchor: "end",
          text: ({ ratio }: typeof ratios[number]) => `${ratio!.toFixed(ratio! < 10 ? 2 : 1)}×`,
          fill: ({ ratio }: typeof ratios[number]) => ratio! >= 1 ? theme.text : theme.faint,
          fontWeight: "bold",
          dx: -2,
        }),
      ],
    };
  };
}

/** Returns the range from the slowest to the fastest of each cell. */
function spans(dots: readonly Dot[]) {
  const cells = Map.groupBy(dots, ({ operation, text }) => `${text}: ${operation}`);
  return [...cells.values()].map((cell) => ({
    ...cell[0]!,
    least: Math.min(...cell.map(({ speed }) => speed)),
    most: Math.max(...cell.map(({ speed }) => speed)),
  }));
}

function titleOf(text: string, isHandedOn: boolean): string {
  const title = Object.entries(textKinds).find(([name]) => name === text)?.[1].title ?? text;
  return isHandedOn ? title + textSubjects[HANDED_ON] : title;
}
