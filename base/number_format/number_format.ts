/**
 * Formats of numbers: a part of Python's format specifications, such as `.2f` and `08,d`.
 *
 * @module
 */

/** How a number is written. */
export interface NumberFormat {
  /** The character that fills the width. */
  readonly fill: string;
  /** Where the number stands in the width; `=` fills between the sign and the digits. */
  readonly align: "<" | ">" | "=" | "^";
  /** The sign of a number without a minus. */
  readonly plus: "" | "+" | " ";
  /** The least number of characters. */
  readonly width: number;
  /** The text between groups of digits. */
  readonly separator: "" | "," | "_";
  /** Digits behind the point, or all digits for `g` and no type; undefined where it is left out. */
  readonly precision: number | undefined;
  /** The type; empty where it is left out. */
  readonly type: "" | "d" | "f" | "e" | "g" | "%" | "x" | "b" | "o";
  /** Whether letters are capital. */
  readonly isCapital: boolean;
}

/** The grammar of a format, for errors. */
export const NUMBER_GRAMMAR =
  "[[fill]align][sign][0][width][, or _][.precision][type], as in Python";

const MOST_PRECISION = 100;
const MOST_WIDTH = 1000;

/** A spreadsheet's `0.00` is none, although Python takes it for one, with a precision of 00. */
const FORMAT =
  /^(?!0\.0+%?$)(?:(.)?([<>=^]))?([-+ ])?(0)?([1-9]\d*)?([,_])?(?:\.(\d+))?([dfegxbo%EGX])?$/su;

/** The kind of numbers that are written; only some formats are for whole ones. */
export type NumberKind = "integer" | "float" | "decimal";

/**
 * Parses a format of numbers of a kind. Throws a RangeError that says what is wrong, and what to write
 * instead.
 */
export function parseNumberFormat(text: string, kind: NumberKind): NumberFormat {
  const match = FORMAT.exec(text);
  if (match === null) {
    const hint = otherFormatHint(text) ??
      (/%[A-Za-z]/.test(text)
        ? "; % with a letter is for dates and times"
        : `; it is ${NUMBER_GRAMMAR}: ".2f"`);
    throw new RangeError(`${quoted(text)} is no format of numbers${hint}`);
  }
  const [, fill, align, sign, zero, width, separator = "", precision, letter = ""] = match;
  const type = letter.toLowerCase() as NumberFormat["type"];
  const format: NumberFormat = {
    fill: fill ?? (zero === undefined ? " " : "0"),
    align: (align ?? (zero === undefined ? ">" : "=")) as NumberFormat["align"],
    plus: sign === "+" || sign === " " ? sign : "",
    width: Number(width ?? 0),
    separator: separator as NumberFormat["separator"],
    precision: precision === undefined ? undefined : Number(precision),
    type,
    isCapital: letter !== type,
  };
  const problem = problemOf(format, kind, letter);
  if (problem !== undefined) throw new RangeError(`${quoted(text)}: ${problem}`);
  return format;
}

function problemOf(
  { width, precision, separator, type }: NumberFormat,
  kind: NumberKind,
  letter: string,
): string | undefined {
  if (width > MOST_WIDTH) return `the width is at most ${MOST_WIDTH}`;
  if (precision !== undefined && precision > MOST_PRECISION) {
    return `the precision is at most ${MOST_PRECISION}`;
  }
  const isWhole = type === "d" || type === "x" || type === "b" || type === "o";
  if (isWhole && kind !== "integer") {
    return `${letter} writes whole numbers, and this is a ${kind}; ".0f" rounds it, and ` +
      "toInteger() cuts its decimal places off";
  }
  if (precision !== undefined && (isWhole || (type === "" && kind === "integer"))) {
    return `a whole number has no precision; write ".${precision}f" for decimal places`;
  }
  if (separator === "," && isWhole && type !== "d") {
    return `digits of the type ${letter} are grouped by _, not by a comma`;
  }
}

/** Spellings of other languages, and the format that they mean. */
const OTHERS: readonly (readonly [pattern: RegExp, format: (match: RegExpExecArray) => string])[] =
  [
    // Python: "{:,.2f}"
    [/^\{[^:{}]*:([^{}]+)\}$/, ([, inner = ""]) => inner],
    // printf: "%8.2f", "%'d", "%05d"
    [
      /^%(-)?(0)?('|,)?(\d*)(\.\d+)?l*([dfegxo])$/,
      ([, left, zero = "", group, width = "", places = "", type = ""]) =>
        `${left === undefined ? "" : "<"}${zero}${width}${group ? "," : ""}${places}${type}`,
    ],
    [
      /^%(-)?(0)?(\d*)l*[iu]$/,
      ([, left, zero = "", width = ""]) => `${left ? "<" : ""}${zero}${width}d`,
    ],
    // Spreadsheets and SQL: "#,##0.00", "0.0%", "999,999.99"
    [
      /^[#09]*(,)?[#09]+(?:\.([09#]+))?(%)?$/,
      ([, group = "", places = "", percent]) => `${group}.${places.length}${percent ?? "f"}`,
    ],
    // d3 and others: "$,.2f"
    [/^([$€£])(.+)$/u, ([, , rest = ""]) => rest],
  ];

/** Whether a text is a format of numbers, of whole ones or of floats. */
export function isNumberFormat(text: string): boolean {
  return FORMAT.test(text);
}

/** Returns the format for one of another language, after a semicolon; undefined for other texts. */
export function otherFormatHint(text: string): string | undefined {
  for (const [pattern, format] of OTHERS) {
    const match = pattern.exec(text);
    const meant = match === null ? undefined : format(match);
    if (meant === undefined || !FORMAT.test(meant)) continue;
    const currency = /^[$€£]/u.exec(text)?.[0];
    return currency === undefined
      ? `; write ${quoted(meant)}`
      : `; write ${quoted(currency)} + amount.format(${quoted(meant)})`;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
