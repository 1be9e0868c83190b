/**
 * The results of a bench of a device, as JSON from which the chart is drawn, and as tables.
 *
 * @module
 */

import type { AdapterDescription } from "../../gpu/webgpu/device/adapter.ts";
import { formatMarkdown } from "../support/judge.ts";
import type { Machine, Versions } from "../support/machine.ts";

/** All results; missing ones were not measured in time. */
export interface GpuResults {
  readonly date: string;
  readonly machine: Machine;
  readonly versions: Versions;
  readonly adapter: AdapterDescription;
  /** The driver, if the system tells. */
  readonly driver: string | null;
  /** Whether the clock of the device times kernels; else the host's times whole works only. */
  readonly hasTimestamps: boolean;
  /** The bytes that the pool lends before requests wait. */
  readonly budgetBytes: number;
  /** Notes on reduced or omitted measurements. */
  readonly notes: string[];
  readonly copies: CopySpeed[];
  readonly kernels: KernelTime[];
  readonly tables: Record<string, string[][]>;
}

/** A copy on the device. */
export interface CopySpeed {
  readonly way: "copyBufferToBuffer" | "vec4 kernel";
  /** The bytes of the source. */
  readonly bytes: number;
  readonly ms: number;
  /** Read and written bytes together, per second. */
  readonly gbPerSecond: number;
}

/** A kernel of a work, or all of them. */
export interface KernelTime {
  readonly work: string;
  readonly numRows: number;
  /** The label of the kernel; `ALL_KERNELS` for the whole work. */
  readonly kernel: string;
  readonly dispatches: number;
  /** The median over the runs of the total of its dispatches. */
  readonly ms: number;
  /** The bytes that it must read and write; null if unknown. */
  readonly bytes: number | null;
  readonly gbPerSecond: number | null;
  /** The ratio to the speed of the fastest large copy in the same run. */
  readonly shareOfCopy: number | null;
  /** For the whole work only: the time by the host's clock, including waits. */
  readonly wallMs: number | null;
}

/** Stands for the kernel in the line of a whole work. */
export const ALL_KERNELS = "all of it";

/** Returns the GB/s of the fastest copy of the most bytes; null if no copies were measured. */
export function copySpeed(copies: readonly CopySpeed[]): number | null {
  const most = Math.max(...copies.map(({ bytes }) => bytes));
  const speeds = copies.filter(({ bytes }) => bytes === most).map((copy) => copy.gbPerSecond);
  return speeds.length === 0 ? null : Math.max(...speeds);
}

/** Returns gigabytes per second. */
export function gbPerSecond(bytes: number, ms: number): number {
  return rounded(bytes / 1e6 / ms);
}

/** Rounds to four digits, more than are reproducible. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** Returns the copies as a table. */
function copyLines(copies: readonly CopySpeed[]): string[][] {
  return [
    ["Copy on the device", "Bytes", "ms", "GB/s, read and written"],
    ["---", "---:", "---:", "---:"],
    ...copies.map(({ way, bytes, ms, gbPerSecond }) => [
      way,
      ...[bytes, ms, gbPerSecond].map((value) => value.toLocaleString("en")),
    ]),
  ];
}

/** Shortens a label for a table; its end names the pass. */
export function shortLabel(kernel: string): string {
  return kernel.length <= 32 ? kernel : `…${kernel.slice(-31)}`;
}

/** Returns the kernels as a table. */
function kernelLines(kernels: readonly KernelTime[]): string[][] {
  const text = (value: number | null) => value === null ? "" : value.toLocaleString("en");
  return [
    ["Work", "Kernel", "Dispatches", "ms", "MB to move", "GB/s", "Of a copy", "Host's ms"],
    ["---", "---", "---:", "---:", "---:", "---:", "---:", "---:"],
    ...kernels.map(({ work, kernel, dispatches, ms, bytes, gbPerSecond, shareOfCopy, wallMs }) => [
      ...[work, shortLabel(kernel), text(dispatches), text(ms)],
      bytes === null ? "" : text(rounded(bytes / 1e6)),
      ...[text(gbPerSecond), shareOfCopy === null ? "" : shareOfCopy.toFixed(3), text(wallMs)],
    ]),
  ];
}

/** Formats all results. */
export function gpuMarkdown(results: GpuResults): string {
  const { adapter, driver, versions, machine, notes, copies, kernels, tables } = results;
  const head = [
    `${adapter.name}${driver === null ? "" : `; ${driver}`}`,
    `Sluice ${
      versions.commit ?? versions.sluice
    }, Deno ${versions.deno}; ${machine.cores} cores, ` +
    `${machine.cpu}, ${machine.memory} GB`,
  ];
  const parts = [
    copies.length === 0 ? [] : copyLines(copies),
    kernels.length === 0 ? [] : kernelLines(kernels),
    ...Object.values(tables),
  ];
  const texts = parts.filter(({ length }) => length > 0).map(formatMarkdown);
  return [head.join("\n"), ...texts, notes.join("\n")].filter((text) => text !== "").join("\n\n");
}
