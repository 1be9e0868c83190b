/** @module */

/** An environment variable; undefined too where it may not be read, or there is no environment. */
export function environmentVariable(name: string): string | undefined {
  try {
    return globalThis.Deno?.env.get(name);
  } catch {
    return undefined;
  }
}
