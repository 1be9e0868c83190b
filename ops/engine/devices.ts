/**
 * The devices of an engine.
 *
 * @module
 */

import type { Backend, DeviceProbe } from "../../gpu/backend.ts";
import type { PlanWork } from "./device_cost.ts";

/** A backend, and the reason why it was chosen. */
export interface ChosenDevice {
  readonly backend: Backend;
  readonly reason: string;
  /** The speed of the adapter, if the choice depended on it. */
  readonly probe?: DeviceProbe;
}

/** The devices of an engine. Each is opened when it is first chosen. */
export interface Devices {
  /**
   * Returns the device for a plan. Estimates the work of the plan only if the choice depends on it.
   */
  choose(estimate: () => Promise<PlanWork>): Promise<ChosenDevice>;
  close(): Promise<void>;
}

/** The same device for every plan. */
export class OneDevice implements Devices {
  readonly #open: () => Promise<ChosenDevice>;
  #opened: Promise<ChosenDevice> | undefined;

  constructor(open: () => Promise<ChosenDevice>) {
    this.#open = open;
  }

  choose(): Promise<ChosenDevice> {
    return this.#opened ??= this.#open();
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.backend.close();
  }
}
