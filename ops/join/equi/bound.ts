/**
 * A join of rows with equal keys: what it was given, and what that means for the columns of both sides.
 *
 * @module
 */

import type { HostColumn } from "../../../gpu/column/column.ts";
import type { JoinHow } from "../../../gpu/join_kind.ts";
import { encodeKey } from "../../../gpu/key/encode_key.ts";
import type { KeyPart, KeyType } from "../../../gpu/key/key_layout.ts";
import type { Batch } from "../../batch/batch.ts";
import type { Names } from "../../engine/node.ts";
import type { BuildSide } from "../shared/build_side.ts";
import type { JoinColumns } from "../shared/columns.ts";
import type { JoinKeyPair } from "../shared/keys.ts";
import type { PromoteMode } from "../shared/promote_keys.ts";
import type { Validation } from "./unique_keys.ts";

/** What a join was given, checked. */
export interface EquiJoinSpec {
  readonly build: BuildSide;
  /** No pair for a cross join. */
  readonly keys: readonly JoinKeyPair[];
  readonly how: JoinHow;
  readonly nullsEqual: boolean;
  readonly promote: PromoteMode;
  readonly validate: Validation;
  readonly order: "probe" | "none";
  readonly suffix: string;
  readonly keepKeys: boolean;
  /** The columns that are taken of the build side; absent: all. */
  readonly columns: readonly string[] | undefined;
  /** The columns of the result that the steps after it need. Absent: all of them. */
  readonly wanted?: Names;
}

/** A join that is bound to the schemas of both sides. */
export interface BoundJoin {
  readonly spec: EquiJoinSpec;
  readonly parts: readonly KeyPart[];
  readonly keyType: KeyType;
  /** Places of the keys in batches of the stream. */
  readonly leftKeys: readonly number[];
  /** Places in batches of the build side: of the keys, of the payload, and of what comes last. */
  readonly rightKeys: readonly number[];
  readonly payload: readonly number[];
  readonly lastPayload: readonly number[];
  readonly columns: JoinColumns;
}

/** The key of rows of the build side. */
export function buildKeyOf(bound: BoundJoin, rows: Batch): HostColumn {
  const columns = bound.rightKeys.map((place) => rows.columns[place]!.column as HostColumn);
  return keyOf(bound, columns, rows.numRows);
}

/** The key that rows have; of a cross join all have the same. */
export function keyOf(
  { parts, spec: { nullsEqual } }: BoundJoin,
  columns: readonly HostColumn[],
  numRows: number,
): HostColumn {
  return parts.length === 0 ? sameKey(numRows) : encodeKey(columns, parts, nullsEqual);
}

function sameKey(numRows: number): HostColumn {
  return {
    place: "host",
    type: { kind: "int", bits: 8, signed: true },
    length: numRows,
    nullCount: 0,
    validity: null,
    data: new Uint8Array(numRows),
    offsets: null,
    children: [],
  };
}
