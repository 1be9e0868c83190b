/**
 * The names that other languages have for the operations.
 *
 * @module
 */

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

/**
 * Returns the name among `names` of an operation of another language; undefined for other names.
 */
export function otherName(name: string, names: ReadonlySet<string>): string | undefined {
  const key = name.toLowerCase().replaceAll("_", "");
  const meant = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
  return meant !== undefined && names.has(meant) ? meant : undefined;
}
