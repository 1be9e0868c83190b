/** @module */

/**
 * An environment variable; undefined also where it is empty or may not be read, or where there is
 * no environment. It never prompts for the permission.
 */
export function environmentVariable(name: string): string | undefined {
  const { env, permissions } = globalThis.Deno ?? {};
  if (permissions?.querySync({ name: "env", variable: name }).state !== "granted") return undefined;
  return env.get(name) || undefined;
}
