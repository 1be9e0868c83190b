/**
 * The command `sluice rechunk`: plans and runs changes of the chunks of arrays.
 *
 * @module
 */

import { didYouMean } from "../../base/nearest_name.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import type { GlobalOptions } from "../words/command_line.ts";
import { planCommand } from "./plan_command.ts";
import { runCommand } from "./run_command.ts";

const commands: readonly string[] = ["plan", "run"];

/** Runs `rechunk` with the words after it. An early exit calls `ending.cleanUp`. */
export async function rechunk(
  words: readonly string[],
  global: GlobalOptions,
  ending: { cleanUp(): void },
): Promise<void> {
  const [name, ...rest] = words;
  if (name === "plan") return await planCommand(rest);
  if (name === "run") return await runCommand(rest, global, ending);
  const given = name === undefined ? "" : `, not ${JSON.stringify(name)}`;
  const hint = didYouMean(name ?? "", commands) || "; sluice help rechunk";
  throw new CommandError(`rechunk needs plan or run${given}${hint}`);
}
