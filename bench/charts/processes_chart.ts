/**
 * The chart of jobs from files to a file: a bar for the time of each contender, with its processor time and memory
 * beside it.
 *
 * @module
 */

import type { ContenderResult, Results } from "../support/results.ts";
import { chartedContests, circumstances, seriesNames } from "./charted.ts";
import type { Chart, Plot, Theme } from "./theme.ts";

interface Bar {
  readonly job: string;
  readonly series: string;
  readonly seconds: number;
  readonly label: string;
}

/** Lengths in pixels. */
const WIDTH = 900;
const LABEL_WIDTH = 76;
const BAR_HEIGHT = 22;
const TITLE_HEIGHT = 30;

/** Returns the chart of the contests about `processes` and `flights`; undefined if there are none. */
export function processesChart(
  results: Results,
): ((plot: Plot, theme: Theme) => Chart) | undefined {
  const charted = ["processes", "flights"].flatMap((subject) => chartedContests(results, subject));
  if (charted.length === 0) return undefined;
  const series = seriesNames(charted);
  const bars = charted.flatMap(({ contest, times }): Bar[] =>
    [...times].map(([series, contender]) => ({
      job: titleOf(contest.labels, contest.numRows),
      series,
      seconds: contender.medianMs / 1000,
      label: labelOf(contender),
    }))
  );
  const jobs = [...new Set(bars.map(({ job }) => job))];
  const most = Math.max(...bars.map(({ seconds }) => seconds));
  const place = { fy: "job", y: "series" } as const;
  return (plot, theme) => ({
    title: "From files to a file: seconds, processor time and peak memory",
    notes: [
      "Medians; a process from start to exit, or within one process that has done it before",
      ...circumstances(results, charted),
    ],
    series: [],
    width: WIDTH,
    height: 10 + jobs.length * (series.length * BAR_HEIGHT + TITLE_HEIGHT) + 40,
    options: {
      marginLeft: LABEL_WIDTH,
      marginRight: 16,
      marginTop: 10,
      marginBottom: 40,
      fy: { domain: jobs, label: null, axis: null, padding: 0 },
      // Room at the right for the labels.
      x: { domain: [0, 1.45 * most], label: null },
      y: {
        domain: series,
        label: null,
        type: "band",
        paddingInner: 0.15,
        paddingOuter: TITLE_HEIGHT / BAR_HEIGHT / 2,
      },
    },
    marks: [
      plot.gridX({ stroke: theme.grid, strokeOpacity: 1 }),
      plot.axisX({ tickFormat: (value: number) => `${value} s`, label: null, color: theme.faint }),
      plot.axisY({ tickSize: 0, label: null }),
      plot.text(jobs.map((job) => ({ job })), {
        fy: "job",
        text: "job",
        frameAnchor: "top-left",
        fontWeight: "bold",
        dx: 4 - LABEL_WIDTH + 12,
        dy: -1,
      }),
      plot.barX(bars, {
        ...place,
        x: "seconds",
        fill: ({ series: name }: Bar) => theme.series[series.indexOf(name)]!,
      }),
      plot.text(bars, { ...place, x: "seconds", text: "label", textAnchor: "start", dx: 6 }),
    ],
  });
}

function titleOf(labels: Readonly<Record<string, string | number>>, numRows: number): string {
  const format = labels["format"] === "arrow"
    ? "to Arrow, DuckDB to Parquet, uncompressed"
    : "to Parquet, snappy";
  return labels["subject"] === "processes"
    ? `A process: ${labels["operation"]}, ${format}`
    : `Warm: ${labels["operation"]}, ${numRows.toLocaleString("en")} rows, ${format}`;
}

function labelOf({ medianMs, processorMs, peakBytes }: ContenderResult): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  return [
    seconds(medianMs),
    ...(processorMs === undefined ? [] : [`processors ${seconds(processorMs)}`]),
    ...(peakBytes === undefined ? [] : [`${(peakBytes / 1e6).toFixed(0)} MB`]),
  ].join(" · ");
}
