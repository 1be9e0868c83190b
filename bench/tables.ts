/**
 * The measurements without a contest, each as a table.
 *
 * @module
 */

import { measureBoxes } from "./boxes.ts";
import { measureStreams } from "./growth.ts";
import { measureMemory } from "./memory.ts";
import { measureOffsets } from "./offsets.ts";
import { measureRechunk } from "./rechunk.ts";
import { measureRowSizes, rowSizeNames } from "./row_sizes.ts";
import { measureGrowth } from "./slices.ts";
import { measureStages } from "./stages.ts";
import type { Lines, Results } from "./support/results.ts";
import type { SliceFiles } from "./support/slice_files.ts";

/** The options of a measurement. */
interface TableOptions {
  readonly numRounds: number;
  /** Results that charts show are added here too. */
  readonly results: Results;
  /** The most rows of growth, and the rows of joins. Default: that of each. */
  readonly numRows: number | undefined;
  /** The rows of the files of slices. */
  readonly numSliceRows: number;
  readonly sliceFiles: SliceFiles;
}

/** The most growth of the time of a slice for about ten times the rows of its file. */
const MOST_GROWTH = 1.2;

/** The measurements by name. */
export const tables: Readonly<Record<string, (options: TableOptions) => Promise<Lines>>> = {
  async "slices/growth"({ sliceFiles, numSliceRows, numRounds }) {
    const lines = [
      ["Slices, median ms", "Of about a tenth of the file", "Of the file", "Ratio"],
      ["---", "---:", "---:", "---:"],
    ];
    for await (
      const { job, smallMs, largeMs } of measureGrowth(sliceFiles, numSliceRows, numRounds)
    ) {
      const ratio = largeMs / smallMs;
      const judgement = `${ratio.toFixed(2)}${ratio > MOST_GROWTH ? ", MISSED" : ""}`;
      lines.push([job, smallMs.toFixed(2), largeMs.toFixed(2), judgement]);
    }
    return lines;
  },

  async sizes() {
    const lines = [
      ["MB/s on the host, bytes a row", ...rowSizeNames, "Fastest to slowest from 64 bytes"],
      ["---", ...rowSizeNames.map(() => "---:"), "---:"],
    ];
    for await (const { operation, speeds, spread } of measureRowSizes()) {
      const judgement = `${spread.toFixed(2)}${spread > 3 ? ", MISSED" : ""}`;
      lines.push([operation, ...speeds.map((speed) => speed.toFixed(0)), judgement]);
    }
    return lines;
  },

  async growth({ results, numRows }) {
    results.growth = await measureStreams(numRows);
    const lines = [
      [
        "Ten times the rows",
        "Processor ns a row",
        "Times the time",
        "Times the memory",
        "Peak MB",
        "",
      ],
      ["---", "---:", "---:", "---:", "---:", "---"],
    ];
    for (const [name, growth] of Object.entries(results.growth)) {
      const { nsOfRow, tenfold, memoryGrowth, points, isMissed } = growth;
      lines.push([
        name,
        nsOfRow.toFixed(1),
        tenfold?.toFixed(1) ?? "",
        memoryGrowth.toFixed(2),
        (points.at(-1)!.peakBytes / 1e6).toFixed(0),
        isMissed ? "MISSED" : "",
      ]);
    }
    return lines;
  },

  async stages({ results, numRows = 10_000_000 }) {
    results.stages = await measureStages(numRows);
    const lines = [["Whole process, ms by stage", "From", "For"], ["---", "---:", "---:"]];
    for (const { title, stages } of results.stages) {
      let from = 0;
      for (const { name, elapsedMs } of stages) {
        lines.push([`${title}: ${name}`, from.toFixed(0), elapsedMs.toFixed(0)]);
        from += elapsedMs;
      }
    }
    return lines;
  },

  async memory() {
    const million = (count: number) => `${(count / 1e6).toFixed(1)}`;
    const lines = [
      ["Stream job", "Million rows in", "Million rows out", "MB written", "Peak memory, MB"],
      ["---", "---:", "---:", "---:", "---:"],
    ];
    for await (const run of measureMemory()) {
      const { format, times, numRowsIn, numRowsOut, fileBytes, peakBytes } = run;
      lines.push([
        `flights to ${format}, ${times} times`,
        ...[numRowsIn, numRowsOut, fileBytes, peakBytes].map(million),
      ]);
    }
    return lines;
  },

  async offsets({ numRounds }) {
    const lines = [
      ["Text below the threshold, ms", "Before 64 bits", "Now", "Ratio", "After 64 bits", "Ratio"],
      ["---", "---:", "---:", "---:", "---:", "---:"],
    ];
    for (const { job, without, now, afterWide } of await measureOffsets(numRounds)) {
      const ratio = without === undefined ? "" : (now / without).toFixed(2);
      lines.push([
        job,
        ...[without?.toFixed(1) ?? "", now.toFixed(1), ratio],
        ...[afterWide.toFixed(1), (afterWide / now).toFixed(2)],
      ]);
    }
    return lines;
  },

  async rechunk({ numRounds }) {
    const lines = [
      ["Rechunked, 1.1 GB", "Median, ms", "GB/s", "Of a straight copy", "Of the bound"],
      ["---", "---:", "---:", "---:", "---:"],
    ];
    for await (const time of measureRechunk(numRounds)) {
      const { store, name, medianMs, speed, ofCopy, ofBound } = time;
      const ratios = [ofCopy.toFixed(2), ofBound?.toFixed(2) ?? ""];
      lines.push([`${store}: ${name}`, medianMs.toFixed(0), speed.toFixed(2), ...ratios]);
    }
    return lines;
  },

  async boxes({ numRounds }) {
    const lines: Lines = [];
    for await (const { job, speeds } of measureBoxes(numRounds)) {
      const names = Object.keys(speeds);
      if (lines.length === 0) {
        lines.push(["Boxes, GB/s", ...names], ["---", ...names.map(() => "---:")]);
      }
      lines.push([job, ...Object.values(speeds).map((speed) => speed.toFixed(2))]);
    }
    return lines;
  },
};
