/** @module */

import { environmentVariable } from "./environment.ts";

const variable = "SLUICE_THREADS";

/**
 * Threads that the host backend may compute on: what the option says, else the environment variable
 * `SLUICE_THREADS`, else undefined for what the machine has. Throws a RangeError for anything but an
 * integer from 1 on.
 */
export function chooseThreads(threads?: number): number | undefined {
  if (threads !== undefined) return checked(threads, "threads");
  const value = environmentVariable(variable);
  return value === undefined ? undefined : checked(Number(value), variable, value);
}

function checked(threads: number, name: string, given: string = String(threads)): number {
  if (Number.isInteger(threads) && threads >= 1) return threads;
  throw new RangeError(`${name} is a number of threads from 1 on, not "${given}"`);
}
