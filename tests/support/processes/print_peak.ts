/** A module to load before a command: at the end, it prints the peak memory of the process to stderr. */

addEventListener("unload", () => {
  const status = Deno.readTextFileSync("/proc/self/status");
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status)!;
  console.error(`peak bytes ${1024 * Number(kibibytes)}`);
});
