/**
 * The files and folders that must not outlive this process: incomplete outputs and temporary folders. A
 * signal handler can remove them without loading the modules that write them.
 *
 * @module
 */

const paths = new Set<string>();

/** Called with each path that is noted or forgotten. */
type OnChange = (path: string, isNoted: boolean) => void;

let onChange: OnChange | undefined;

/** Notes a path right after its creation, synchronously, so that no signal can arrive in between. */
export function notePartial(path: string): void {
  paths.add(path);
  onChange?.(path, true);
}

/** Forgets a path that was removed or completed. Returns false if it was not noted. */
export function forgetPartial(path: string): boolean {
  if (!paths.delete(path)) return false;
  onChange?.(path, false);
  return true;
}

/** Removes all noted paths synchronously, for signal handlers that then exit. */
export function removePartials(): void {
  for (const path of paths) {
    forgetPartial(path);
    removeQuietly(path);
  }
}

/** Reports all noted paths, present and future, to one listener; undefined stops the reports. */
export function watchPartials(listener: OnChange | undefined): void {
  onChange = listener;
  for (const path of paths) listener?.(path, true);
}

/** Removes a file or a folder; does nothing if it is gone already. */
export function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch {
    // It may have been removed already.
  }
}
