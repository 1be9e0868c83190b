/**
 * Parses lengths along axes as the user writes them: `31,721,1440`, or `time=-1,lat=10` by the names of
 * dimensions.
 *
 * @module
 */

import { didYouMean } from "../../base/nearest_name.ts";
import { CommandError } from "../../base/errors/command_error.ts";
import { splitPair } from "./arguments.ts";
import { parseInteger } from "./quantities.ts";

/** A number of items; undefined for the whole axis. */
type Length = number | undefined;

/** A length for each axis, or for the named axes. */
export type ChunkLengths =
  | { readonly kind: "list"; readonly text: string; readonly lengths: readonly Length[] }
  | {
    readonly kind: "names";
    readonly text: string;
    readonly lengths: ReadonlyMap<string, Length>;
  };

/** The properties of an array that decide its lengths. */
interface Axes {
  readonly shape: readonly number[];
  /** Its current chunks, which axes without a name in the lengths keep. */
  readonly chunk: readonly number[];
  readonly dimensionNames: readonly (string | null)[] | undefined;
}

/** Parses lengths; `what` names the option in errors. */
export function parseChunkLengths(text: string, what: string): ChunkLengths {
  const parts = text.split(",").map((part) => part.trim());
  const named = parts.filter((part) => part.includes("="));
  if (parts.includes("") || (named.length > 0 && named.length < parts.length)) {
    const forms = "lengths separated by commas, such as 1000,10,10, or all with names, such as";
    throw new CommandError(`${what} takes ${forms} time=1000,lat=10; not ${JSON.stringify(text)}`);
  }
  if (named.length === 0) {
    return { kind: "list", text, lengths: parts.map((part) => parseLength(part, what)) };
  }
  const lengths = new Map<string, Length>();
  for (const [name, length] of parts.map((part) => splitPair(part)!)) {
    if (name === "") throw new CommandError(`${what} has a length without a name, in ${text}`);
    if (lengths.has(name)) throw new CommandError(`${what} names ${name} twice`);
    lengths.set(name, parseLength(length, `${what} ${name}`));
  }
  return { kind: "names", text, lengths };
}

/** Parses the shape of an array: a list of numbers from 0 on; `what` names the option in errors. */
export function parseShape(text: string, what: string): number[] {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.includes("")) {
    const form = "lengths separated by commas, such as 1000,10,10";
    throw new CommandError(`${what} takes ${form}; not ${JSON.stringify(text)}`);
  }
  return parts.map((part) => parseInteger(part, what, 0));
}

function parseLength(text: string, what: string): Length {
  if (text === "-1" || text === "*") return undefined;
  return parseInteger(text, `${what}, where -1 is the whole axis,`, 1);
}

/**
 * Returns the chunk of an array, no longer than its axes; undefined if the lengths are for another number of
 * axes, or have names that the array lacks. An array without axes is one chunk, written -1.
 */
export function chunkOf(to: ChunkLengths, axes: Axes): number[] | undefined {
  const { shape, chunk, dimensionNames = [] } = axes;
  const whole = (length: Length, axis: number) =>
    Math.max(1, Math.min(length ?? Infinity, shape[axis]!));
  if (to.kind === "list") {
    if (shape.length === 0) return to.lengths.join() === "" ? [] : undefined;
    return to.lengths.length === shape.length ? to.lengths.map(whole) : undefined;
  }
  const { lengths } = to;
  if (shape.length === 0) return undefined;
  if (![...lengths.keys()].every((name) => dimensionNames.includes(name))) return undefined;
  return shape.map((_, axis) => {
    const name = dimensionNames[axis] ?? "";
    return lengths.has(name) ? whole(lengths.get(name), axis) : chunk[axis]!;
  });
}

/** Returns the error for lengths that fit no array of a store. `arrays` has all arrays by name. */
export function noArrayFor(
  to: ChunkLengths,
  store: string,
  arrays: ReadonlyMap<string, Axes>,
): CommandError {
  const all = [...arrays];
  if (all.length === 0) return new CommandError(`${store} has no arrays`);
  if (to.kind === "list") {
    const count = axesText(to.lengths.length);
    const [[, { shape }]] = all as [[string, Axes]];
    if (all.length === 1 && shape.length === 0) {
      return new CommandError(`--to ${to.text} has ${count}, but ${store} has none: write --to -1`);
    }
    if (all.length === 1) {
      return new CommandError(`--to ${to.text} has ${count}, but ${store} has ${shape.length}`);
    }
    const have = all.map(([name, { shape }]) => `${name} has ${shape.length}`).join(", ");
    return new CommandError(`--to ${to.text} has ${count}, but no array of ${store} does: ${have}`);
  }
  const names = all.flatMap(([, { dimensionNames = [] }]) =>
    dimensionNames.filter((name) => name !== null)
  );
  const known = [...new Set(names)];
  const unknown = [...to.lengths.keys()].find((name) => !known.includes(name));
  if (known.length === 0) {
    return new CommandError(`--to ${to.text}: the dimensions of ${store} have no names`);
  }
  if (unknown === undefined) {
    return new CommandError(`--to ${to.text}: no array of ${store} has all of these dimensions`);
  }
  const hint = didYouMean(unknown, known) || `; there are ${known.join(", ")}`;
  return new CommandError(`--to: ${store} has no dimension ${unknown}${hint}`);
}

export function axesText(count: number): string {
  return count === 1 ? "1 axis" : `${count} axes`;
}
