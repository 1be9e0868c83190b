/**
 * The environment that graphics drivers ask for.
 *
 * @module
 */

/** Mesa's drivers print errors on stderr where this variable is missing, and need nothing of it. */
export function quietDrivers(): void {
  if (Deno.build.os !== "linux" || Deno.env.get("XDG_RUNTIME_DIR") !== undefined) return;
  Deno.env.set("XDG_RUNTIME_DIR", "/tmp");
}
