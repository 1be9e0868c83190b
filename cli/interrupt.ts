/**
 * What happens on a signal to end.
 *
 * @module
 */

const statuses = Deno.build.os === "windows"
  ? { SIGINT: 130 } as const
  : { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** On a signal to end: cleans up and exits at once, with the status that shells expect. */
export function exitOnInterrupt(cleanUp: () => void): void {
  for (const [signal, status] of Object.entries(statuses)) {
    Deno.addSignalListener(signal as Deno.Signal, () => {
      cleanUp();
      Deno.exit(status);
    });
  }
}
