/**
 * A preload for commands: sends SLUICE_TEST_SIGNAL to the process itself after a number of files have got
 * their names, SLUICE_TEST_RENAMES.
 */

const signal = Deno.env.get("SLUICE_TEST_SIGNAL") as Deno.Signal;
let left = Number(Deno.env.get("SLUICE_TEST_RENAMES"));

const { renameSync } = Deno;
Deno.renameSync = (from, to) => {
  renameSync(from, to);
  if (--left === 0) Deno.kill(Deno.pid, signal);
  // What runs without a pause does not hear of signals: each file from here on takes some time.
  if (left <= 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
};
