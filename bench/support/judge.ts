/**
 * Judges the targets of contests, and formats the table of results.
 *
 * @module
 */

import type { Contest, Target } from "./contest.ts";
import type { Measured } from "./measure.ts";

/** A target and the measured ratio. */
interface Judgement {
  readonly target: Target;
  /** Our measured speed as a multiple of the other's. */
  readonly ratio: number;
  readonly reached: boolean;
}

/** Judges our time on the host by the targets. */
export function judge({ targets }: Contest, measured: readonly Measured[]): Judgement[] {
  const { medianMs } = measured.find(isOursOnHost)!;
  return targets.map((target) => {
    const others = measured.filter(({ contender }) =>
      target.against === "the faster peer"
        ? contender.role === "peer"
        : contender.name === target.against
    );
    const ratio = Math.min(...others.map((other) => other.medianMs)) / medianMs;
    return { target, ratio, reached: ratio >= target.factor };
  });
}

/** The head of the table. */
export const tableHead: readonly (readonly string[])[] = [
  ["Job", "Who", "Device", "Rows", "MB", "Median ms", "CPU ms", "GB/s", "Sluice on the host"],
  ["---", "---", "---", "---:", "---:", "---:", "---:", "---:", "---"],
];

/** Returns the lines of the table for one contest. */
export function tableRows(
  { name, numRows, numBytes }: Contest,
  measured: readonly Measured[],
): string[][] {
  const ours = measured.find(isOursOnHost)!;
  return measured.map(({ contender, medianMs, processorMs }) => [
    name,
    contender.name,
    contender.device,
    numRows.toLocaleString("en"),
    (numBytes / 1e6).toFixed(0),
    milliseconds(medianMs),
    milliseconds(processorMs),
    (numBytes / 1e6 / medianMs).toFixed(2),
    contender === ours.contender ? "" : `${(medianMs / ours.medianMs).toFixed(2)} times as fast`,
  ]);
}

function milliseconds(ms: number): string {
  return ms.toFixed(ms < 100 ? 1 : 0);
}

/** Formats a judgement. */
export function judgementText({ name }: Contest, { target, ratio, reached }: Judgement): string {
  const numbers = `${ratio.toFixed(2)} times as fast as ${target.against}`;
  return `${reached ? "reached" : "MISSED "} ${name}: ${numbers}, at least ${
    target.factor.toFixed(2)
  } wanted`;
}

/** Formats rows of cells as a Markdown table with aligned columns. */
export function formatMarkdown(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const isNumber = rows[1]!.map((rule) => rule.endsWith(":"));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => {
      if (/^-+:?$/.test(cell)) return cell.padStart(widths[column]!, "-");
      return isNumber[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
    });
  return rows.map((row) => `| ${line(row).join(" | ")} |`).join("\n");
}

function isOursOnHost({ contender }: Measured): boolean {
  return contender.role === "ours" && contender.device === "host";
}
