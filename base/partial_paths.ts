/**
 * The files and folders of this process that must not outlive it: outputs that are not complete, and
 * temporary folders. What ends the process removes them without what writes them.
 *
 * @module
 */

const paths = new Set<string>();

/** Called with each path that is noted, or no longer is. */
type OnChange = (path: string, isNoted: boolean) => void;

let onChange: OnChange | undefined;

/** Notes a path, which exists already: synchronously, so that no signal can arrive in between. */
export function notePartial(path: string): void {
  paths.add(path);
  onChange?.(path, true);
}

/** Forgets a path, which was removed or completed; false if it was not noted. */
export function forgetPartial(path: string): boolean {
  if (!paths.delete(path)) return false;
  onChange?.(path, false);
  return true;
}

/** Removes all of them synchronously, for handlers of signals that exit. */
export function removePartials(): void {
  for (const path of paths) {
    forgetPartial(path);
    removeQuietly(path);
  }
}

/** Tells one listener of all paths that are noted, now and from now on; undefined ends that. */
export function watchPartials(listener: OnChange | undefined): void {
  onChange = listener;
  for (const path of paths) listener?.(path, true);
}

/** Removes a file or a folder, which may be gone already. */
export function removeQuietly(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch {
    // It may have been removed already.
  }
}
