/** @module */

import { defaultJoinHow, isJoinHow, type JoinHow, joinHows } from "../../gpu/join_kind.ts";
import type { BatchStream } from "../../streams/plan/batch_stream.ts";
import type { Operator } from "../../streams/plan/operator.ts";
import { operatorOf } from "../engine/operator_of.ts";
import { nodeOf } from "../engine/node.ts";
import { kindOf } from "../syntax/kind_of.ts";
import { checkNames } from "../rows/column_names.ts";
import { asOfJoin, type AsOfOptions } from "./as_of/join.ts";
import { BuildSide } from "./shared/build_side.ts";
import { checkKind, refuseOthers } from "./shared/options.ts";
import type { EquiJoinSpec } from "./equi/bound.ts";
import { equiJoinKind } from "./equi/join.ts";
import { type BuildColumnsOptions, defaultSuffix } from "./shared/columns.ts";
import { type JoinKeys, keyPairs } from "./shared/keys.ts";
import type { PromoteMode } from "./shared/promote_keys.ts";
import { checkValidation, type Validation } from "./equi/unique_keys.ts";
import { whereJoin, type WhereJoinOptions } from "./where/join.ts";

/** How two streams are joined by equal keys. */
export interface EquiJoinOptions extends BuildColumnsOptions {
  /**
   * The keys: a name on both sides, `{ left: "right" }`, or a list of names and of pairs
   * `[left, right]`, whose parts are names or expressions.
   */
  readonly on: JoinKeys;
  /**
   * Which rows come out. `inner`: those that match; `left`: all of the stream; `right`: all of the build
   * side; `full`: all. `semi` and `anti`: the rows of the stream with and without a match, once each;
   * `right-semi` and `right-anti`: those of the build side. Default: "inner".
   */
  readonly how?: Exclude<JoinHow, "cross">;
  /** Whether null keys equal each other; if not, they match nothing. Default: false. */
  readonly nullsEqual?: boolean;
  /**
   * Which keys of different types meet. `lossless` also lets integers of up to 32 bits meet floats; it
   * is not associative. Default: "exact".
   */
  readonly promote?: PromoteMode;
  /**
   * How many rows of the stream and of the build side may share a key; more are an error. The keys of a
   * side that has to be unique are held in memory. Default: "m:m".
   */
  readonly validate?: Validation;
  /** `none` permits any order of the rows, which may be faster. Default: "probe". */
  readonly order?: "probe" | "none";
  /** Whether the keys of both sides come out, each as it was. Default: false. */
  readonly keepKeys?: boolean;
}

/** How every row of a stream is joined with every row of the build side. */
export interface CrossJoinOptions extends BuildColumnsOptions {
  /** The kind of the join. */
  readonly how: "cross";
  /** `none` permits any order of the rows, which may be faster. Default: "probe". */
  readonly order?: "probe" | "none";
}

/** How two streams are joined: by equal keys, every row with every row, as of a time, by a condition. */
export type JoinOptions = EquiJoinOptions | CrossJoinOptions | AsOfOptions | WhereJoinOptions;

/**
 * Joins the rows of the stream with those of a build side that have equal keys. The build side is
 * read first; the stream flows past it. The join takes the build side over, as a pipe would: it is
 * locked, and cancelled where the join ends without it.
 *
 * Rows come out in the order of the stream, and the matches of one row in the order of the build side.
 * Rows that the build side gives by itself (`right`, `full`, `right-semi`, `right-anti`) come last, in
 * its order.
 *
 * Keys of different types are compared in a type that holds every value of both; where there is none
 * (int64 with uint64, integers with floats, text with numbers) a TypeError is raised before any row is
 * read, which names a `cast` that helps. Text is compared by bytes, -0 equals 0 and NaN equals NaN.
 * Null keys match nothing, unless `nullsEqual` is true.
 *
 * The result has the columns of the stream, then those of the build side without its keys. A key
 * has the name that it has on the left; for `right` and `full` it is the one of the side that has a
 * row, in the common type. Where the left key is an expression, the right one comes out too.
 *
 * With `where` rows meet where a condition on the columns of both is true, such as
 * `start <= right.time && right.time < stop`: the build side is sorted and searched for what the
 * condition compares; all columns of both sides come out.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, join, toTable } from "../../mod.ts";
 *
 * const flights = tableFromArrays({ origin: ["LAX", "SFO", "LAX"] });
 * const airports = tableFromArrays({ iata: ["SFO", "LAX"], city: ["San Francisco", "Los Angeles"] });
 * const joined = await toTable(
 *   fromBatches(flights).pipeThrough(join(fromBatches(airports), { on: { origin: "iata" } })),
 * );
 * assertEquals(joined.toArray().map((row) => row.city), [
 *   "Los Angeles",
 *   "San Francisco",
 *   "Los Angeles",
 * ]);
 * ```
 */
export function join(build: BatchStream, options: JoinOptions): Operator {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`The options of a join are an object, not ${kindOf(options)}`);
  }
  const form = formOf(options);
  if (form === "asOf") return asOfJoin(build, options as AsOfOptions);
  if (form === "where") return whereJoin(build, options as WhereJoinOptions);
  const spec = equiJoinSpec(options);
  return operatorOf(nodeOf(equiJoinKind, { ...spec, build: new BuildSide(build) }), options);
}

const forms = ["on", "asOf", "where"] as const;
type Form = typeof forms[number];

/** The option that tells the form of a join; none for a cross join. */
function formOf(options: JoinOptions): Form | undefined {
  const given = forms.filter((form) =>
    (options as { readonly [form in Form]?: unknown })[form] !== undefined
  );
  if (given.length < 2) return given[0];
  throw new TypeError(`A join takes one of the options ${given.join(" and ")}, not both`);
}

/** The options of a join, checked. */
function equiJoinSpec(options: JoinOptions): Omit<EquiJoinSpec, "build"> {
  const given = options as Partial<EquiJoinOptions & { readonly how: JoinHow }>;
  const { how = defaultJoinHow, validate = "m:m", promote = "exact", order = "probe" } = given;
  if (!isJoinHow(how)) {
    throw new TypeError(`A join is one of ${quoted(joinHows)}, not ${JSON.stringify(how)}`);
  }
  checkValidation(validate);
  checkChoice("promote", promote, ["exact", "lossless"]);
  checkChoice("order", order, ["probe", "none"]);
  const isCross = how === "cross";
  if (isCross && given.on !== undefined) throw new TypeError("A cross join has no keys");
  if (!isCross && given.on === undefined) {
    throw new TypeError('Say which keys to join on, or how: "cross"');
  }
  const keys = isCross ? [] : keyPairs("on", given.on);
  if (!isCross && keys.length === 0) throw new TypeError("A join has at least one key");
  refuseOthers(isCross ? "A cross join" : "A join by keys", options);
  const { nullsEqual = false, suffix = defaultSuffix, keepKeys = false, columns } = given;
  checkKind("nullsEqual", nullsEqual, "boolean");
  checkKind("keepKeys", keepKeys, "boolean");
  checkKind("suffix", suffix, "string");
  if (columns !== undefined) checkNames("The option columns of a join", columns);
  return { keys, how, nullsEqual, promote, validate, order, suffix, keepKeys, columns };
}

function checkChoice(option: string, value: unknown, known: readonly string[]): void {
  if (known.some((name) => name === value)) return;
  throw new TypeError(
    `The option ${option} of a join is one of ${quoted(known)}, not ${JSON.stringify(value)}`,
  );
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
