/**
 * The chart of growth: a row for each operator, with the time of a row of the stream, the growth of the time for ten
 * times the rows, and the peak memory at growing numbers of rows.
 *
 * @module
 */

import type { Growth } from "../growth.ts";
import type { Results } from "../support/results.ts";
import { machineText } from "./charted.ts";
import { type Chart, type Plot, symbols, type Theme } from "./theme.ts";

/** A dot; `x` is a position across all panels, each of width 1. */
interface Dot {
  readonly name: string;
  readonly x: number;
  readonly size: number;
  readonly isMissed: boolean;
}

/** A part of the chart with its own scale. */
interface Panel {
  readonly title: string;
  readonly ticks: readonly number[];
  /** Returns the position of a value, from 0 to 1. */
  at(value: number): number;
}

/** Lengths in pixels. */
const WIDTH = 1000;
const LABEL_WIDTH = 200;
const ROW_HEIGHT = 19;

/** The share of a panel that is blank at its right. */
const GAP = 0.06;
/** The numbers of rows whose memory is shown, besides the most, and the sizes of their dots. */
const SHOWN_ROWS = [100_000, 1_000_000, 10_000_000];
const SIZES = [2, 3, 4, 5.5];
/** The range of growth that counts as linear. */
const LINEAR = [7, 13] as const;

/** Returns the chart of the growth; undefined if nothing was measured. */
export function growthChart(results: Results): ((plot: Plot, theme: Theme) => Chart) | undefined {
  const { growth } = results;
  if (growth === undefined) return undefined;
  const all = Object.entries(growth);
  const names = all.map(([name]) => name);
  const panels = panelsOf(all.map(([, growth]) => growth));
  const place = (panel: number, value: number) => panel + (1 - GAP) * panels[panel]!.at(value);
  const dots = all.flatMap(([name, growth]) => dotsOf(name, growth, place));
  const ticks = panels.flatMap(({ ticks }, panel) =>
    ticks.map((tick) => ({ x: place(panel, tick), text: tick.toLocaleString("en") }))
  );
  const most = all[0]![1].points.at(-1)!.numRows;
  return (plot, theme) => ({
    title: `Operators over streams of 10,000 to ${most.toLocaleString("en")} rows`,
    notes: [
      "Each in a process of its own. Processor time of a row; that of ten times the rows, which is 10 " +
      "where it is linear (the band);",
      "the peak of memory of the process at 10⁵, 10⁶, 10⁷ and the most rows, small to large: " +
      "what is flat lies on one place",
      machineText(results),
    ],
    series: ["linear and flat", "not"],
    width: WIDTH,
    height: 34 + ROW_HEIGHT * names.length + 36,
    options: {
      marginLeft: LABEL_WIDTH,
      marginRight: 16,
      marginTop: 34,
      marginBottom: 36,
      r: { type: "identity" },
      x: { domain: [0, panels.length], label: null, axis: null },
      y: { domain: names, label: null, type: "band", padding: 0 },
    },
    marks: [
      plot.rect([0], {
        x1: () => place(1, LINEAR[0]),
        x2: () => place(1, LINEAR[1]),
        fill: theme.grid,
        fillOpacity: 0.5,
      }),
      plot.ruleX(ticks, { x: "x", stroke: theme.grid }),
      plot.ruleY(names, { stroke: theme.grid, strokeOpacity: 0.6 }),
      plot.axisY({ tickSize: 0, label: null }),
      plot.text(ticks, {
        x: "x",
        text: "text",
        frameAnchor: "bottom",
        dy: 16,
        fill: theme.faint,
      }),
      plot.text(panels, {
        x: (_: Panel, panel: number) => panel,
        text: "title",
        frameAnchor: "top",
        textAnchor: "start",
        fontWeight: "bold",
        dy: -20,
      }),
      [false, true].map((isMissed) =>
        plot.dot(dots.filter((dot) => dot.isMissed === isMissed), {
          x: "x",
          y: "name",
          r: "size",
          fill: theme.series[isMissed ? 1 : 0]!,
          fillOpacity: 0.75,
          symbol: symbols[isMissed ? 1 : 0],
        })
      ),
    ],
  });
}

function dotsOf(
  name: string,
  { points, nsOfRow, tenfold, memoryGrowth, isMissed }: Growth,
  place: (panel: number, value: number) => number,
): Dot[] {
  const isTimeMissed = isMissed && tenfold !== undefined &&
    tenfold > LINEAR[1];
  const isMemoryMissed = isMissed && !isTimeMissed || memoryGrowth > 1.5;
  const shown = points.filter((point) =>
    SHOWN_ROWS.includes(point.numRows) || point === points.at(-1)
  );
  return [
    ...(nsOfRow > 0 ? [{ name, x: place(0, nsOfRow), size: 4.5, isMissed: false }] : []),
    ...(tenfold === undefined
      ? []
      : [{ name, x: place(1, tenfold), size: 4.5, isMissed: isTimeMissed }]),
    ...shown.map((point, index) => ({
      name,
      x: place(2, point.peakBytes / 1e6),
      size: SIZES[index]!,
      isMissed: isMemoryMissed,
    })),
  ];
}

function panelsOf(all: readonly Growth[]): Panel[] {
  const [least, most] = [0.5, Math.max(...all.map(({ nsOfRow }) => nsOfRow), 10)];
  const mostTenfold = Math.max(20, ...all.map(({ tenfold }) => tenfold ?? 0));
  const mostBytes = Math.max(...all.flatMap(({ points }) => points.map((p) => p.peakBytes)));
  const step = mostBytes > 1e9 ? 500 : 100;
  return [
    {
      title: "ns of processors a row, logarithmic",
      ticks: [1, 10, 100, 1000].filter((tick) => tick <= most),
      at: (value) => Math.log(Math.max(value, least) / least) / Math.log(most / least),
    },
    {
      title: "times the time for ten times the rows",
      ticks: [0, 5, 10, 15, 20],
      at: (value) => Math.max(0, value) / mostTenfold,
    },
    {
      title: "peak memory, MB",
      ticks: Array.from({ length: Math.floor(mostBytes / 1e6 / step) + 1 }, (_, k) => k * step),
      at: (value) => value * 1e6 / mostBytes,
    },
  ];
}
