/**
 * Joins. `join` chooses the form by the options; each form is a room.
 *
 * ```text
 *   build side              probe side (the stream)
 *       |                        |
 *   1 build: read it all,        |        equi/    a hash table of its keys
 *     make a table               |        where/   sorted values, searched by rank
 *       |                        |        as_of/   groups in memory; without groups it is read along
 *       +------> 2 probe <-------+        each batch of the stream meets the table;
 *                    |                    a backend finds the pairs and gathers their rows
 *                    +----------------->  batches in the order of the stream, one after the other
 *                    |
 *                3 build-only rows        equi/ alone: rows of the build side, in its order
 *
 *   If the build side exceeds the memory (ops/spill):
 *   1 build: partitions of the keys (equi/ as_of/) or chunks (where/); what has no room goes to files
 *   2 probe: a partition in memory is probed at once; other probe rows go to its file, with their number
 *   3 spill: the partitions in files are joined one after the other; one that is still too large is
 *     divided again, one key that is too large is joined chunk by chunk. Each gives a run, sorted by
 *     the numbers of its probe rows, in a file
 *   4 merge: all runs together, in the order of the stream
 * ```
 *
 * @module
 */

import type { BatchStream } from "../../streams/plan/batch_stream.ts";
import type { Operator } from "../../streams/plan/operator.ts";
import { kindOf } from "../syntax/kind_of.ts";
import { asOfJoin, type AsOfOptions } from "./as_of/join.ts";
import { type CrossJoinOptions, equiJoin, type EquiJoinOptions } from "./equi/join.ts";
import { whereJoin, type WhereJoinOptions } from "./where/join.ts";

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
  return equiJoin(build, options as EquiJoinOptions | CrossJoinOptions);
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
