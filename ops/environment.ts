/** @module */

/**
 * An environment variable; undefined too where it is empty or may not be read, or where there is no
 * environment.
 */
export function environmentVariable(name: string): string | undefined {
  try {
    return globalThis.Deno?.env.get(name) || undefined;
  } catch {
    return undefined;
  }
}
