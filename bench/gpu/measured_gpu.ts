/**
 * A measured device: its clock, the limits of its works, and the results.
 *
 * @module
 */

import type { WebGpuBackend } from "../../gpu/webgpu/backend.ts";
import type { DeviceClock } from "../../gpu/webgpu/device/clock.ts";
import type { WebGpuContext } from "../../gpu/webgpu/dispatch/webgpu_context.ts";
import type { LaneOptions, TileOptions } from "../../gpu/webgpu/dispatch/strategy_options.ts";
import { inLanes, inPasses } from "../../tests/support/device/in_passes.ts";
import { copySpeed, gbPerSecond, type GpuResults } from "./gpu_results.ts";

/** The limits of works on a device. */
interface Limits {
  /** The most rows of a work. */
  readonly maxRows: number;
  /** The most bytes of a copy or a transfer. */
  readonly maxBytes: number;
  /** The time after which nothing new begins, by `performance.now()`. */
  readonly deadlineMs: number;
}

/** A device and its results so far. */
export class MeasuredGpu {
  readonly backend: WebGpuBackend;
  /** Times kernels; null if the adapter has no timestamps. */
  readonly profile: DeviceClock | null;
  readonly limits: Limits;
  readonly results: GpuResults;

  constructor(
    backend: WebGpuBackend,
    profile: DeviceClock | null,
    limits: Limits,
    results: GpuResults,
  ) {
    this.backend = backend;
    this.profile = profile;
    this.limits = limits;
    this.results = results;
  }

  get context(): WebGpuContext {
    return this.backend.context;
  }

  /** Returns the same device, which writes text in one pass or two. */
  inPasses(use: TileOptions["use"]): MeasuredGpu {
    return new MeasuredGpu(inPasses(this.backend, use), this.profile, this.limits, this.results);
  }

  /** Returns the same device, with several lanes a row or one. */
  inLanes(use: LaneOptions["use"]): MeasuredGpu {
    const backend = inLanes(this.backend, { use });
    return new MeasuredGpu(backend, this.profile, this.limits, this.results);
  }

  /** The byte budget of device memory. */
  get budgetBytes(): number {
    return this.context.pool.budgetBytes;
  }

  get maxBytes(): number {
    return this.limits.maxBytes;
  }

  /** Whether it is too late to begin anything. */
  isLate(): boolean {
    return performance.now() > this.limits.deadlineMs;
  }

  /** Notes a reduced or omitted measurement. */
  note(text: string): void {
    this.results.notes.push(text);
    console.log(`  ${text}`);
  }

  /** Returns the speed of moved bytes as a share of that of a copy; null if no copies were measured. */
  shareOfCopy(bytes: number, ms: number): number | null {
    const speed = copySpeed(this.results.copies);
    return speed === null ? null : Number((gbPerSecond(bytes, ms) / speed).toFixed(4));
  }

  /** Returns the reason why nothing is larger than `bytes`. */
  reasonFor(bytes: number): string {
    if (bytes === this.limits.maxBytes) return "more was not asked for";
    const isBinding = bytes === this.context.device.maxBindingBytes;
    return isBinding ? "the adapter binds no larger buffer" : "its memory has no room for two";
  }
}
