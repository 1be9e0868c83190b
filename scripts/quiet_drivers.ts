/**
 * The environment variable that graphics drivers expect.
 *
 * @module
 */

/** Sets `XDG_RUNTIME_DIR`: without it, Mesa's drivers print errors to stderr, although they do not use it. */
export function quietDrivers(): void {
  if (Deno.build.os !== "linux" || Deno.env.get("XDG_RUNTIME_DIR") !== undefined) return;
  Deno.env.set("XDG_RUNTIME_DIR", "/tmp");
}
