import type { ParsedRegex } from "../regex/regex_term.ts";

/**
 * The number of a group of a pattern by its number, 0 for the whole match, or by its name. Throws a
 * RangeError for one that the pattern does not have, and a TypeError for what is neither.
 */
export function groupNumber({ pattern, groupNames }: ParsedRegex, group: unknown): number {
  if (typeof group === "string") {
    const index = groupNames.indexOf(group);
    if (index < 0) throw new RangeError(`the pattern /${pattern}/ has no group ${group}`);
    if (groupNames.indexOf(group, index + 1) >= 0) {
      throw new RangeError(`the pattern /${pattern}/ has the group ${group} twice; use its number`);
    }
    return index + 1;
  }
  const number = typeof group === "bigint" ? Number(group) : group;
  if (typeof number !== "number" || !Number.isInteger(number)) {
    throw new TypeError("the group must be a whole number or a name");
  }
  if (number >= 0 && number <= groupNames.length) return number;
  const count = groupNames.length === 1 ? "1 group" : `${groupNames.length} groups`;
  throw new RangeError(`the pattern /${pattern}/ has ${count}, there is no group ${number}`);
}
