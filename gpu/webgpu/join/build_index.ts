/**
 * Builds the index of a join on the device: a hash table of the keys, in one part or several, and
 * the rows of each key in the order of the build side. The host uploads only the keys, and their
 * rows where it divides the keys into parts.
 *
 *     keys -> insert (`join_insert.wgsl`) -> readback of the number of keys, the only wait
 *       one row a key:  the number of a key is its row, and the index is complete
 *       else:           number keys by first occurrence (`join_number.wgsl`), sort rows by number
 *
 * @module
 */

import joinInsertWgsl from "./join_insert.wgsl" with { type: "text" };
import joinKeysWgsl from "./join_keys.wgsl" with { type: "text" };
import joinNumberWgsl from "./join_number.wgsl" with { type: "text" };
import type { KeyType } from "../../backend.ts";
import { bitAt } from "../../column/bitmap.ts";
import type { HostColumn } from "../../column/column.ts";
import { Commands } from "../dispatch/commands.ts";
import { BLOCK_SCAN_WGSL, encodeScan } from "../dispatch/scan.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { WebGpuColumn } from "../memory/device_column.ts";
import { Scope } from "../memory/scope.ts";
import { Totals } from "../transfer/readback.ts";
import { uploadColumn, writeBytes } from "../transfer/upload.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { type DeviceIndex, keyParams } from "./device_index.ts";
import { hashSeed } from "./join_hash.ts";
import { encodeGroups } from "./sort_rows.ts";
import { fewestParts, type KeyPart, slotShift, splitKeys } from "./split_keys.ts";

/** The request for an index. */
interface IndexRequest {
  readonly key: HostColumn;
  readonly keyType: KeyType;
  readonly nullsEqual: boolean;
  readonly wantsNumbers: boolean;
}

/** The number of seeds to try: an attacker may have chosen keys that collide under one. */
const MOST_ATTEMPTS = 4;

/**
 * The steps after which an insertion fails. At most half of the slots are taken, so few steps are
 * normal.
 */
const MOST_STEPS = 256;

/** The words of state that `join_insert.wgsl` leaves for each part. */
const STATE_WORDS = 3;

/**
 * Builds the index; `kept` owns it. Returns null if the rows of some key do not fit a window, or
 * where too many keys share a hash under every seed.
 */
export async function buildIndex(
  context: WebGpuContext,
  kept: Scope,
  request: IndexRequest,
): Promise<DeviceIndex | null> {
  const { key, keyType } = request;
  let numParts = fewestParts(context, key, keyType);
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const seed = hashSeed(attempt);
    const parts = splitKeys(context, key, keyType, numParts, seed);
    if (parts === null) return null;
    using own = new Scope();
    using temporary = new Scope();
    const builder = new IndexBuilder(context, { kept: own, temporary }, request, seed);
    const index = await builder.build(parts);
    if (index !== null) {
      own.moveTo(kept);
      return index;
    }
    numParts = parts.length * (parts.some(({ isCapped }) => isCapped) ? 2 : 1);
  }
  return null;
}

/** A part under construction. */
interface OpenPart {
  readonly part: KeyPart;
  /** The keys; null for a part without rows. */
  readonly column: WebGpuColumn | null;
  readonly slots: PooledBuffer;
  readonly slotOfRow: PooledBuffer;
  readonly hashes: PooledBuffer;
}

/** One attempt to build an index. */
class IndexBuilder {
  readonly #context: WebGpuContext;
  readonly #scopes: { readonly kept: Scope; readonly temporary: Scope };
  readonly #request: IndexRequest;
  readonly #seed: number;
  /** The suffix of the entry points of kernels. */
  readonly #kind: "int" | "text";

  constructor(
    context: WebGpuContext,
    scopes: { readonly kept: Scope; readonly temporary: Scope },
    request: IndexRequest,
    seed: number,
  ) {
    this.#context = context;
    this.#scopes = scopes;
    this.#request = request;
    this.#seed = seed;
    this.#kind = request.keyType.kind === "string" ? "text" : "int";
  }

