/**
 * The arguments of `deno task bench`: names, and options that have a value.
 *
 * @module
 */

/** The arguments that are no options. */
export function namesGiven(): string[] {
  return Deno.args.filter((arg) => !arg.startsWith("-"));
}

/** The value of `--NAME=VALUE`. */
export function option(name: string): string | undefined {
  return Deno.args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** The value of an option that counts something; ends the process where it is no such number. */
export function count(name: string): number | undefined {
  const given = option(name);
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isInteger(value) && value > 0) return value;
  endWith(`--${name} must be a positive integer, not "${given}"`);
}

/** Says what is wrong, and ends the process. */
export function endWith(message: string): never {
  console.error(message);
  Deno.exit(2);
}
