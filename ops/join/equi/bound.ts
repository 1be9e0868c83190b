/**
 * A join by keys that knows the schemas of both sides.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import type { HostColumn } from "../../../gpu/column/column.ts";
import type { JoinHow } from "../../../gpu/join_kind.ts";
import { encodeKey } from "../../../gpu/key/encode_key.ts";
import type { KeyPart, KeyType } from "../../../gpu/key/key_layout.ts";
import type { BuildRequest } from "../shared/build_side.ts";
import type { JoinColumns } from "../shared/columns.ts";
import type { JoinKeyPair } from "../shared/keys.ts";
import type { JoinSpec } from "../shared/operator.ts";
import type { PromoteMode } from "../shared/promote_keys.ts";
import type { Validation } from "./unique_keys.ts";

/** The checked arguments of a join by keys. */
export interface EquiJoinSpec extends JoinSpec {
  /** The pairs of keys; empty for a cross join. */
  readonly keys: readonly JoinKeyPair[];
  readonly how: JoinHow;
  readonly nullsEqual: boolean;
  readonly promote: PromoteMode;
  readonly validate: Validation;
  readonly order: "probe" | "none";
  readonly keepKeys: boolean;
}

/** The keys of one side. */
interface SideKeys {
  /** Their places in batches of the stream, or in the rows of the build side. */
  readonly places: readonly number[];
  readonly types: readonly DataType[];
}

/** A join by keys, bound to the schemas of both sides. */
export interface BoundEqui {
  readonly spec: EquiJoinSpec;
  readonly parts: readonly KeyPart[];
  readonly keyType: KeyType;
  readonly left: SideKeys;
  readonly right: SideKeys;
  readonly request: BuildRequest;
  /** The places of the payload in rows of the build side, then that of build-only rows alone. */
  readonly payload: readonly number[];
  readonly buildOnlyPayload: readonly number[];
  readonly columns: JoinColumns;
}

/** Returns the key of rows, which is the same for all rows of a cross join. */
export function keyOf(
  { parts, spec: { nullsEqual } }: BoundEqui,
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