  /** Returns the index; null if an insertion gave up. Takes one readback. */
  async build(parts: readonly KeyPart[]): Promise<DeviceIndex | null> {
    const context = this.#context;
    const { temporary } = this.#scopes;
    const open: OpenPart[] = [];
    const state = temporary.own(await Totals.create(context, STATE_WORDS * parts.length));
    using inserts = new Commands(context, "join insert");
    inserts.clear(state.buffer, 0, STATE_WORDS * parts.length);
    for (const [k, part] of parts.entries()) {
      const opened = await this.#open(inserts, part);
      open.push(opened);
      await this.#insert(inserts, opened, state.buffer, STATE_WORDS * k);
    }
    const values = await state.read(inserts);
    const stateOf = (part: number) => values.subarray(STATE_WORDS * part);
    if (open.some((_, part) => stateOf(part)[2] !== 0)) return null;
    return await this.#number(open, open.map((_, part) => stateOf(part)));
  }

  async #open(commands: Commands, part: KeyPart): Promise<OpenPart> {
    const { kept, temporary } = this.#scopes;
    const column = part.key.length === 0 ? null : await this.#upload(part.key);
    const words = part.numSlots << slotShift(this.#request.keyType);
    const slots = await this.#acquire(kept, words, "join slots");
    const slotOfRow = await this.#acquire(temporary, part.key.length, "join slots of rows");
    const hashes = this.#kind === "text"
      ? await this.#acquire(temporary, part.key.length, "join hashes")
      : slotOfRow;
    commands.clear(slots, 0, words);
    return { part, column, slots, slotOfRow, hashes };
  }

  async #upload(key: HostColumn): Promise<WebGpuColumn> {
    // Kernels read integers from the slots later, but text from this column.
    const scope = this.#kind === "text" ? this.#scopes.kept : this.#scopes.temporary;
    const column = await uploadColumn(this.#context, key, { label: "join key" });
    return scope.own(column!);
  }

