/** A module to load before a command: at the end, stderr says which memory the process had at most. */

addEventListener("unload", () => {
  const status = Deno.readTextFileSync("/proc/self/status");
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status)!;
  console.error(`peak bytes ${1024 * Number(kibibytes)}`);
});
