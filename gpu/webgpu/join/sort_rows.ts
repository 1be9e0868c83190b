/**
 * Groups the rows of a build side by key: a stable radix sort by the numbers of the keys. Its time
 * does not depend on how many rows share a key.
 *
 * @module
 */

import keyStartsWgsl from "./key_starts.wgsl" with { type: "text" };
import sortRowsWgsl from "./sort_rows.wgsl" with { type: "text" };
import type { Commands } from "../dispatch/commands.ts";
import { encodeScan } from "../dispatch/scan.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Scope } from "../memory/scope.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";

/** The items of one workgroup of `sort_rows.wgsl`. */
const BLOCK_ITEMS = 1_024;

const DIGIT_BITS = 4;

/** Rows grouped by key. */
export interface GroupedRows {
  /** The first row of each key in `keyRows`, and the end. */
  readonly keyStarts: PooledBuffer;
  /** The rows with a key; each group in build order. */
  readonly keyRows: PooledBuffer;
}

/** The rows to sort, and their keys. */
interface NumberedRows {
  /** For each row, the number of its key + 1, or 0. */
  readonly numbers: PooledBuffer;
  readonly numRows: number;
  /** The number of rows with a key; at least 1. */
  readonly numKeyed: number;
  readonly numKeys: number;
}

/** The items of a pass. */
interface Items {
  readonly numbers: PooledBuffer;
  readonly rows: PooledBuffer;
}

/**
 * Adds the sort to `commands`: three dispatches for every four bits of the numbers. `kept` owns the
 * result, `temporary` the rest.
 */
export async function encodeGroups(
  context: WebGpuContext,
  { kept, temporary }: { readonly kept: Scope; readonly temporary: Scope },
  commands: Commands,
  { numbers, numRows, numKeyed, numKeys }: NumberedRows,
): Promise<GroupedRows> {
  const acquire = async (scope: Scope, words: number, label: string) =>
    scope.own(await context.pool.acquire("storage", 4 * words, label));
  const numPasses = Math.max(1, Math.ceil(Math.log2(numKeys) / DIGIT_BITS));
  const blocks = Math.ceil(numRows / BLOCK_ITEMS);
  const counts = await acquire(temporary, 16 * blocks, "join digit counts");
  const totals = await acquire(temporary, 1, "join digits");
  const keyRows = await acquire(kept, numKeyed, "join key rows");
  const sorted = {
    numbers: await acquire(temporary, numKeyed, "join sorted numbers"),
    rows: keyRows,
  };
  const other = numPasses === 1 ? sorted : {
    numbers: await acquire(temporary, numKeyed, "join sorted numbers"),
    rows: await acquire(temporary, numKeyed, "join sorted rows"),
  };
  let from: Items = { numbers, rows: numbers };
  for (let pass = 0; pass < numPasses; pass++) {
    // Buffers alternate so that the last pass stores into `sorted`.
    const to = (numPasses - pass) % 2 === 1 ? sorted : other;
    const numItems = pass === 0 ? numRows : numKeyed;
    const sums = { sums: counts, firstWord: 0, totals, slot: 0 };
    const blocks = Math.ceil(numItems / BLOCK_ITEMS);
    const dispatch = {
      params: [numItems, blocks, DIGIT_BITS * pass, pass === 0 ? 1 : 0],
      storage: [from.numbers, from.rows, counts, to.numbers, to.rows],
      workgroups: blocks,
    };
    commands.dispatch(await sortPipeline(context, "count_digits"), dispatch);
    await encodeScan(context, commands, { ...sums, blocks: 16 * blocks });
    commands.dispatch(await sortPipeline(context, "scatter"), dispatch);
    from = to;
  }
  const keyStarts = await acquire(kept, numKeys + 1, "join key starts");
  const pipeline = await context.pipelines.get({
    label: "join key starts",
    code: keyStartsWgsl,
    entry: "store_starts",
    storage: ["read", "write"],
  });
  commands.dispatch(pipeline, {
    params: [numKeyed, numKeys, 0, 0],
    storage: [sorted.numbers, keyStarts],
    workgroups: Math.ceil(numKeyed / 256),
  });
  return { keyStarts, keyRows };
}

function sortPipeline(context: WebGpuContext, entry: "count_digits" | "scatter") {
  return context.pipelines.get({
    label: `join ${entry.replace("_", " ")}`,
    code: sortRowsWgsl,
    entry,
    storage: ["read", "read", "write", "write", "write"],
  });
}
