/**
 * Shared by conversions: the argument `strict`, and the choice of an overload by receiver.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import { namedType } from "../../syntax/named_types.ts";
import type { Receiver } from "../../syntax/receiver.ts";
import { castSteps } from "./steps.ts";
import type { CallArgs } from "../define/define_string_op.ts";

/** Turns a value that does not convert from a null into an error that names the row. */
export interface StrictOption {
  /** False by default. */
  readonly strict?: boolean;
}

/** Returns the problem with the argument `strict`; undefined if there is none. */
export function problemOfStrict(strict: unknown): string | undefined {
  if (strict === undefined || typeof strict === "boolean") return undefined;
  return "strict must be true or false";
}

/** The part of the definition of every conversion that takes `strict`. */
export const STRICT = {
  details: "With strict: true, a value that would become null is an error that names the row.",
  args: { strict: "literal" },
  accepts: { strict: "bool" },
  check: ({ strict }: CallArgs) => problemOfStrict(strict),
  isStrict: ({ strict }: CallArgs) => strict === true,
} as const;

/** Returns a chooser that picks the overload named like the receiver, where it is one of these. */
export function byReceiver<On extends Receiver>(...known: On[]) {
  return (_args: CallArgs, on: Receiver): On | undefined => known.find((one) => one === on);
}

/** Returns a function that suggests `cast` for a type that only `cast` takes. */
export function castInstead(name: string) {
  return (type: DataType): string | undefined => {
    const to = namedType(name);
    const hasWay = to !== undefined && typeof castSteps(type, to) !== "string";
    return hasWay ? `cast(${JSON.stringify(name)}) takes it` : undefined;
  };
}
