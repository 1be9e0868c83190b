/**
 * The chart of a device: each kernel against a copy on the same device.
 *
 * @module
 */

import {
  ALL_KERNELS,
  copySpeed,
  type GpuResults,
  type KernelTime,
  shortLabel,
} from "../gpu/gpu_results.ts";
import { type Chart, drawChart, type Plot, type Theme, themes } from "./theme.ts";

/** Lengths in pixels. */
const WIDTH = 900;
const LABEL_WIDTH = 230;
const ROW_HEIGHT = 19;
const SEPARATOR = "\n";

interface Bar {
  /** The work and the kernel. */
  readonly row: string;
  readonly share: number;
  readonly isWhole: boolean;
  readonly label: string;
}

/** Returns the contents of the files by name; none if no kernel was measured against a copy. */
export async function drawGpuChart(results: GpuResults): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const chart = gpuChart(results);
  if (chart === undefined) return files;
  for (const theme of themes) files[`gpu-${theme.name}.svg`] = await drawChart(chart, theme);
  return files;
}

/** Returns the chart; undefined if there is nothing to show. */
function gpuChart(results: GpuResults): ((plot: Plot, theme: Theme) => Chart) | undefined {
  const { adapter, driver, kernels, copies, versions } = results;
  const speed = copySpeed(copies);
  const bars = kernels.flatMap(barOf);
  if (speed === null || bars.length === 0) return undefined;
  const works = [...new Set(kernels.map(({ work }) => work))]
    .filter((work) => bars.some(({ row }) => row.startsWith(work + SEPARATOR)));
  const rows = works.flatMap((work) => [
    work,
    ...bars.filter(({ row }) => row.startsWith(work + SEPARATOR)).map(({ row }) => row),
  ]);
  const most = Math.max(1, ...bars.map(({ share }) => share));
  return (plot, theme) => ({
    title: `Kernels of Sluice on ${adapter.name}`,
    notes: [
      `Bytes that must be read and written, in a second, against a copy on the device: ` +
      `${speed} GB/s`,
      `${driver ?? "timed by the clock of the device"}; Sluice ` +
      `${versions.commit ?? versions.sluice}, Deno ${versions.deno}, ${results.date.slice(0, 10)}`,
    ],
    series: [],
    width: WIDTH,
    height: 10 + ROW_HEIGHT * rows.length + 40,
    options: {
      marginLeft: LABEL_WIDTH,
      marginRight: 190,
      marginTop: 0,
      marginBottom: 40,
      x: { domain: [0, most], label: null },
      y: { domain: rows, label: null, type: "band", padding: 0.15 },
    },
    marks: [
      plot.gridX({ stroke: theme.grid, strokeOpacity: 1 }),
      plot.ruleX([1], { stroke: theme.faint, strokeDasharray: "4 3" }),
      plot.axisX({ tickFormat: "~g", label: null, color: theme.faint }),
      plot.axisY({
        ticks: rows.filter((row) => row.includes(SEPARATOR)),
        tickFormat: (row: string) => row.split(SEPARATOR)[1]!,
        tickSize: 0,
        label: null,
      }),
      plot.text(works, {
        y: (work: string) => work,
        text: (work: string) => work,
        frameAnchor: "left",
        textAnchor: "start",
        fontWeight: "bold",
        dx: 16 - LABEL_WIDTH,
      }),
      plot.barX(bars, {
        y: "row",
        x: "share",
        fill: ({ isWhole }: Bar) => isWhole ? theme.series[2]! : theme.series[0]!,
      }),
      plot.text(bars, { y: "row", x: "share", text: "label", textAnchor: "start", dx: 5 }),
    ],
  });
}

function barOf({ work, kernel, ms, gbPerSecond, shareOfCopy }: KernelTime): Bar[] {
  if (shareOfCopy === null) return [];
  return [{
    row: `${work}${SEPARATOR}${shortLabel(kernel)}`,
    share: shareOfCopy,
    isWhole: kernel === ALL_KERNELS,
    label: `${shareOfCopy.toFixed(2)}  ${ms} ms, ${gbPerSecond} GB/s`,
  }];
}
