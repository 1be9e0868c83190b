/** @module */

import type { Engine, RunStats } from "../mod.ts";
import { CommandError } from "./command_error.ts";
import type { GlobalOptions } from "./command_line.ts";
import type { Sluice } from "./session.ts";

/**
 * The engine that the options of a command ask for. An option or a variable that it refuses is a
 * mistake in the command.
 */
export function openEngine(
  sluice: Sluice,
  { device, memory, threshold }: GlobalOptions,
  onRun: (run: RunStats) => void = () => {},
): Engine {
  try {
    return sluice.createEngine({
      device,
      ...(memory === undefined ? {} : { memory }),
      ...(threshold === undefined ? {} : { threshold }),
      onRun,
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(error.message.replace(/^threshold /, "--threshold "));
  }
}
