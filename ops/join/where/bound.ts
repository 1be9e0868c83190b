/**
 * A join by a condition that knows the schemas of both sides.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { ResultLimits } from "../../../gpu/backend.ts";
import type { BuildRequest, BuildSide } from "../shared/build_side.ts";
import type { JoinColumns } from "../shared/columns.ts";
import type { PairCondition } from "./pair_filter.ts";
import type { WherePlan } from "./where_plan.ts";

/** A condition on pairs, and the places of its inputs among the columns of the request. */
export interface BoundPairs {
  readonly condition: PairCondition;
  readonly payload: readonly number[];
}

/** A join by a condition, bound to the schemas of both sides. */
export interface BoundWhere {
  /** The columns of the stream. */
  readonly left: Schema;
  readonly build: BuildSide;
  readonly request: BuildRequest;
  readonly plan: WherePlan;
  /** The conditions on pairs, in order. */
  readonly pairs: readonly BoundPairs[];
  readonly columns: JoinColumns;
  /** The places of the payload among the columns of the request. */
  readonly payload: readonly number[];
  /** Whether unmatched rows of the stream come out too. */
  readonly keepsAll: boolean;
  readonly limits: ResultLimits;
}
