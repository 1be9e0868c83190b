/**
 * Parses sizes, counts and shares in the words of a command.
 *
 * @module
 */

import { CommandError } from "../../base/errors/command_error.ts";
import { parseSize } from "../../base/quantities.ts";

/** Parses a size such as `64MiB`, `1.5GB` or `65536`; `what` names it in errors. */
export function parseBytes(text: string, what: string): number {
  const bytes = parseSize(text);
  if (bytes !== undefined) return bytes;
  throw new CommandError(`${what} takes a size such as 64MiB, not ${JSON.stringify(text)}`);
}

/** Parses a whole number such as `10`, `-1` or `65_536`; `what` names it in errors. */
export function parseInteger(text: string, what: string, least = -Infinity): number {
  const number = /^[+-]?[0-9][0-9_]*$/.test(text) ? Number(text.replaceAll("_", "")) : NaN;
  if (!Number.isSafeInteger(number) || number < least) {
    const isInexact = Math.abs(number) > Number.MAX_SAFE_INTEGER;
    const bound = isInexact ? " below 2^53" : least === -Infinity ? "" : ` of at least ${least}`;
    throw new CommandError(`${what} takes a whole number${bound}, not ${JSON.stringify(text)}`);
  }
  return number;
}

/** Parses a share from 0 to 1, such as `0.999` or `99.9%`; `what` names it in errors. */
export function parseShare(text: string, what: string): number {
  const [, number, percent] = /^([0-9]+(?:\.[0-9]+)?)\s*(%?)$/.exec(text) ?? [];
  const share = Number(number) / (percent === "%" ? 100 : 1);
  if (share >= 0 && share <= 1) return share;
  throw new CommandError(
    `${what} takes a share such as 0.999 or 99.9%, not ${JSON.stringify(text)}`,
  );
}
