/** @module */

import type { JoinHow } from "../../gpu/backend.ts";
import type { BatchStream } from "../../streams/batch_stream.ts";
import type { Operator } from "../../streams/operator.ts";
import { checkNamed } from "../rows/check_named.ts";
import { type EngineOption, operatorOf } from "../engine/engine_option.ts";
import { BuildSide } from "./build_side.ts";
import { joinNode } from "./join_node.ts";

/** How two streams are joined. */
export interface JoinOptions extends EngineOption {
  /** The key: its name on both sides, or `{ left: "right" }`. */
  readonly on: string | Readonly<Record<string, string>>;
  /** `inner` keeps the rows that match, `left` all rows of the stream. Default: "inner". */
  readonly how?: JoinHow;
  /** Added to names of the build side that the stream has as well. Default: "_right". */
  readonly suffix?: string;
  /** Whether the key of the build side comes out too. Default: false. */
  readonly keepKeys?: boolean;
}

/**
 * Joins the rows of the stream with those of a build side that have an equal key. The build side
 * is read first and held in memory; the stream flows past it and keeps its order. A row with
 * several matches comes out once for each, in the order of the build side. The join takes the build
 * side over, as a pipe would: it is locked, and cancelled where the join ends without it.
 *
 * Null keys match nothing. Integer keys of different types are widened to one that holds every
 * value of both; where there is none (int64 with uint64), and for text with numbers, a TypeError
 * is raised before any row is read. Text is compared by bytes.
 *
 * The result has the columns of the stream, then those of the build side without its key.
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
  const { on, how = "inner", suffix = "_right", keepKeys = false } = options;
  if (typeof on !== "string") checkNamed("The option on of a join", "keys", on);
  const keys = typeof on === "string" ? [[on, on] as const] : Object.entries(on);
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    throw new TypeError(`A join has one key, not ${keys.length}`);
  }
  if (how !== "inner" && how !== "left") {
    throw new TypeError(`A join is "inner" or "left", not "${how}"`);
  }
  const [leftKey, rightKey] = key;
  return operatorOf(
    joinNode(new BuildSide(build), { leftKey, rightKey, how, suffix, keepKeys }),
    options,
  );
}
