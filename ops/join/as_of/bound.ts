/**
 * An as-of join that knows both sides.
 *
 * @module
 */

import type { DataType, Schema } from "apache-arrow";
import type { AsOfRule } from "../../../gpu/order/as_of/match_times.ts";
import type { TimeForm } from "../../../gpu/order/as_of/times.ts";
import type { KeyPart } from "../../../gpu/key/key_layout.ts";
import type { BuildSide } from "../shared/build_side.ts";
import type { Expr } from "../../expr/expr.ts";
import type { JoinColumns } from "../shared/columns.ts";

/** An as-of join that is bound to the schemas of both sides. */
export interface BoundAsOf {
  readonly build: BuildSide;
  readonly how: "left" | "inner";
  readonly rule: AsOfRule;
  readonly form: TimeForm;
  /** The promoted types of the `by` columns. */
  readonly parts: readonly KeyPart[];
  readonly probe: SideColumns;
  /** Its places are those in `read`, the columns of the batches of the build side. */
  readonly built: SideColumns;
  readonly read: Schema;
  /** Columns of the build side that are computed first. */
  readonly computed: ReadonlyMap<string, Expr>;
  /** The columns of the result, and in `payload` their places in `read`. */
  readonly columns: JoinColumns;
  readonly payload: readonly number[];
}

/** Where the time and the `by` columns of a side lie, and what they are. */
export interface SideColumns {
  /** What errors call it. */
  readonly side: "stream" | "build side";
  readonly time: number;
  readonly timeName: string;
  readonly timeType: DataType;
  readonly by: readonly number[];
  readonly byNames: readonly string[];
}
