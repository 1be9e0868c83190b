/**
 * Finds the version of Polars in nodejs-polars, whose own version differs and does not tell.
 *
 * @module
 */

/**
 * Returns the version of Polars in the library that this process loaded, from source paths in its code. Undefined if
 * the system does not list loaded libraries.
 */
export async function polarsInside(): Promise<string | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  const maps = await Deno.readTextFile("/proc/self/maps");
  const path = /\S*nodejs-polars\.[^/\s]*\.node/.exec(maps)?.[0];
  if (path === undefined) return undefined;
  const library = new TextDecoder("latin1").decode(await Deno.readFile(path));
  return /polars-core-(\d+\.\d+\.\d+)/.exec(library)?.[1];
}
