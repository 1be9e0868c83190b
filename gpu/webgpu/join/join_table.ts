/**
 * The build side of a join on the device: its index, and the payload columns of the result.
 *
 * @module
 */

import type { JoinTable, KeyType, TableRequest } from "../../backend.ts";
import { columnBytes, type ColumnType, type HostColumn } from "../../column/column.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import { type JoinKind, joinKinds } from "../../join_kind.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import type { WebGpuColumn } from "../memory/device_column.ts";
import { buildIndex } from "./build_index.ts";
import type { DeviceIndex } from "./device_index.ts";
import { indexBytes } from "./split_keys.ts";
import { Commands } from "../dispatch/commands.ts";
import { maxSelectedRows } from "../gather/row_sizes.ts";
import { maxTextBytes } from "../dispatch/loop_limit.ts";
import { Scope } from "../memory/scope.ts";
import { toDevice } from "../transfer/to_device.ts";

/**
 * A column of the build side. It stays on the host where the device cannot hold it, or has no
 * memory left.
 */
type Payload = WebGpuColumn | HostColumn;

/** The keys that some probe matched, for kinds of joins that emit build rows at the end. */
export interface Notes {
  /** For each row of the build side, the number of its key + 1, or 0. */
  readonly numbers: PooledBuffer;
  /** For each key, 1 if a probe found it. */
  readonly noted: PooledBuffer;
}

/** The parts of a table; the table owns their buffers and their columns on the device. */
interface TableParts {
  readonly kind: JoinKind;
  readonly index: DeviceIndex;
  readonly notes: Notes | null;
  readonly payload: readonly Payload[];
  readonly buildOnlyPayload: readonly Payload[];
  readonly numRows: number;
  readonly longestKey: number;
}

/** A table that the device can probe. */
export class WebGpuJoinTable implements JoinTable {
  readonly kind: JoinKind;
  readonly index: DeviceIndex;
  readonly notes: Notes | null;
  readonly payload: readonly Payload[];
  readonly buildOnlyPayload: readonly Payload[];
  /** The number of rows of the build side. */
  readonly numRows: number;
  /** The bytes of the longest key; 0 for integer keys. */
  readonly longestKey: number;
  /** Whether every row of the last batch came out once, as a guess for the next one. */
  matchesAll = false;
  /** The pairs for each row of the last batch, as a guess for the next one. */
  pairsPerRow: number;
  readonly #owned: Scope;

  constructor(parts: TableParts, owned: Scope) {
    this.kind = parts.kind;
    this.index = parts.index;
    this.notes = parts.notes;
    this.payload = parts.payload;
    this.buildOnlyPayload = parts.buildOnlyPayload;
    this.numRows = parts.numRows;
    this.longestKey = parts.longestKey;
    this.pairsPerRow = parts.numRows / Math.max(1, parts.index.numKeys);
    this.#owned = owned;
  }

  /** Whether no two rows have the same key. */
  get isUnique(): boolean {
    return this.index.groups === null;
  }

  release(): void {
    this.#owned[Symbol.dispose]();
  }
}

/**
 * Builds a table. Returns null if the host has to build it: where a key is too long for the device;
 * where the rows of one key, or the numbers of all rows, do not fit a window; where the index would
 * take more than half of the memory for tables; or where too many keys share a hash.
 */
export async function buildTableOnDevice(
  context: WebGpuContext,
  { key, keyType, payload, buildOnlyPayload, how, nullsEqual }: TableRequest,
): Promise<WebGpuJoinTable | null> {
  checkKey(key.type, keyType);
  const longestKey = longestText(key);
  // Longer keys of the other side are cut to one byte more than this.
  if (longestKey >= maxTextBytes(context)) return null;
  if (key.length > maxSelectedRows(context.windowBytes)) return null;
  // The other half is for the batches of the probe side.
  const leftBytes = context.pool.budgetBytes / 2 - indexBytes(key, keyType);
  if (leftBytes < 0) return null;
  const kind = joinKinds[how];
  const givesLast = kind.buildOnlyRows !== "none";
  using scope = new Scope();
  const request = { key, keyType, nullsEqual, wantsNumbers: givesLast };
  const index = await buildIndex(context, scope, request);
  if (index === null) return null;
  const { numbers, numKeys } = index;
  // Without groups, the number of a key is its row.
  const numNotes = index.groups === null ? key.length : numKeys;
  const notes = numbers !== null && givesLast
    ? { numbers, noted: await cleared(context, scope, numNotes, "join keys found") }
    : null;
  const placed = new Map<HostColumn, WebGpuColumn>();
  // If a text key is also a payload column, it is on the device already.
  if (index.parts.length === 1 && index.parts[0]!.text !== null) {
    placed.set(key, index.parts[0]!.text);
  }
  const memory = { leftBytes, placed };
  const parts = {
    ...{ kind, index, notes, longestKey, numRows: key.length },
    payload: await placeColumns(context, scope, payload, memory),
    buildOnlyPayload: await placeColumns(context, scope, givesLast ? buildOnlyPayload : [], memory),
  };
  const owned = new Scope();
  scope.moveTo(owned);
  return new WebGpuJoinTable(parts, owned);
}

/**
 * Checks that kernels can read keys of a type: as integers no wider than those of the table, or as
 * text.
 */
export function checkKey(type: ColumnType, keyType: KeyType): void {
  const fits = type.kind === "int" && keyType.kind === "int"
    ? type.bits <= keyType.bits
    : type.kind === "string" && keyType.kind === "string";
  if (!fits) throw new TypeError(`Cannot join ${keyType.kind} keys with ${type.kind} keys`);
}

/** Returns a buffer of zeros. */
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

/** The free bytes for payload, and the columns that are already uploaded. */
interface PayloadMemory {
  leftBytes: number;
  readonly placed: Map<HostColumn, WebGpuColumn>;
}

/** Uploads columns as long as there is memory; each of them once. */
async function placeColumns(
  context: WebGpuContext,
  scope: Scope,
  columns: readonly HostColumn[],
  memory: PayloadMemory,
): Promise<Payload[]> {
  const all: Payload[] = [];
  for (const column of columns) {
    const known = memory.placed.get(column);
    if (known !== undefined) {
      all.push(scope.own(known.retain()));
      continue;
    }
    const bytes = columnBytes(column);
    // A column without rows can only contribute nulls.
    const stays = column.length === 0 || bytes > memory.leftBytes;
    const uploaded = stays ? null : await toDevice(context, scope, column, "join payload");
    if (uploaded !== null) {
      memory.placed.set(column, uploaded);
      memory.leftBytes -= bytes;
    }
    all.push(uploaded ?? column);
  }
  return all;
}
