/**
 * The environment that graphics drivers ask for.
 *
 * @module
 */

const variable = "XDG_RUNTIME_DIR";

/**
 * Whether an adapter can be requested without messages on stderr. Mesa's drivers print errors where
 * this variable is missing, though they do not need it. A program without the permission to read it
 * cannot tell.
 */
export function canBeQuiet(): boolean {
  const { build, permissions } = globalThis.Deno ?? {};
  if (build?.os !== "linux") return true;
  return permissions.querySync({ name: "env", variable }).state === "granted";
}

/** Calls `ask`, which loads the drivers, with the variable set, and then restores it. */
export function quietly<T>(ask: () => T): T {
  const sets = globalThis.Deno?.build.os === "linux" && canBeQuiet() &&
    Deno.env.get(variable) === undefined;
  if (!sets) return ask();
  Deno.env.set(variable, "/tmp");
  try {
    return ask();
  } finally {
    Deno.env.delete(variable);
  }
}
