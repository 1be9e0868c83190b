/**
 * The build side of a join on the device: its index, and the payload that the result takes.
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
 * A column of the build side. It is gathered on the host where the device cannot hold it, or has no
 * memory left for it.
 */
type Payload = WebGpuColumn | HostColumn;

/** The keys that were matched so far, for kinds with build-only rows. */
export interface Notes {
  /** One word a row of the build side: number of its key + 1, or 0. */
  readonly numbers: PooledBuffer;
  /** One word a key: 1 once a probe found it. */
  readonly noted: PooledBuffer;
}

/** The parts of a table, which owns the buffers and the columns on the device. */
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
  /** Rows of the build side. */
  readonly numRows: number;
  /** Bytes of the longest key; 0 for keys that are no text. */
  readonly longestKey: number;
  /** Whether every row of the last batch came out once; the next batch is likely to be the same. */
  matchesAll = false;
  /** Pairs for each row of the last batch; the next one is likely to have as many. */
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
 * Builds a table. Null, and it has to be built on the host, where a key is too long for the device, the
 * rows of one key do not fit a window, nor the numbers of all rows; where the index would take more than
 * the half of the memory that tables may take; or if too many keys have one hash.
 */
export async function buildTableOnDevice(
  context: WebGpuContext,
  { key, keyType, payload, buildOnlyPayload, how, nullsEqual }: TableRequest,
): Promise<WebGpuJoinTable | null> {
  checkKey(key.type, keyType);
  const longestKey = longestText(key);
  // Longer keys of the other side are cut to one byte more.
  if (longestKey >= maxTextBytes(context)) return null;
  if (key.length > maxSelectedRows(context.windowBytes)) return null;
  // The batches that are probed need memory, too.
  const leftBytes = context.pool.budgetBytes / 2 - indexBytes(key, keyType);
  if (leftBytes < 0) return null;
  const kind = joinKinds[how];
  const givesLast = kind.buildOnlyRows !== "none";
  using scope = new Scope();
  const request = { key, keyType, nullsEqual, wantsNumbers: givesLast };
  const index = await buildIndex(context, scope, request);
  if (index === null) return null;
  const { numbers, numKeys } = index;
  // The number of a key may be that of a row.
  const numNotes = index.groups === null ? key.length : numKeys;
  const notes = numbers !== null && givesLast
    ? { numbers, noted: await cleared(context, scope, numNotes, "join keys found") }
    : null;
  const placed = new Map<HostColumn, WebGpuColumn>();
  // A text key that is one of the columns is on the device already.
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

/** The kernels read a key as what the table holds, or as a narrower integer. */
export function checkKey(type: ColumnType, keyType: KeyType): void {
  const fits = type.kind === "int" && keyType.kind === "int"
    ? type.bits <= keyType.bits
    : type.kind === "string" && keyType.kind === "string";
  if (!fits) throw new TypeError(`Cannot join ${keyType.kind} keys with ${type.kind} keys`);
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

/** The bytes that the payload may take, and those that it takes. */
interface PayloadMemory {
  leftBytes: number;
  readonly placed: Map<HostColumn, WebGpuColumn>;
}

/** Uploads columns as long as there is memory for them; each travels once. */
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
    // Nothing can be gathered from a column without rows but nulls.
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
