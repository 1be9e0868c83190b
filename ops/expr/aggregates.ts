/**
 * Builds aggregates in TypeScript, for `group`: `sum("amount")`.
 *
 * @module
 */

import type { AggregateName } from "../syntax/aggregate.ts";
import { toNode } from "../syntax/expr_base.ts";
import { col, type Expr, lit, makeExpr } from "./expr.ts";

/** An argument of an aggregate: the name of a column, or an expression. */
export type Aggregated = string | Expr;

/** Creates an aggregate. */
export function aggregate(name: AggregateName, args: readonly Aggregated[]): Expr {
  return makeExpr({
    node: "aggregate",
    name,
    args: args.map((arg) => toNode(typeof arg === "string" ? col(arg) : arg)),
  });
}

/**
 * Returns the number of rows of a group, or of the values that are not null (int64).
 *
 * @example
 * ```ts
 * import { count } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(count("delay"));
 * if (text !== "count(delay)") throw new Error(text);
 * ```
 */
export function count(value?: Aggregated): Expr {
  return aggregate("count", value === undefined ? [] : [value]);
}

/**
 * Returns the number of distinct values that are not null (int64).
 *
 * @example
 * ```ts
 * import { countDistinct } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(countDistinct("city"));
 * if (text !== "countDistinct(city)") throw new Error(text);
 * ```
 */
export function countDistinct(value: Aggregated): Expr {
  return aggregate("countDistinct", [value]);
}

/**
 * Returns the sum of a group: of integers as int64 (of uint64 as uint64), exact or an error; of
 * floats as float64, exact and rounded once; of durations as such. Null without values.
 *
 * @example
 * ```ts
 * import { sum } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(sum("delay"));
 * if (text !== "sum(delay)") throw new Error(text);
 * ```
 */
export function sum(number: Aggregated): Expr {
  return aggregate("sum", [number]);
}

/**
 * Returns the mean as float64: the exact sum, rounded, divided by the number of values. Null
 * without values.
 *
 * @example
 * ```ts
 * import { mean } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(mean("delay"));
 * if (text !== "mean(delay)") throw new Error(text);
 * ```
 */
export function mean(number: Aggregated): Expr {
  return aggregate("mean", [number]);
}

/**
 * Returns the least value, in the order of `<`. Null without values.
 *
 * @example
 * ```ts
 * import { min } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(min("delay"));
 * if (text !== "min(delay)") throw new Error(text);
 * ```
 */
export function min(value: Aggregated): Expr {
  return aggregate("min", [value]);
}

/**
 * Returns the greatest value, in the order of `<`; NaN is greater than any number. Null without
 * values.
 *
 * @example
 * ```ts
 * import { max } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(max("delay"));
 * if (text !== "max(delay)") throw new Error(text);
 * ```
 */
export function max(value: Aggregated): Expr {
  return aggregate("max", [value]);
}

/**
 * Returns the value of the first row of a group, which may be null.
 *
 * @example
 * ```ts
 * import { first } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(first("price"));
 * if (text !== "first(price)") throw new Error(text);
 * ```
 */
export function first(value: Aggregated): Expr {
  return aggregate("first", [value]);
}

/**
 * Returns the value of the last row of a group, which may be null.
 *
 * @example
 * ```ts
 * import { last } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(last("price"));
 * if (text !== "last(price)") throw new Error(text);
 * ```
 */
export function last(value: Aggregated): Expr {
  return aggregate("last", [value]);
}

/**
 * Returns the value of the first row whose `by` is least; rows without `by` do not count.
 *
 * @example
 * ```ts
 * import { argMin } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(argMin("name", "age"));
 * if (text !== "argMin(name, age)") throw new Error(text);
 * ```
 */
export function argMin(value: Aggregated, by: Aggregated): Expr {
  return aggregate("argMin", [value, by]);
}

/**
 * Returns the value of the first row whose `by` is greatest; rows without `by` do not count.
 *
 * @example
 * ```ts
 * import { argMax } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(argMax("name", "age"));
 * if (text !== "argMax(name, age)") throw new Error(text);
 * ```
 */
export function argMax(value: Aggregated, by: Aggregated): Expr {
  return aggregate("argMax", [value, by]);
}

/**
 * Returns the most frequent value that is not null; of several the one that came first.
 *
 * @example
 * ```ts
 * import { mode } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(mode("city"));
 * if (text !== "mode(city)") throw new Error(text);
 * ```
 */
export function mode(value: Aggregated): Expr {
  return aggregate("mode", [value]);
}

/**
 * Returns all values of a group in the order of the rows, with nulls.
 *
 * @example
 * ```ts
 * import { list } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(list("name"));
 * if (text !== "list(name)") throw new Error(text);
 * ```
 */
export function list(value: Aggregated): Expr {
  return aggregate("list", [value]);
}

/**
 * Returns the value in the middle as float64, or the mean of the two there.
 *
 * @example
 * ```ts
 * import { median } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(median("delay"));
 * if (text !== "median(delay)") throw new Error(text);
 * ```
 */
export function median(number: Aggregated): Expr {
  return aggregate("median", [number]);
}

/**
 * Returns the standard deviation of a sample (n - 1) as float64; null for fewer than two values.
 *
 * @example
 * ```ts
 * import { std } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(std("delay"));
 * if (text !== "std(delay)") throw new Error(text);
 * ```
 */
export function std(number: Aggregated): Expr {
  return aggregate("std", [number]);
}

/**
 * Returns the variance of a sample (n - 1) as float64, rounded once; null for fewer than two
 * values.
 *
 * @example
 * ```ts
 * import { variance } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(variance("delay"));
 * if (text !== "variance(delay)") throw new Error(text);
 * ```
 */
export function variance(number: Aggregated): Expr {
  return aggregate("variance", [number]);
}

/**
 * Returns Pearson's correlation as float64; null for fewer than two pairs.
 *
 * @example
 * ```ts
 * import { corr } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(corr("price", "size"));
 * if (text !== "corr(price, size)") throw new Error(text);
 * ```
 */
export function corr(left: Aggregated, right: Aggregated): Expr {
  return aggregate("corr", [left, right]);
}

/**
 * Returns whether a value is true; null without values.
 *
 * @example
 * ```ts
 * import { any } from "./aggregates.ts";
 * import { col, printExpr } from "./expr.ts";
 *
 * const text = printExpr(any(col("delay").gt(60)));
 * if (text !== "any(delay > 60)") throw new Error(text);
 * ```
 */
export function any(test: Aggregated): Expr {
  return aggregate("any", [test]);
}

/**
 * Returns whether no value is false; null without values.
 *
 * @example
 * ```ts
 * import { all } from "./aggregates.ts";
 * import { col, printExpr } from "./expr.ts";
 *
 * const text = printExpr(all(col("delay").gt(60)));
 * if (text !== "all(delay > 60)") throw new Error(text);
 * ```
 */
export function all(test: Aggregated): Expr {
  return aggregate("all", [test]);
}

/**
 * Returns the quantile of a share from 0, the least value, to 1 as float64; between two values by
 * their distance.
 *
 * @example
 * ```ts
 * import { quantile } from "./aggregates.ts";
 * import { printExpr } from "./expr.ts";
 *
 * const text = printExpr(quantile("delay", 0.9));
 * if (text !== "quantile(delay, 0.9)") throw new Error(text);
 * ```
 */
export function quantile(number: Aggregated, share: number): Expr {
  return aggregate("quantile", [number, lit(share)]);
}
