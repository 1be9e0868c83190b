/**
 * What operations are called in JavaScript, Python, SQL and Polars, where that is not near to what
 * they are called here.
 *
 * @module
 */

const otherNames: Readonly<Record<string, string>> = {
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
  match: "extract",
  regexpmatches: "containsRe",
  regexpextract: "extract",
  regexpreplace: "replaceRe",
  replaceall: "replace",
  padstart: "pad",
  padend: "pad",
  lpad: "pad",
  rpad: "pad",
  ljust: "pad",
  rjust: "pad",
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
  in: "isIn",
};

/** What people mean by a name that is none of `names`; undefined where nobody knows. */
export function otherName(name: string, names: ReadonlySet<string>): string | undefined {
  const key = name.toLowerCase().replaceAll("_", "");
  const meant = Object.hasOwn(otherNames, key) ? otherNames[key] : undefined;
  return meant !== undefined && names.has(meant) ? meant : undefined;
}
