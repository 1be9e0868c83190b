/**
 * The command `sluice rechunk`: plans and runs changes of the chunks of arrays.
 *
 * @module
 */

import { didYouMean } from "../../ops/syntax/nearest_name.ts";
import { CommandError } from "../arguments.ts";
import { planCommand } from "./plan_command.ts";

const commands: readonly string[] = ["plan"];

/** Runs `rechunk` with the words behind it. */
export async function rechunk(words: readonly string[]): Promise<void> {
  const [name, ...rest] = words;
  if (name === "plan") return await planCommand(rest);
  const given = name === undefined ? "" : `, not ${JSON.stringify(name)}`;
  const hint = didYouMean(name ?? "", commands) || "; sluice help rechunk";
  throw new CommandError(`rechunk is followed by plan${given}${hint}`);
}
