/**
 * Parses the options that `rechunk plan` and `rechunk run` share.
 *
 * @module
 */

import { commandMessage } from "../../base/errors/option_text.ts";
import { inStep } from "../../base/errors/wrap_error.ts";
import type { PlanRechunkOptions } from "../../ops/rechunk/plan/rechunk_plan.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import type { ParsedOptions } from "../words/options.ts";
import { parseBytes, parseInteger } from "../words/quantities.ts";
import { type ChunkLengths, parseChunkLengths } from "../words/chunk_lengths.ts";

/** The limits of a plan. */
export type Limits = Pick<PlanRechunkOptions, "minMem" | "maxMem" | "stages">;

/** Names of the options that `parseTarget` and `parseLimits` read. */
export const limitOptions: readonly string[] = ["to", "max-mem", "min-mem", "stages"];

/** Parses `--to`. */
export function parseTarget(options: ParsedOptions): ChunkLengths {
  return parseChunkLengths(needed(options, "to", "the chunks to make, such as 1000,10,10"), "--to");
}

/** Parses the memory limits and the number of stages. */
export function parseLimits(options: ParsedOptions): Limits {
  const most = needed(options, "max-mem", "the memory to use, such as 500MB");
  const least = options.value("min-mem");
  const stages = options.value("stages");
  return {
    maxMem: parseBytes(most, "--max-mem"),
    ...(least === undefined ? {} : { minMem: least === "0" ? 0 : parseBytes(least, "--min-mem") }),
    ...(stages === undefined ? {} : { stages: parseInteger(stages, "--stages", 0) }),
  };
}

/** Returns the value of an option that has no default. */
export function needed(options: ParsedOptions, name: string, what: string): string {
  const value = options.value(name);
  if (value === undefined) throw new CommandError(`rechunk needs --${name}, ${what}`);
  return value;
}

/** Runs a planner, which may be asynchronous. Throws a CommandError if no plan keeps to the limits. */
export function asMistakes<T>(plan: () => T): T {
  return inStep(plan, (error) => {
    const isMistake = error instanceof RangeError || error instanceof TypeError;
    return isMistake ? new CommandError(commandMessage(error), { cause: error }) : error;
  });
}
