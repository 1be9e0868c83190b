/**
 * Names of operations in other languages, which Sluice translates in hints.
 *
 * @module
 */

/**
 * The names of operations in JavaScript, Python, SQL and Polars that are not similar to the name here;
 * in small letters, without underscores.
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

/** Returns the name, among `names`, for the name of an operation elsewhere; undefined without one. */
export function otherName(name: string, names: ReadonlySet<string>): string | undefined {
  const key = name.toLowerCase().replaceAll("_", "");
  const meant = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
  return meant !== undefined && names.has(meant) ? meant : undefined;
}
