/**
 * What conversions share: the argument `strict`, and the choice by what they are called on.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import { namedType } from "../../syntax/named_types.ts";
import type { Receiver } from "../../syntax/receiver.ts";
import { castSteps } from "./steps.ts";
import type { CallArgs } from "../define/define_string_op.ts";

/** Makes an error, which names the row, of what a conversion otherwise makes null. */
export interface StrictOption {
  /** False by default. */
  readonly strict?: boolean;
}

/** What is wrong with the argument `strict`; undefined where nothing is. */
export function problemOfStrict(strict: unknown): string | undefined {
  if (strict === undefined || typeof strict === "boolean") return undefined;
  return "strict must be true or false";
}

/** What every conversion that takes `strict` says of it. */
export const STRICT = {
  details: "With strict: true, what would become null is an error that names the row.",
  args: { strict: "literal" },
  accepts: { strict: "bool" },
  check: ({ strict }: CallArgs) => problemOfStrict(strict),
  isStrict: ({ strict }: CallArgs) => strict === true,
} as const;

/** Chooses the row function that is named as what the operation is called on, among these. */
export function byReceiver<On extends Receiver>(...known: On[]) {
  return (_args: CallArgs, on: Receiver): On | undefined => known.find((one) => one === on);
}

/** What to write instead of a conversion for a type that only a cast takes. */
export function castInstead(name: string) {
  return (type: DataType): string | undefined => {
    const to = namedType(name);
    const hasWay = to !== undefined && typeof castSteps(type, to) !== "string";
    return hasWay ? `cast(${JSON.stringify(name)}) takes it` : undefined;
  };
}
