/**
 * Joins. `join` chooses the form by the options; each form is a folder.
 *
 * ```text
 *   build side                            stream (probe side)
 *       |                                    |
 *   1 build                                  |
 *     equi/    a hash table of the keys      |
 *     where/   sorted values                 |
 *     as_of/   sorted groups; without groups |
 *              the next batch, when needed   |
 *       |                                    |
 *       +----------> 2 probe <---------------+    each batch: find the pairs, gather their rows
 *                       |
 *                       +---> batches of the result, in the order of the stream
 *                       |
 *                    3 build-only rows            equi/ alone, in the order of the build side
 *
 *   If the build side exceeds the memory (ops/spill):
 *
 *             equi/                       as_of/ by groups           where/
 *   1 build   partitions by the hash of   partitions by the number   one file
 *             the key, the largest ones   of the group, in files
 *             in files
 *   2 probe   joined with partitions in   to the files of the        one file
 *             memory, the rest to files   partitions
 *   3 spill   one partition in files after the other; divided        chunk by chunk of the build
 *             again while it does not fit; one large key chunk       side, the stream read again
 *             by chunk, one large group read along with its rows     for each
 *   4 merge   results carry the numbers of their probe rows: those of a partition or a chunk are a
 *             sorted run in a file, and the runs are merged into the order of the stream
 * ```
 *
 * @module
 */

import type { BatchStream } from "../../streams/plan/batch_stream.ts";
import type { Operator } from "../../streams/plan/operator.ts";
import { kindOf } from "../../base/kind_of.ts";
import { asOfJoin, type AsOfOptions } from "./as_of/join.ts";
import { type CrossJoinOptions, equiJoin, type EquiJoinOptions } from "./equi/join.ts";
import { whereJoin, type WhereJoinOptions } from "./where/join.ts";

/** The options of a join: by equal keys, of every row with every row, as of a time, or by a condition. */
export type JoinOptions = EquiJoinOptions | CrossJoinOptions | AsOfOptions | WhereJoinOptions;

/**
 * Returns an operator that joins the rows of the stream with those of a build side that have equal keys.
 * It reads the build side first; then the stream flows past it. The join takes the build side over, as a
 * pipe would: it locks it, and cancels it if the join ends without it.
 *
 * Rows come out in the order of the stream, and the matches of one row in the order of the build side.
 * Rows of the build side alone (`right`, `full`, `right-semi`, `right-anti`) come last, in its order.
 *
 * Keys of different types are compared in a type that holds every value of both. If there is none (int64
 * with uint64, integers with floats, text with numbers) the join throws a TypeError before it reads any
 * row, which names a `cast` that helps. Text is compared by bytes, -0 equals 0 and NaN equals NaN. Null
 * keys match nothing, unless `nullsEqual` is true.
 *
 * The result has the columns of the stream, then those of the build side without its keys. A key has its
 * name on the left; for `right` and `full` it is that of the side that has a row, in the common type. If
 * the left key is an expression, the right key comes out too.
 *
 * With `where` two rows match if a condition on the columns of both is true, such as
 * `start <= right.time && right.time < stop`. The join sorts the build side by the values that the
 * condition compares, and searches it; all columns of both sides come out.
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
  return equiJoin(build, options as EquiJoinOptions | CrossJoinOptions);
}

const forms = ["on", "asOf", "where"] as const;
type Form = typeof forms[number];

/** Returns the option that determines the form of a join; undefined for a cross join. */
function formOf(options: JoinOptions): Form | undefined {
  const given = forms.filter((form) =>
    (options as { readonly [form in Form]?: unknown })[form] !== undefined
  );
  if (given.length < 2) return given[0];
  throw new TypeError(`A join takes one of the options ${given.join(" and ")}, not both`);
}
