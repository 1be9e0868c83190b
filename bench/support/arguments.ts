/**
 * Parses the arguments of `deno task bench`: names, and options with a value.
 *
 * @module
 */

/** Returns the arguments that are not options. */
export function namesGiven(): string[] {
  return Deno.args.filter((arg) => !arg.startsWith("-"));
}

/** Returns the value of `--NAME=VALUE`. */
export function option(name: string): string | undefined {
  return Deno.args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** Returns the value of an option that is a count. Ends the process if it is not a positive integer. */
export function count(name: string): number | undefined {
  const given = option(name);
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isInteger(value) && value > 0) return value;
  endWith(`--${name} must be a positive integer, not "${given}"`);
}

/** Prints an error, and ends the process. */
export function endWith(message: string): never {
  console.error(message);
  Deno.exit(2);
}