  async #insert(
    commands: Commands,
    { part, column, slots, slotOfRow, hashes }: OpenPart,
    state: PooledBuffer,
    stateWord: number,
  ): Promise<void> {
    if (column === null) return;
    const params = [
      ...this.#keyParams(part, column),
      ...[MOST_STEPS, stateWord, 0, 0],
      ...[0, 0, 0, 0],
    ];
    const { buffer } = column.windows[0]!;
    const isText = this.#kind === "text";
    const storage = [buffer, slots, slotOfRow, state, ...(isText ? [hashes] : [])];
    const workgroups = Math.ceil(column.length / 256);
    const run = async (entry: string) => {
      const pipeline = await this.#context.pipelines.get({
        label: `join ${entry.replace("_", " ")}`,
        code: joinKeysWgsl + joinInsertWgsl,
        entry,
        storage: ["read", "write", "write", "write", ...(isText ? ["write" as const] : [])],
      });
      commands.dispatch(pipeline, { params, storage, workgroups });
    };
    if (isText) await run("hash_rows");
    await run(`insert_${this.#kind}`);
  }

  /** Numbers the keys that were inserted and returns their index. */
  async #number(open: readonly OpenPart[], states: readonly Uint32Array[]): Promise<DeviceIndex> {
    const context = this.#context;
    const { kept, temporary } = this.#scopes;
    const { key, keyType, nullsEqual, wantsNumbers } = this.#request;
    const numNulls = nullsEqual ? key.nullCount : 0;
    const numKeyed = key.length - key.nullCount + numNulls;
    const numFound = states.reduce((sum, [keys]) => sum + keys!, 0);
    const numKeys = numFound + Math.min(numNulls, 1);
    const isUnique = numKeys === numKeyed;
    // A table with unique keys has one null at most.
    const nullNumber = numNulls === 0 ? 0 : isUnique ? firstNull(key) + 1 : numKeys;
    using commands = new Commands(context, "join numbers");
    const numbers = isUnique && !wantsNumbers
      ? null
      : await this.#acquire(wantsNumbers ? kept : temporary, key.length, "join key numbers");
    let firstNumber = 0;
    for (const [k, part] of open.entries()) {
      const plan = { isUnique, firstNumber, nullNumber, numbers };
      if (part.column !== null) await this.#numberPart(commands, part, part.column, plan);
      firstNumber += states[k]![0]!;
    }
    const rows = { numbers: numbers!, numRows: key.length, numKeyed, numKeys };
    const groups = isUnique ? null : await encodeGroups(context, this.#scopes, commands, rows);
    commands.submit();
    const parts = open.map(({ part: { numSlots }, slots, column }, k) => ({
      ...{ slots, numSlots, numSteps: states[k]![1]! + 1 },
      text: this.#kind === "text" ? column : null,
    }));
    const seed = this.#seed;
    return { keyType, seed, parts, numKeys, nullNumber, groups, numbers };
  }

  async #numberPart(
    commands: Commands,
    open: OpenPart,
    column: WebGpuColumn,
    { isUnique, firstNumber, nullNumber, numbers }: {
      readonly isUnique: boolean;
      readonly firstNumber: number;
      readonly nullNumber: number;
      readonly numbers: PooledBuffer | null;
    },
  ): Promise<void> {
    const context = this.#context;
    const { temporary } = this.#scopes;
    const { part: { rows, numSlots }, slots, slotOfRow } = open;
    const { length } = column;
    const blocks = Math.ceil(length / 1_024);
    const places = await this.#acquire(temporary, length + blocks, "join places");
    const rowsBuffer = rows === null ? slotOfRow : await this.#uploadRows(rows);
    // WebGPU wants a buffer even for a binding that is not used, and no buffer twice for writing.
    const target = numbers ?? await this.#acquire(temporary, 1, "join key numbers");
    const params = [
      ...this.#keyParams(open.part, column),
      ...[isUnique ? 1 : 0, firstNumber, rows === null ? 0 : 1, nullNumber],
      ...[0, 0, 0, 0],
    ];
    const storage = [column.windows[0]!.buffer, slots, slotOfRow, places, rowsBuffer, target];
    const run = async (entry: string, workgroups: number) => {
      const pipeline = await context.pipelines.get({
        label: `join ${entry.replace("_", " ")}`,
        code: BLOCK_SCAN_WGSL + joinKeysWgsl + joinNumberWgsl,
        entry,
        storage: ["read", "write", "read", "write", "read", "write"],
      });
      commands.dispatch(pipeline, { params, storage, workgroups });
    };
    if (!isUnique) {
      await run("count_first", blocks);
      const totals = await this.#acquire(temporary, 1, "join places");
      await encodeScan(context, commands, {
        sums: places,
        firstWord: length,
        blocks,
        totals,
        slot: 0,
      });
    }
    await run(`lay_out_${this.#kind}`, Math.ceil(numSlots / 256));
    if (numbers !== null) await run("number_rows", Math.ceil(length / 256));
  }

  async #uploadRows(rows: Int32Array): Promise<PooledBuffer> {
    const buffer = await this.#acquire(this.#scopes.temporary, rows.length, "join rows");
    writeBytes(this.#context, buffer, 0, new Uint8Array(rows.buffer));
    return buffer;
  }

  #keyParams({ numSlots }: KeyPart, column: WebGpuColumn): number[] {
    const view = { window: column.windows[0]!, firstRow: 0 };
    return keyParams(column, view, column.length, this.#request.keyType, numSlots, this.#seed);
  }

  async #acquire(scope: Scope, words: number, label: string): Promise<PooledBuffer> {
    return scope.own(await this.#context.pool.acquire("storage", 4 * words, label));
  }
}

function firstNull({ validity, length }: HostColumn): number {
  let row = 0;
  while (row < length && bitAt(validity!, row) === 1) row++;
  return row;
}
