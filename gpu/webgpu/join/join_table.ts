/**
 * The build side of a join on the device: its index, and the payload that the result takes.
 *
 * @module
 */

import type { JoinTable, KeyType, TableRequest } from "../../backend.ts";
import type { HostColumn } from "../../column/column.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import { type JoinKind, joinKinds } from "../../join_kind.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import type { WebGpuColumn } from "../memory/device_column.ts";
import { buildJoinIndex, type JoinIndex } from "./join_index.ts";
import { maxTextBytes } from "../device/loop_limit.ts";
import { Scope } from "../memory/scope.ts";
import { toDevice } from "../transfer/to_device.ts";
import { writeBytes } from "../transfer/upload.ts";

/** A column of the build side. It is gathered on the host where the device cannot hold it. */
type Payload = WebGpuColumn | HostColumn;

/** A table that the device can probe. */
export class WebGpuJoinTable implements JoinTable {
  readonly kind: JoinKind;
  readonly keyType: KeyType;
  readonly index: Omit<JoinIndex, "words">;
  readonly buffer: PooledBuffer;
  readonly payload: readonly Payload[];
  /** Bytes of the longest key; 0 for keys that are no text. */
  readonly longestKey: number;
  /** Whether every row of the last batch had a match; the next batch is likely to be the same. */
  matchesAll = false;
  /** Pairs for each row of the last batch; the next one is likely to have as many. */
  pairsPerRow = 1;

  constructor(
    kind: JoinKind,
    keyType: KeyType,
    index: JoinIndex,
    buffer: PooledBuffer,
    payload: readonly Payload[],
    longestKey: number,
  ) {
    const { words: _, ...layout } = index;
    this.kind = kind;
    this.keyType = keyType;
    this.index = layout;
    this.buffer = buffer;
    this.payload = payload;
    this.longestKey = longestKey;
  }

  release(): void {
    this.buffer.release();
    for (const column of this.payload) if (column.place === "device") column.release();
  }
}

/**
 * Builds a table; null if its index does not fit a window, a key is too long for the device, or the
 * join is of a kind that only the host knows.
 */
export async function buildTableOnDevice(
  context: WebGpuContext,
  { key, keyType, payload, how, nullsEqual }: TableRequest,
): Promise<WebGpuJoinTable | null> {
  const kind = joinKinds[how];
  if (kind.matchedRows !== "each" || kind.lastRows !== "none" || nullsEqual) return null;
  const longestKey = longestText(key);
  if (longestKey > maxTextBytes(context)) return null;
  const index = buildJoinIndex(key, keyType);
  const { words } = index;
  if (words.byteLength > context.windowBytes) return null;
  using scope = new Scope();
  const buffer = scope.own(await context.pool.acquire("storage", words.byteLength, "join table"));
  writeBytes(context, buffer, 0, new Uint8Array(words.buffer));
  context.device.counters.uploads++;
  const placed: Payload[] = [];
  for (const column of payload) {
    placed.push(await placePayload(context, scope, column));
  }
  scope.keep();
  return new WebGpuJoinTable(kind, keyType, index, buffer, placed, longestKey);
}

function longestText({ type, offsets, length }: HostColumn): number {
  let longest = 0;
  if (type.kind !== "string" || offsets === null) return longest;
  for (let row = 0; row < length; row++) {
    longest = Math.max(longest, offsets[row + 1]! - offsets[row]!);
  }
  return longest;
}

async function placePayload(
  context: WebGpuContext,
  scope: Scope,
  column: HostColumn,
): Promise<Payload> {
  // Nothing can be gathered from a column without rows but nulls.
  if (column.length === 0) return column;
  using own = new Scope();
  const placed = await toDevice(context, own, column, "join payload");
  if (placed === null) return column;
  own.keep();
  return scope.own(placed);
}
