/**
 * Draws all charts that results have data for, on light and on dark.
 *
 * @module
 */

import type { Results } from "../support/results.ts";
import { rowsChart } from "./rows_chart.ts";
import { textChart } from "./text_chart.ts";
import { drawChart, themes } from "./theme.ts";

const charts = { strings: textChart, rows: rowsChart } as const;

/** The SVG files by their names, such as `strings-dark.svg`. */
export async function drawCharts(results: Results): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [name, chartOf] of Object.entries(charts)) {
    const chart = chartOf(results);
    if (chart === undefined) continue;
    for (const theme of themes) files[`${name}-${theme.name}.svg`] = await drawChart(chart, theme);
  }
  return files;
}
