/**
 * The arguments that all functions of a join in bounded memory share.
 *
 * @module
 */

import type { Backend, KeyType } from "../../../gpu/backend.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { givesProbeRows, type JoinHow, type JoinKind, joinKinds } from "../../../gpu/join_kind.ts";
import type { HostRows } from "../../spill/host_rows.ts";
import type { Spill } from "../../spill/spill.ts";

/** The shape of a join. Its columns are places in the rows of their side. */
export interface JoinShape {
  readonly how: JoinHow;
  /** Whether the result has the order of the probe side, or any order. */
  readonly order: "probe" | "none";
  readonly keyType: KeyType;
  readonly nullsEqual: boolean;
  readonly build: {
    /** Returns the key of rows, which may have one more column than their side. Called several times. */
    keyOf(rows: HostRows): HostColumn;
    readonly payload: readonly number[];
    readonly buildOnlyPayload: readonly number[];
  };
  readonly probe: {
    /** Returns the key of rows of the probe side, in the same way. */
    keyOf(rows: HostRows): HostColumn;
    /** The places of the columns that come out. */
    readonly output: readonly number[];
  };
}

/** A join that may not fit into memory. */
export class SpilledJoin {
  readonly shape: JoinShape;
  readonly backend: Backend;
  readonly spill: Spill;
  readonly kind: JoinKind;
  /** Whether the rows of a side carry their numbers as their last column. */
  readonly numbersProbe: boolean;
  readonly numbersBuild: boolean;

  constructor(shape: JoinShape, backend: Backend, spill: Spill) {
    this.shape = shape;
    this.backend = backend;
    this.spill = spill;
    this.kind = joinKinds[shape.how];
    const { output } = shape.probe;
    const { payload, buildOnlyPayload } = shape.build;
    // Rows without columns are only counted.
    const isOrdered = shape.order === "probe" &&
      output.length + payload.length + buildOnlyPayload.length > 0;
    this.numbersProbe = isOrdered && givesProbeRows(this.kind);
    this.numbersBuild = isOrdered && this.kind.buildOnlyRows !== "none";
  }
}
