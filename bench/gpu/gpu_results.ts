/**
 * What a bench of a device measured, as JSON that the chart is drawn from, and as lines to read.
 *
 * @module
 */

import type { AdapterDescription } from "../../gpu/webgpu/device/adapter.ts";
import { formatMarkdown } from "../support/judge.ts";
import type { Machine, Versions } from "../support/machine.ts";

/** All that was measured; what is missing was not reached. */
export interface GpuResults {
  readonly date: string;
  readonly machine: Machine;
  readonly versions: Versions;
  readonly adapter: AdapterDescription;
  /** The driver, where the system says which one it is. */
  readonly driver: string | null;
  /** Whether kernels are timed by the clock of the device; else only whole works, by the host's. */
  readonly hasTimestamps: boolean;
  /** Bytes that the pool lends before requests wait. */
  readonly budgetBytes: number;
  /** What was cut down or left out, and why. */
  readonly notes: string[];
  readonly copies: CopySpeed[];
  readonly kernels: KernelTime[];
  readonly tables: Record<string, string[][]>;
}

/** A copy on the device. */
export interface CopySpeed {
  readonly way: "copyBufferToBuffer" | "vec4 kernel";
  /** Bytes of the source. */
  readonly bytes: number;
  readonly ms: number;
  /** Read and written bytes, together, in a second. */
  readonly gbPerSecond: number;
}

/** One kernel within a work, or all of it. */
export interface KernelTime {
  readonly work: string;
  readonly numRows: number;
  /** The label of the kernel; `ALL_KERNELS` for all of the work. */
  readonly kernel: string;
  readonly dispatches: number;
  /** Median over the runs, of all its dispatches in a run together. */
  readonly ms: number;
  /** Bytes that it must read and write; null where nobody says. */
  readonly bytes: number | null;
  readonly gbPerSecond: number | null;
  /** Of the fastest large copy in the same run. */
  readonly shareOfCopy: number | null;
  /** All of the work only: what the host's clock says, waits included. */
  readonly wallMs: number | null;
}

/** Stands for the kernel where a line is about all of a work. */
export const ALL_KERNELS = "all of it";

/** GB/s of the fastest way to copy the most bytes; null before copies were measured. */
export function copySpeed(copies: readonly CopySpeed[]): number | null {
  const most = Math.max(...copies.map(({ bytes }) => bytes));
  const speeds = copies.filter(({ bytes }) => bytes === most).map((copy) => copy.gbPerSecond);
  return speeds.length === 0 ? null : Math.max(...speeds);
}

/** Bytes in a second. */
export function gbPerSecond(bytes: number, ms: number): number {
  return rounded(bytes / 1e6 / ms);
}

/** To four digits, which is more than repeats. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** The copies as a table. */
export function copyLines(copies: readonly CopySpeed[]): string[][] {
  return [
    ["Copy on the device", "Bytes", "ms", "GB/s, read and written"],
    ["---", "---:", "---:", "---:"],
    ...copies.map(({ way, bytes, ms, gbPerSecond }) => [
      way,
      ...[bytes, ms, gbPerSecond].map((value) => value.toLocaleString("en")),
    ]),
  ];
}

/** A label as a table has room for it: its end says which pass it is. */
export function shortLabel(kernel: string): string {
  return kernel.length <= 32 ? kernel : `…${kernel.slice(-31)}`;
}

/** The kernels as a table. */
export function kernelLines(kernels: readonly KernelTime[]): string[][] {
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

/** All of it, for a person. */
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
