/**
 * The devices of a bench.
 *
 * @module
 */

import { quietDrivers } from "../../scripts/quiet_drivers.ts";
import { createEngine, type Engine } from "../../mod.ts";

/** An engine and the name of its device. */
export interface BenchDevice {
  readonly name: string;
  readonly engine: Engine;
}

/**
 * Opens the host, and a hardware WebGPU adapter if there is one; with SLUICE_BENCH_SOFTWARE=1 also a software
 * adapter, which is slow.
 */
export async function openDevices(): Promise<BenchDevice[]> {
  quietDrivers();
  const host = { name: "host", engine: createEngine({ device: "cpu" }) };
  const software = Deno.env.get("SLUICE_BENCH_SOFTWARE") === "1";
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter || (adapter.info.isFallbackAdapter && !software)) return [host];
  const engine = createEngine({ device: "gpu" });
  return [host, { name: (await engine.describe()).description, engine }];
}
