/**
 * The environment variable that graphics drivers expect.
 *
 * @module
 */

const variable = "XDG_RUNTIME_DIR";

/**
 * Whether an adapter can be requested without messages on stderr. Mesa's drivers print errors if
 * this variable is missing, though they do not need it. A program that may not read it cannot know.
 */
export function canBeQuiet(): boolean {
  const { build, permissions } = globalThis.Deno ?? {};
  if (build?.os !== "linux") return true;
  return permissions.querySync({ name: "env", variable }).state === "granted";
}

/** The number of calls that are requesting drivers now. */
let numAsking = 0;
let isSet = false;

/**
 * Calls `ask`, which loads the drivers, with the variable set until it is done; then restores it.
 */
export async function quietly<T>(ask: () => Promise<T>): Promise<T> {
  if (numAsking++ === 0) isSet = setVariable();
  try {
    return await ask();
  } finally {
    if (--numAsking === 0 && isSet) Deno.env.delete(variable);
  }
}

/** Sets the variable if it is missing and may be set; returns whether it did. */
function setVariable(): boolean {
  const isMissing = globalThis.Deno?.build.os === "linux" && canBeQuiet() &&
    Deno.env.get(variable) === undefined;
  if (isMissing) Deno.env.set(variable, "/tmp");
  return isMissing;
}
