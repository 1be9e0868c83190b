/**
 * Measures the usage of a process from start to exit, as the system counts it. Python waits for it, since Deno does
 * not report the usage of a child.
 *
 * @module
 */

import { runDeno } from "../../scripts/run_deno.ts";
import { checkoutPath, startFlags } from "../../tests/support/processes/sluice.ts";
import type { ProcessUsage } from "./contest.ts";

/** The times at which the file of a process changed, in milliseconds since the start, accurate to about 2. */
interface FileMarks {
  /** The file existed, under a temporary name. */
  readonly created: number;
  readonly firstBytes: number;
  readonly lastBytes: number;
  /** It had its final name. */
  readonly renamed: number;
}

/** The usage of a process, its output, and the changes of its file. */
export interface WatchedProcess extends ProcessUsage {
  readonly marks: FileMarks;
  /** Its output to stderr. */
  readonly stderr: string;
}

const script = checkoutPath("bench/support/child_usage.py");

/** Runs a command of Deno in this checkout. Throws an Error with its output if it fails. */
export async function processUsage(args: readonly string[]): Promise<ProcessUsage> {
  return (await runChild([], args)).usage;
}

/** Does the same, and watches the one file that the command writes to a folder. */
export async function watchProcess(
  args: readonly string[],
  folder: string,
): Promise<WatchedProcess> {
  const { usage, stderr } = await runChild(["--watch", folder], args);
  return { ...usage as WatchedProcess, stderr };
}

/** Returns the arguments of Deno for the command line of this checkout. */
export function sluiceArgs(words: readonly string[]): string[] {
  const flags = ["-q", "-P=sluice", ...startFlags];
  return ["run", ...flags, checkoutPath("cli.ts"), "--device", "cpu", ...words];
}

let bundling: Promise<void> | undefined;

/** Bundles the command of this checkout, for the fastest start. */
async function bundle(): Promise<void> {
  const args = ["run", "-q", "-A", checkoutPath("scripts/bundle.ts")];
  const { success } = await runDeno(args, { stdout: "null", stderr: "inherit" });
  if (!success) throw new Error("The command could not be bundled");
}

async function runChild(options: readonly string[], args: readonly string[]) {
  await (bundling ??= bundle());
  const command = new Deno.Command("python3", {
    args: [script, ...options, Deno.execPath(), ...args],
    cwd: checkoutPath("."),
    env: { SLUICE_BUNDLE: "" },
    stdin: "null",
  });
  const { success, stdout, stderr } = await command.output().catch((error) => {
    throw error instanceof Deno.errors.NotFound ? new Error("Processes need python3") : error;
  });
  const printed = new TextDecoder().decode(stderr);
  if (!success) throw new Error(`deno ${args.join(" ")} failed: ${printed.trim()}`);
  // The output of the command itself comes first.
  const usage = JSON.parse(new TextDecoder().decode(stdout).trim().split("\n").at(-1)!);
  return { usage: usage as ProcessUsage, stderr: printed };
}
