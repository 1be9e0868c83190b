/** Letters that a name of a month takes in the table; shorter ones are followed by zeros. */
export const MONTH_LETTERS = 9;

const NAMES = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/** The English names of the months in small letters, one after the other. */
export const MONTH_NAMES: Int32Array = Int32Array.from(
  NAMES.flatMap((name) => Array.from({ length: MONTH_LETTERS }, (_, i) => name.charCodeAt(i) || 0)),
);
