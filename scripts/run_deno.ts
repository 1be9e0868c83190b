/**
 * Runs Deno as a process of its own.
 *
 * @module
 */

/** Runs at most, where signals kill them. */
const MAX_RUNS = 3;

/**
 * Runs `deno` with arguments and gives how it ended. A process that a signal has killed is run
 * again, and that is said: where tests have used Mesa's software adapter, `deno test` now and then
 * aborts while it exits, after all of its tests have ended. A test that fails is no signal.
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
