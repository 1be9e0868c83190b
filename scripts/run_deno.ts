/**
 * Runs Deno as a process.
 *
 * @module
 */

/** The most runs of a command that signals kill. */
const MAX_RUNS = 3;

/**
 * Runs `deno` with arguments. If a signal kills the process, says so and runs it again: after tests that used
 * Mesa's software adapter, `deno test` now and then aborts while it exits, when all its tests have ended. A
 * failing test is not a signal.
 */
export async function runDeno(
  args: readonly string[],
  options: Pick<Deno.CommandOptions, "stdout" | "stderr" | "env"> = {},
): Promise<Deno.CommandOutput> {
  for (let run = 1;; run++) {
    const output = await new Deno.Command(Deno.execPath(), { args: [...args], ...options })
      .output();
    if (output.signal === null || run === MAX_RUNS) return output;
    console.log(`deno ${args[0]} was killed by ${output.signal}; it runs again`);
  }
}
