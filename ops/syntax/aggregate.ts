/**
 * The aggregates: functions of all rows of a group, which `group` computes.
 *
 * @module
 */

/** The arguments of an aggregate, and its summary. */
export interface AggregateShape {
  /** The names of its arguments. */
  readonly args: readonly string[];
  /** The number of arguments that a call must have. Default: all. */
  readonly least?: number;
  /** A clause without a period. */
  readonly summary: string;
}

/** The aggregates by name. */
export const AGGREGATES = {
  count: {
    args: ["value"],
    least: 0,
    summary: "the number of rows, or of values that are not null",
  },
  countDistinct: { args: ["value"], summary: "the number of distinct values that are not null" },
  sum: { args: ["number"], summary: "the exact sum; of floats it is rounded once" },
  mean: { args: ["number"], summary: "the exact sum, rounded, divided by the number of values" },
  min: { args: ["value"], summary: "the least value" },
  max: { args: ["value"], summary: "the greatest value; NaN is greater than any number" },
  first: { args: ["value"], summary: "the value of the first row, which may be null" },
  last: { args: ["value"], summary: "the value of the last row, which may be null" },
  argMin: { args: ["value", "by"], summary: "the value of the first row whose `by` is least" },
  argMax: { args: ["value", "by"], summary: "the value of the first row whose `by` is greatest" },
  mode: { args: ["value"], summary: "the most frequent value; of several the one that came first" },
  list: { args: ["value"], summary: "all values in their order, with nulls" },
  median: { args: ["number"], summary: "the value in the middle, or the mean of the two there" },
  quantile: {
    args: ["number", "share"],
    summary: "the value below which a share of the numbers lies, between two by their distance",
  },
  std: { args: ["number"], summary: "the standard deviation of a sample, from exact sums" },
  variance: { args: ["number"], summary: "the variance of a sample, from exact sums" },
  corr: { args: ["left", "right"], summary: "Pearson's correlation, from exact sums" },
  any: { args: ["test"], summary: "whether a value is true" },
  all: { args: ["test"], summary: "whether no value is false" },
} as const satisfies Readonly<Record<string, AggregateShape>>;

/** The name of an aggregate. */
export type AggregateName = keyof typeof AGGREGATES;

/** Whether a name is that of an aggregate which takes a number of arguments. */
export function isAggregate(name: string, numArgs: number): name is AggregateName {
  if (!Object.hasOwn(AGGREGATES, name)) return false;
  const { args, least = args.length }: AggregateShape = AGGREGATES[name as AggregateName];
  return numArgs >= least && numArgs <= args.length;
}

/** Returns the arguments of an aggregate, for errors: `number, share`; undefined for another name. */
export function argumentsOfAggregate(name: string): string | undefined {
  return Object.hasOwn(AGGREGATES, name)
    ? AGGREGATES[name as AggregateName].args.join(", ")
    : undefined;
}
