/**
 * What a process takes from its start to its exit, as the system counts it: Python waits for it, since
 * Deno does not say what a child took.
 *
 * @module
 */

import { runDeno } from "../../scripts/run_deno.ts";
import { checkoutPath, startFlags } from "../../tests/support/processes/sluice.ts";
import type { ProcessUsage } from "./contest.ts";

/** When the file that a process writes changed, in milliseconds since the start, to about two. */
export interface FileMarks {
  /** The file was there, under a name for the time being. */
  readonly created: number;
  readonly firstBytes: number;
  readonly lastBytes: number;
  /** It had its own name. */
  readonly renamed: number;
}

/** What a process took, printed, and did to its file. */
export interface WatchedProcess extends ProcessUsage {
  readonly marks: FileMarks;
  /** What it printed to stderr. */
  readonly stderr: string;
}

const script = checkoutPath("bench/support/child_usage.py");

/** Runs a command of Deno in this checkout; an Error has what it printed. */
export async function processUsage(args: readonly string[]): Promise<ProcessUsage> {
  return (await runChild([], args)).usage;
}

/** The same, with the times at which a folder had the one file that the command writes there. */
export async function watchProcess(
  args: readonly string[],
  folder: string,
): Promise<WatchedProcess> {
  const { usage, stderr } = await runChild(["--watch", folder], args);
  return { ...usage as WatchedProcess, stderr };
}

/** The arguments of Deno for this checkout's command line. */
export function sluiceArgs(words: readonly string[]): string[] {
  const flags = ["-q", "-P=sluice", ...startFlags];
  return ["run", ...flags, checkoutPath("cli.ts"), "--device", "cpu", ...words];
}

let bundling: Promise<void> | undefined;

/** Bundles the command of this checkout, as who is after speed does. */
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
  // What the command prints itself comes before.
  const usage = JSON.parse(new TextDecoder().decode(stdout).trim().split("\n").at(-1)!);
  return { usage: usage as ProcessUsage, stderr: printed };
}
