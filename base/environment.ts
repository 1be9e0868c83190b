/** @module */

/**
 * An environment variable; undefined if it is empty or unreadable, or if there is no environment.
 * Never prompts for permission.
 */
export function environmentVariable(name: string): string | undefined {
  const { env, permissions } = globalThis.Deno ?? {};
  if (permissions?.querySync({ name: "env", variable: name }).state !== "granted") return undefined;
  return env.get(name) || undefined;
}
