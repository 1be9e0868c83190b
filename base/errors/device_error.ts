/**
 * Errors of devices and threads, and results in which a device and the host differ.
 *
 * @module
 */

/**
 * The device was lost, ran out of memory, or rejected a kernel. The stream has ended.
 *
 * @example
 * ```ts
 * import { createEngine, DeviceError } from "../../mod.ts";
 *
 * const engine = createEngine({ device: "gpu" });
 * try {
 *   console.log((await engine.describe()).description);
 * } catch (error) {
 *   if (!(error instanceof DeviceError)) throw error;
 *   console.log("There is no adapter");
 * } finally {
 *   await engine.close();
 * }
 * ```
 */
export class DeviceError extends Error {
  /** The tag of the class: see `isSluiceError`. */
  override readonly name = "DeviceError";
}

/** Different results of two backends for the same rows. */
export interface Difference {
  /** The subject and verb of the message: `kernel upper(name) gives`, `the join gives`. */
  readonly maker: string;
  /** Index of the column in the result; undefined if no single column differs. */
  readonly column: number | undefined;
  /** Row of the input batch, counted from 0, if known. */
  readonly row: number | undefined;
  /** Both values, truncated, or descriptions of the results in place of values. */
  readonly host: string;
  readonly device: string;
}

/**
 * The host and the GPU gave different results. Only the device `check` compares them. It is the cause
 * of a StepError.
 *
 * @example
 * ```ts
 * import { DifferenceError } from "../../mod.ts";
 *
 * function differingRow({ cause }: Error): number | undefined {
 *   return cause instanceof DifferenceError ? cause.row : undefined;
 * }
 * ```
 */
export class DifferenceError extends Error {
  /** The tag of the class: see `isSluiceError`. */
  override readonly name = "DifferenceError";
  /**
   * The two results.
   *
   * @internal
   */
  readonly difference: Difference;
  /** Row of the batch, counted from 0, if known. */
  readonly row: number | undefined;

  /**
   * `place` names the column.
   *
   * @internal
   */
  constructor(difference: Difference, place?: string) {
    const { maker, host, device, row } = difference;
    super(
      `${
        place === undefined ? "" : `${place}: `
      }${maker} ${host} on the host, ${device} on the device`,
    );
    this.difference = difference;
    this.row = row;
  }

  /**
   * Adds the name of the column to a DifferenceError; returns any other error unchanged.
   *
   * @internal
   */
  static in(places: readonly string[], error: unknown): unknown {
    if (!(error instanceof DifferenceError)) return error;
    const { column } = error.difference;
    return column === undefined ? error : new DifferenceError(error.difference, places[column]);
  }
}

/** A thread failed, or could not start. */
export class WorkerLostError extends Error {
  override readonly name = "WorkerLostError";
}
