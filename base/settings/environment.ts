/**
 * Reads environment variables without a prompt for permission.
 *
 * @module
 */

/** Returns an environment variable; undefined if it is empty or unreadable, or outside Deno. */
export function environmentVariable(name: string): string | undefined {
  const { env, permissions } = globalThis.Deno ?? {};
  if (permissions?.querySync({ name: "env", variable: name }).state !== "granted") return undefined;
  return env.get(name) || undefined;
}
