/**
 * The public function that describes the adapter of this machine.
 *
 * @module
 */

import type { AdapterDescription } from "./device/adapter.ts";

export type { AdapterDescription };

/**
 * Describes the adapter that a backend would use; null if there is none. Never throws.
 *
 * @example
 * ```ts
 * import { describeAdapter } from "../../mod.ts";
 *
 * const adapter = await describeAdapter();
 * console.log(adapter === null ? "none" : `${adapter.name}, software: ${adapter.software}`);
 * ```
 */
export async function describeAdapter(): Promise<AdapterDescription | null> {
  return await (await import("./backend.ts")).adapterInUse();
}
