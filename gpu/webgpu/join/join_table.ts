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
import { Commands } from "../dispatch/commands.ts";
import { maxSelectedRows } from "../gather/row_sizes.ts";
import { maxTextBytes } from "../device/loop_limit.ts";
import { Scope } from "../memory/scope.ts";
import { toDevice } from "../transfer/to_device.ts";
import { writeBytes } from "../transfer/upload.ts";

/** A column of the build side. It is gathered on the host where the device cannot hold it. */
type Payload = WebGpuColumn | HostColumn;

/** Which keys were found so far, for kinds with rows that the build side gives by itself. */
export interface Notes {
  /** One word a row of the build side: number of its key + 1, or 0. */
  readonly numbers: PooledBuffer;
  /** One word a key: 1 once a probe found it. */
  readonly noted: PooledBuffer;
}

/** What a table is made of. The table owns the buffers and the columns on the device. */
interface TableParts {
  readonly kind: JoinKind;
  readonly keyType: KeyType;
  readonly index: Omit<JoinIndex, "words" | "keyStarts" | "rows" | "numbers">;
  readonly buffer: PooledBuffer;
  readonly keyStarts: PooledBuffer;
  readonly keyRows: PooledBuffer;
  readonly notes: Notes | null;
  readonly payload: readonly Payload[];
  readonly lastPayload: readonly Payload[];
  readonly numRows: number;
  readonly isUnique: boolean;
  readonly longestKey: number;
}

/** A table that the device can probe. */
export class WebGpuJoinTable implements JoinTable {
  readonly kind: JoinKind;
  readonly keyType: KeyType;
  readonly index: TableParts["index"];
  readonly buffer: PooledBuffer;
  /** Where the rows of each key begin in `keyRows`, and the end. */
  readonly keyStarts: PooledBuffer;
  /** Rows with a key, grouped by key, each group in build order. */
  readonly keyRows: PooledBuffer;
  readonly notes: Notes | null;
  readonly payload: readonly Payload[];
  readonly lastPayload: readonly Payload[];
  /** Rows of the build side. */
  readonly numRows: number;
  /** Whether no two rows have the same key. */
  readonly isUnique: boolean;
  /** Bytes of the longest key; 0 for keys that are no text. */
  readonly longestKey: number;
  /** Whether every row of the last batch came out once; the next batch is likely to be the same. */
  matchesAll = false;
  /** Pairs for each row of the last batch; the next one is likely to have as many. */
  pairsPerRow: number;

  constructor(parts: TableParts) {
    this.kind = parts.kind;
    this.keyType = parts.keyType;
    this.index = parts.index;
    this.buffer = parts.buffer;
    this.keyStarts = parts.keyStarts;
    this.keyRows = parts.keyRows;
    this.notes = parts.notes;
    this.payload = parts.payload;
    this.lastPayload = parts.lastPayload;
    this.numRows = parts.numRows;
    this.isUnique = parts.isUnique;
    this.longestKey = parts.longestKey;
    this.pairsPerRow = parts.numRows / Math.max(1, parts.index.numKeys);
  }

  release(): void {
    this.buffer.release();
    this.keyStarts.release();
    this.keyRows.release();
    this.notes?.numbers.release();
    this.notes?.noted.release();
    for (const column of [...this.payload, ...this.lastPayload]) {
      if (column.place === "device") column.release();
    }
  }
}

/** Builds a table; null if its index does not fit a window, or a key is too long for the device. */
export async function buildTableOnDevice(
  context: WebGpuContext,
  request: TableRequest,
): Promise<WebGpuJoinTable | null> {
  const { key, keyType, how, nullsEqual } = request;
  const longestKey = longestText(key);
  if (longestKey > maxTextBytes(context)) return null;
  if (key.length > maxSelectedRows(context.windowBytes)) return null;
  const index = buildJoinIndex(key, keyType, nullsEqual);
  const { words, keyStarts, rows, numbers, ...layout } = index;
  if (words.byteLength > context.windowBytes) return null;
  using scope = new Scope();
  const upload = async (words: Uint32Array, label: string) => {
    const buffer = scope.own(await context.pool.acquire("storage", words.byteLength, label));
    writeBytes(context, buffer, 0, new Uint8Array(words.buffer));
    context.device.counters.uploads++;
    return buffer;
  };
  const kind = joinKinds[how];
  const placeAll = async (columns: readonly HostColumn[]) => {
    const placed: Payload[] = [];
    for (const column of columns) placed.push(await placePayload(context, scope, column));
    return placed;
  };
  const table = new WebGpuJoinTable({
    kind,
    keyType,
    index: layout,
    buffer: await upload(words, "join table"),
    keyStarts: await upload(keyStarts, "join key starts"),
    keyRows: await upload(rows, "join key rows"),
    notes: kind.lastRows === "none" ? null : {
      numbers: await upload(numbers, "join key numbers"),
      noted: await cleared(context, scope, index.numKeys, "join keys found"),
    },
    payload: await placeAll(request.payload),
    lastPayload: await placeAll(kind.lastRows === "none" ? [] : request.lastPayload),
    numRows: key.length,
    isUnique: rows.length === index.numKeys,
    longestKey,
  });
  scope.keep();
  return table;
}

/** A buffer of zeros. */
async function cleared(
  context: WebGpuContext,
  scope: Scope,
  words: number,
  label: string,
): Promise<PooledBuffer> {
  const buffer = scope.own(await context.pool.acquire("storage", 4 * words, label));
  using commands = new Commands(context, label);
  commands.clear(buffer, 0, words);
  commands.submit();
  return buffer;
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
