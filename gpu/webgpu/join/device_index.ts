/**
 * The index of a join on the device: a hash table of the keys, in one part or several, and the rows
 * of each key.
 *
 * @module
 */

import type { KeyType } from "../../backend.ts";
import type { ColumnType } from "../../column/column.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import { viewParams, type WebGpuColumn, type WindowView } from "../memory/device_column.ts";
import type { GroupedRows } from "./sort_rows.ts";
import { slotShift } from "./split_keys.ts";

/** A part of the hash table. */
interface IndexPart {
  readonly slots: PooledBuffer;
  readonly numSlots: number;
  /** The number of slots, from the first one of its hash, in which a key may be. */
  readonly numSteps: number;
  /**
   * The column of the keys if they are text, which slots point into. Null for integers, and without
   * keys.
   */
  readonly text: WebGpuColumn | null;
}

/** The index of a join. */
export interface DeviceIndex {
  readonly keyType: KeyType;
  readonly seed: number;
  readonly parts: readonly IndexPart[];
  readonly numKeys: number;
  /** The number of the null key + 1; 0 if there is none. */
  readonly nullNumber: number;
  /** The rows of each key; null if each key has one row, which is its number. */
  readonly groups: GroupedRows | null;
  /**
   * A word for each row of the build side: the number of its key + 1, or 0. Null where not
   * requested.
   */
  readonly numbers: PooledBuffer | null;
}

/** Returns the parameters with which kernels read and hash keys, as in `join_keys.wgsl`. */
export function keyParams(
  { type, hasValidity }: { readonly type: ColumnType; readonly hasValidity: boolean },
  view: WindowView,
  length: number,
  keyType: KeyType,
  numSlots: number,
  seed: number,
): number[] {
  const int = type.kind === "int" ? type : { bits: 0, signed: false };
  const isWide = keyType.kind === "int" && keyType.bits === 64;
  return [
    ...viewParams(view),
    ...[length, hasValidity ? 1 : 0, numSlots - 1, seed],
    ...[int.bits / 8, int.signed ? 1 : 0, isWide ? 1 : 0, slotShift(keyType)],
  ];
}
