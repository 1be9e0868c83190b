import type { KeyType, ResultLimits, TableRequest } from "../../../gpu/backend.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import type { JoinHow } from "../../../gpu/join_kind.ts";

/** What a join table is made of, where nothing else is said of it. */
export function tableRequest(
  key: HostColumn,
  keyType: KeyType,
  payload: readonly HostColumn[],
  how: JoinHow = "inner",
): TableRequest {
  return { key, keyType, payload, buildOnlyPayload: [], how, nullsEqual: false };
}

/** Limits of rows alone. */
export function atMost(rows: number): ResultLimits {
  return { rows, bytes: Infinity };
}
