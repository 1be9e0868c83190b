/**
 * Which Polars is inside of nodejs-polars: the package has a version of its own, and does not say.
 *
 * @module
 */

/**
 * The version of Polars whose code is in the library that this process loaded; its source paths name
 * it. Undefined where the system does not tell which libraries are loaded.
 */
export async function polarsInside(): Promise<string | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  const maps = await Deno.readTextFile("/proc/self/maps");
  const path = /\S*nodejs-polars\.[^/\s]*\.node/.exec(maps)?.[0];
  if (path === undefined) return undefined;
  const library = new TextDecoder("latin1").decode(await Deno.readFile(path));
  return /polars-core-(\d+\.\d+\.\d+)/.exec(library)?.[1];
}
