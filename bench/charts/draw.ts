/**
 * Draws all charts for which results have data, in light and dark, and prints their tables.
 *
 * @module
 */

import { formatMarkdown } from "../support/judge.ts";
import type { Results } from "../support/results.ts";
import { machineText } from "./charted.ts";
import { growthChart } from "./growth_chart.ts";
import { processesChart } from "./processes_chart.ts";
import { rowsChart } from "./rows_chart.ts";
import { stagesChart } from "./stages_chart.ts";
import { textChart } from "./text_chart.ts";
import { textMarkdown } from "./text_markdown.ts";
import { drawChart, themes } from "./theme.ts";

const charts = {
  strings: textChart,
  rows: rowsChart,
  processes: processesChart,
  stages: stagesChart,
  growth: growthChart,
} as const;

/** Returns the contents of the files by name, such as `strings-dark.svg` and `strings.md`. */
export async function drawCharts(results: Results): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [name, chartOf] of Object.entries(charts)) {
    const chart = chartOf(results);
    if (chart === undefined) continue;
    for (const theme of themes) files[`${name}-${theme.name}.svg`] = await drawChart(chart, theme);
  }
  const markdown = textMarkdown(results);
  if (markdown !== undefined) files["strings.md"] = markdown;
  for (const [name, lines] of Object.entries(results.tables)) {
    files[`${name.replaceAll("/", "-")}.md`] = `${formatMarkdown(lines)}\n\n${
      machineText(results)
    }\n`;
  }
  return files;
}
