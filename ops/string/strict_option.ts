import type { StringOpSpecBase } from "./define_string_op.ts";

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

/** What every conversion with the argument `strict` says of itself. */
export const STRICT: Required<Pick<StringOpSpecBase, "check" | "isStrict">> = {
  check: ({ strict }) => problemOfStrict(strict),
  isStrict: ({ strict }) => strict === true,
};
