/**
 * Runs Deno as a process of its own.
 *
 * @module
 */

/**
 * Runs `deno` with arguments and gives how it ended. A process that a signal has killed is run once
 * more, and that is said: where a test has used Mesa's software adapter, about one `deno test` in
 * thirty aborts while it exits, after all of its tests have ended. A test that fails is no signal.
 */
export async function runDeno(
  args: readonly string[],
  options: Pick<Deno.CommandOptions, "stdout" | "stderr" | "env"> = {},
): Promise<Deno.CommandOutput> {
  const run = () => new Deno.Command(Deno.execPath(), { args: [...args], ...options }).output();
  const first = await run();
  if (first.signal === null) return first;
  console.log(`deno ${args[0]} was killed by ${first.signal}; it runs once more`);
  return await run();
}
