/**
 * One result of a probe: a run of pairs, and the columns of both sides gathered by them.
 *
 * @module
 */

import type { ResultRows } from "../../backend.ts";
import { type Column, hasOffsets, type HostColumn, retainColumn } from "../../column/column.ts";
import { OverflowError } from "../../errors.ts";
import { gatherColumn } from "../../column/gather.ts";
import { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import { WebGpuColumn, type WindowView } from "../memory/device_column.ts";
import {
  encodeRowSizes,
  type GatherSource,
  gatherWindow,
  type RowSizes,
  type Selection,
  SIZE_SLOTS,
} from "../gather/gather.ts";
import { encodePairs, type Lookup, type Pairs, type Probe } from "./probe_pairs.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import { Scope } from "../memory/scope.ts";
import { Staging } from "../transfer/readback.ts";

/** A column of the result: where its rows come from, and which selection picks them. */
export type Source =
  & { readonly side: keyof Pairs }
  & (
    | { readonly column: WebGpuColumn; readonly view: WindowView }
    | { readonly column: HostColumn; readonly view: null }
  );

/** A run of pairs that was asked for. */
export interface ChunkRequest {
  readonly lookup: Lookup;
  readonly sources: readonly Source[];
  /** First pair, and pairs at most. */
  readonly first: number;
  readonly length: number;
}

/** Pairs, with the sizes of the text and the lists that they select. */
interface Chunk {
  readonly request: ChunkRequest;
  readonly pairs: Pairs;
  /** For each source; null where it is neither text nor lists on the device. */
  readonly sizes: readonly (RowSizes | null)[];
}

/** Slots of the totals of a chunk. */
export function chunkSlots(sources: readonly Source[]): number {
  return SIZE_SLOTS * sources.length;
}

/**
 * Adds pairs and sizes of rows to `commands`. The sources take `chunkSlots` of `totals`.
 * `scope` owns the buffers, which the gather needs.
 */
export async function encodeChunk(
  probe: Probe,
  scope: Scope,
  commands: Commands,
  request: ChunkRequest,
  { totals, firstSlot }: { readonly totals: PooledBuffer; readonly firstSlot: number },
): Promise<Chunk> {
  const { context } = probe;
  const { lookup, sources, first, length } = request;
  const pairs = await encodePairs(probe, scope, commands, lookup, first, length);
  const sizes: (RowSizes | null)[] = [];
  for (const [k, { column: { type }, side, view }] of sources.entries()) {
    if (view === null || !hasOffsets(type)) {
      sizes.push(null);
      continue;
    }
    const total = { totals, slot: firstSlot + SIZE_SLOTS * k };
    const source = { type, view };
    sizes.push(await encodeRowSizes(context, scope, commands, source, pairs[side], total));
  }
  return { request, pairs, sizes };
}

/**
 * Gathers `numPairs` pairs of a chunk whose totals were read back. The first columns of the result
 * may be known already, and are retained; the rest are the sources from `firstSource` on. Null if
 * some column does not fit a window or its offsets.
 */
export async function gatherChunk(
  context: WebGpuContext,
  { request: { sources }, pairs, sizes }: Chunk,
  totals: Uint32Array,
  numPairs: number,
  known: readonly Column[] = [],
  firstSource: number = known.length,
): Promise<ResultRows | null> {
  using made = new Scope();
  using commands = new Commands(context, "join gather");
  const passed = known.map((column) =>
    column.place === "device" ? made.own(retainColumn(column)) : column
  );
  const columns: (Column | null)[] = [];
  const wanted = sources.slice(firstSource);
  try {
    for (const [k, source] of wanted.entries()) {
      const own = sizes[firstSource + k] ?? null;
      const sized = own === null ? undefined : { sizes: own, totals };
      const selection = { ...pairs[source.side], length: numPairs };
      if (source.view === null) columns.push(null);
      else {
        const column = await gatherOnDevice(context, commands, source, selection, sized);
        if (column === null) return null;
        columns.push(made.own(column));
      }
    }
    commands.submit();
    const gathered = await gatherOnHost(context, wanted, pairs, numPairs, columns);
    made.keep();
    return { numRows: numPairs, columns: [...passed, ...gathered] };
  } catch (error) {
    // The lists of the result have more items than offsets of the host can address.
    if (error instanceof OverflowError) return null;
    throw error;
  }
}

async function gatherOnDevice(
  context: WebGpuContext,
  commands: Commands,
  { column, view }: Extract<Source, { readonly column: WebGpuColumn }>,
  selection: Selection,
  sized: GatherSource["sized"],
): Promise<WebGpuColumn | null> {
  const { type, hasValidity, ascii } = column;
  const source = { type, hasValidity, view, label: "join", sized };
  const window = await gatherWindow(context, commands, source, selection, 0);
  if (window === null) return null;
  // A long row may be taken any number of times.
  const fit = Math.floor(window.dataBytes / (context.longRowBytes + 1));
  const numLongRows = column.numLongRows === 0 ? 0 : Math.min(selection.length, fit);
  const mayBeNull = hasValidity || selection.mayMiss;
  return new WebGpuColumn({
    type,
    hasValidity: mayBeNull,
    windows: [window],
    ascii,
    numLongRows,
  });
}

/** Fills in the columns that only the host can gather, which costs one more wait. */
async function gatherOnHost(
  context: WebGpuContext,
  sources: readonly Source[],
  pairs: Pairs,
  numPairs: number,
  columns: readonly (Column | null)[],
): Promise<Column[]> {
  if (columns.every((column) => column !== null)) return [...columns];
  const staging = new Staging(context);
  const at = {
    probeRows: staging.add(pairs.probeRows.rows, 1, numPairs),
    buildRows: staging.add(pairs.buildRows.rows, 1, numPairs),
  };
  using commands = new Commands(context, "join rows");
  const rows = await staging.read(commands);
  return columns.map((column, k) => {
    const source = sources[k]!;
    if (column !== null || source.view !== null) return column!;
    return gatherColumn(source.column, new Int32Array(rows[at[source.side]]!));
  });
}
