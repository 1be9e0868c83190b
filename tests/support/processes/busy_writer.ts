/**
 * A preload for commands: at the first write to a file the main thread stays busy for good, and sends
 * SLUICE_TEST_SIGNAL to the process meanwhile.
 */

const signal = Deno.env.get("SLUICE_TEST_SIGNAL") as Deno.Signal;

Deno.FsFile.prototype.writeSync = () => {
  const word = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    Deno.kill(Deno.pid, signal);
    Atomics.wait(word, 0, 0, 1000);
  }
};
