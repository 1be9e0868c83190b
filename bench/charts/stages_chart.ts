/**
 * The chart of the time of whole processes: a bar for each stage, which begins where the one above it ends, and the
 * total below.
 *
 * @module
 */

import type { Results } from "../support/results.ts";
import type { StagedJob } from "../stages.ts";
import { machineText } from "./charted.ts";
import type { Chart, Plot, Theme } from "./theme.ts";

interface Bar {
  /** The job and the stage. */
  readonly row: string;
  readonly from: number;
  readonly to: number;
  readonly isWhole: boolean;
  readonly label: string;
}

/** Lengths in pixels. */
const WIDTH = 900;
const LABEL_WIDTH = 210;
const ROW_HEIGHT = 21;
const SEPARATOR = "\n";

/** Returns the chart of the stages; undefined if there are none. */
export function stagesChart(results: Results): ((plot: Plot, theme: Theme) => Chart) | undefined {
  const { stages: jobs = [] } = results;
  if (jobs.length === 0) return undefined;
  const bars = jobs.flatMap(barsOf);
  const rows = jobs.flatMap((job) => [job.title, ...barsOf(job).map(({ row }) => row)]);
  const most = Math.max(...bars.map(({ to }) => to));
  return (plot, theme) => ({
    title: "Where the time of a whole process of Sluice goes",
    notes: [
      "Milliseconds from its start to its exit, one stage after the other; of five runs the one in " +
      "the middle",
      "A step has the time that the next one waited for it, threads and workers included",
      machineText(results),
    ],
    series: [],
    width: WIDTH,
    height: 10 + ROW_HEIGHT * rows.length + 40,
    options: {
      marginLeft: LABEL_WIDTH,
      marginRight: 60,
      marginTop: 0,
      marginBottom: 40,
      x: { domain: [0, most], label: null },
      y: { domain: rows, label: null, type: "band", padding: 0.15 },
    },
    marks: [
      plot.gridX({ stroke: theme.grid, strokeOpacity: 1 }),
      plot.axisX({ tickFormat: (value: number) => `${value} ms`, label: null, color: theme.faint }),
      plot.axisY({
        ticks: rows.filter((row) => row.includes(SEPARATOR)),
        tickFormat: (row: string) => row.split(SEPARATOR)[1]!.trim(),
        tickSize: 0,
        label: null,
      }),
      plot.text(jobs, {
        y: "title",
        text: "title",
        frameAnchor: "left",
        textAnchor: "start",
        fontWeight: "bold",
        dx: 6 - LABEL_WIDTH + 10,
      }),
      plot.barX(bars, {
        y: "row",
        x1: "from",
        x2: "to",
        fill: ({ isWhole }: Bar) => isWhole ? theme.series[2]! : theme.series[0]!,
      }),
      plot.text(bars, { y: "row", x: "to", text: "label", textAnchor: "start", dx: 5 }),
    ],
  });
}

function barsOf({ title, stages, processorMs }: StagedJob): Bar[] {
  let from = 0;
  const bars = stages.map(({ name, elapsedMs }, index): Bar => {
    const to = from + elapsedMs;
    // Blanks keep the rows of equal names apart.
    const bar = { row: `${title}${SEPARATOR}${name}${" ".repeat(index)}`, from, to };
    from = to;
    return { ...bar, isWhole: false, label: elapsedMs.toFixed(0) };
  });
  const label = `${from.toFixed(0)}`;
  const name = `whole; processors ${processorMs.toFixed(0)}`;
  return [...bars, { row: `${title}${SEPARATOR}${name}`, from: 0, to: from, isWhole: true, label }];
}
