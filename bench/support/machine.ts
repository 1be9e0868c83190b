/**
 * The machine and the versions on which results depend.
 *
 * @module
 */

import { cpus, totalmem } from "node:os";
import config from "../../deno.json" with { type: "json" };
import { checkoutPath } from "../../tests/support/processes/sluice.ts";

/** The measured files; others may change between two runs. */
const CODE = ["base", "bench", "cli", "gpu", "ops", "streams", "cli.ts", "mod.ts", "deno.json"];

/** A machine. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  /** In GB. */
  readonly memory: number;
  readonly system: string;
}

/** The versions of Sluice and its runtime; the names of peers include theirs. */
export interface Versions {
  readonly sluice: string;
  /** The commit, with a `+` if code differs from it; undefined without git. */
  readonly commit: string | undefined;
  readonly deno: string;
  readonly v8: string;
}

/** Describes this machine. */
export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: navigator.hardwareConcurrency,
    memory: Math.round(totalmem() / 1e9),
    system: `${Deno.build.os} ${Deno.osRelease()}, ${Deno.build.arch}`,
  };
}

/** Returns the versions of this checkout. */
export async function versions(): Promise<Versions> {
  const { deno, v8 } = Deno.version;
  return { sluice: config.version, commit: await commitOf(checkoutPath(".")), deno, v8 };
}

async function commitOf(checkout: string): Promise<string | undefined> {
  const commit = await git(checkout, "rev-parse", "--short=12", "HEAD");
  if (commit === undefined) return undefined;
  const changed = await git(checkout, "status", "--porcelain", "--", ...CODE);
  return changed === "" ? commit : `${commit}+`;
}

/** Returns the output of git; undefined if it fails or is missing. */
async function git(checkout: string, ...args: readonly string[]): Promise<string | undefined> {
  const command = new Deno.Command("git", { args: ["-C", checkout, ...args], stderr: "null" });
  const output = await command.output().catch(() => undefined);
  return output?.success ? new TextDecoder().decode(output.stdout).trim() : undefined;
}
