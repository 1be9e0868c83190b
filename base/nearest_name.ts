/**
 * The name that was probably meant: the nearest one, or what other languages call an operation.
 *
 * @module
 */

/**
 * The name that takes the fewest edits to reach (insert, delete, replace, swap neighbours; letter
 * case is free), if it is near enough to be meant; the first of several. Any letter is one edit from
 * any other, so that one alone says nothing.
 */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of names) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    const isNear = distance < Math.max(wanted.length, candidate.length);
    if (distance < bestDistance && isNear) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Blanks at an end or side by side, white space besides, commas and quotes, and nothing at all. */
const unclear = /^$|^\s|\s$|\s\s|[^\S ]|[,"\\]/u;

/** A name, in quotes where its blanks would not be seen, or not where it ends. */
export function showName(name: string): string {
  return unclear.test(name) ? JSON.stringify(name) : name;
}

/** `; did you mean upper?`, or nothing where no name is near. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const nearest = nearestName(name, names);
  return nearest === undefined ? "" : `; did you mean ${showName(nearest)}?`;
}

/** What is wrong with the name of a column that is none of `names`; `whose` follows the name. */
export function unknownColumn(name: string, names: readonly string[], whose = ""): string {
  return `Unknown column ${showName(name)}${whose}${otherColumns(name, names)}`;
}

/** The column that was probably meant, or all of them, with a semicolon in front. */
export function otherColumns(name: string, names: readonly string[]): string {
  return didYouMean(name, names) || `; there are ${listed(names)}`;
}

/** The most names that an error lists. */
const MAX_LISTED = 8;

function listed(names: readonly string[]): string {
  if (names.length === 0) return "no columns";
  const more = names.length > MAX_LISTED ? `, and ${names.length - MAX_LISTED} more` : "";
  return names.slice(0, MAX_LISTED).map(showName).join(", ") + more;
}

/** Optimal string alignment distance, in three rolling rows. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) {
        distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}

/**
 * What operations are called in JavaScript, Python, SQL and Polars, where that is not near to their name
 * here; in small letters, without underscores.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  touppercase: "upper",
  ucase: "upper",
  tolowercase: "lower",
  lcase: "lower",
  casefold: "lower",
  initcap: "title",
  len: "length",
  size: "length",
  charlength: "length",
  substring: "slice",
  substr: "slice",
  mid: "slice",
  charat: "get",
  at: "get",
  trim: "strip",
  trimstart: "lstrip",
  trimleft: "lstrip",
  ltrim: "lstrip",
  trimend: "rstrip",
  trimright: "rstrip",
  rtrim: "rstrip",
  includes: "contains",
  indexof: "find",
  instr: "find",
  position: "find",
  lastindexof: "rfind",
  search: "findRe",
  test: "containsRe",
  regexpmatches: "containsRe",
  regexplike: "containsRe",
  rlike: "containsRe",
  regexpextract: "extract",
  regexpreplace: "replaceRe",
  replaceall: "replace",
  padstart: "pad",
  padend: "pad",
  lpad: "pad",
  rpad: "pad",
  ljust: "pad",
  rjust: "pad",
  astype: "cast",
  tonumber: "toFloat",
  parseint: "toInteger",
  parsefloat: "toFloat",
  int: "toInteger",
  float: "toFloat",
  str: "toString",
  strftime: "format",
  strptime: "toTimestamp",
  ifnull: "fillNull",
  nvl: "fillNull",
  isin: "isIn",
  isna: "isNull",
  missing: "isNull",
  zeroifnull: "fillNull",
  fillna: "fillNull",
  uppercase: "upper",
  lowercase: "lower",
  datetime: "toTimestamp",
  date: "toDate",
  todatetime: "toTimestamp",
  tochar: "format",
  dateformat: "format",
  trycast: "tryCast",
  in: "isIn",
};

/** What an operation of another language is called among `names`; undefined for other names. */
export function otherName(name: string, names: ReadonlySet<string>): string | undefined {
  const key = name.toLowerCase().replaceAll("_", "");
  const meant = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
  return meant !== undefined && names.has(meant) ? meant : undefined;
}
