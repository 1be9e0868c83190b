/** Processor time, which depends less on what else a machine does than the clock. */

/**
 * Milliseconds of processor time that this process has taken so far, on all of its threads. For tests
 * of growth only, which compare one work with another, since the speed of a machine is unknown.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
