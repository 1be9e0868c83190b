/**
 * An as-of join that knows the schemas of both sides.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import type { AsOfRule } from "../../../gpu/order/as_of/match_times.ts";
import type { TimeForm } from "../../../gpu/order/as_of/times.ts";
import type { KeyPart } from "../../../gpu/key/key_layout.ts";
import type { BuildRequest, BuildSide } from "../shared/build_side.ts";
import type { JoinColumns } from "../shared/columns.ts";

/** An as-of join, bound to the schemas of both sides. */
export interface BoundAsOf {
  readonly build: BuildSide;
  readonly how: "left" | "inner";
  readonly rule: AsOfRule;
  readonly form: TimeForm;
  /** The promoted types of the `by` columns. */
  readonly parts: readonly KeyPart[];
  readonly probe: SideColumns;
  readonly request: BuildRequest;
  /** The columns of the build side; places here and in `payload` count the columns of the request. */
  readonly built: SideColumns;
  readonly columns: JoinColumns;
  readonly payload: readonly number[];
}

/** The time and the `by` columns of a side: places, names, types. */
export interface SideColumns {
  /** The name of the side in errors. */
  readonly side: "stream" | "build side";
  readonly time: number;
  readonly timeName: string;
  readonly timeType: DataType;
  readonly by: readonly number[];
  readonly byNames: readonly string[];
  readonly byTypes: readonly DataType[];
}
