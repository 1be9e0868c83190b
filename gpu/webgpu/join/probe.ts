/**
 * Probes the table of a join on the device, one batch at a time.
 *
 *     every row comes out once (a guess)   `probeAllRows`: match = selection, one readback
 *     else, for each range of the batch:
 *       lookup -> count pairs -> scan -> emit pairs -> sizes of their text   one readback
 *       pairs beyond the guessed number: further runs, each with its own readback
 *       results: cut by the limits, gathered one by one
 *
 * @module
 */

import type { ResultLimits, ResultRows } from "../../backend.ts";
import { type Column, type HostColumn, nullColumn } from "../../column/column.ts";
import { DeviceError } from "../../../base/errors/device_error.ts";
import { givesProbeRows } from "../../join_kind.ts";
import { sliceColumn } from "../../column/slice.ts";
import { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import {
  type AlignedRange,
  alignWindows,
  subRange,
  type WebGpuColumn,
} from "../memory/device_column.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import { maxSelectedRows } from "../gather/row_sizes.ts";
import { checkKey, type WebGpuJoinTable } from "./join_table.ts";
import { pairedPayload, payloadSources, probeAllRows } from "./probe_all_rows.ts";
import { dropsRows, encodeNotes, type Probe } from "./key_lookup.ts";
import { encodeLookup, encodePairs, type Lookup } from "./probe_pairs.ts";
import { RunResults } from "./results.ts";
import { encodeRun, maxRunRows, planRun, type Run, type RunPlan, type Source } from "./run.ts";
import { Totals } from "../transfer/readback.ts";
import { Scope } from "../memory/scope.ts";
import { allToDevice, toDevice, withShortRows } from "../transfer/to_device.ts";

/** The most pairs of a range; a range with more is halved. */
const MAX_PAIRS = 2 ** 31 - 1;

/** A batch of the probe side, and the limits for results. */
interface ProbeRequest {
  readonly key: Column;
  readonly columns: readonly Column[];
  readonly numRows: number;
  readonly limits: ResultLimits;
}

/**
 * Joins one probe batch. Yields at least one result, even if it is empty, where the kind of join
 * emits rows of the probe side.
 */
export async function* probeOnDevice(
  context: WebGpuContext,
  table: WebGpuJoinTable,
  { key, columns, numRows, limits }: ProbeRequest,
): AsyncGenerator<ResultRows> {
  checkKey(key.type, table.index.keyType);
  using scope = new Scope();
  const short = await withShortRows(context, key);
  const wholeKey = await toDevice(context, scope, short, "join key");
  const keyColumn = wholeKey ?? await shortKeys(context, scope, short as HostColumn, table);
  const { kind } = table;
  const onePair = table.isUnique || kind.matchedRows !== "each";
  const probe: Probe = { context, table, onePair, key: keyColumn };
  if (!givesProbeRows(kind)) {
    await noteKeys(probe, numRows);
    return;
  }
  const canPass = onePair && numRows > 0 && numRows <= limits.rows;
  if (canPass && (dropsRows(kind) === null || table.matchesAll)) {
    const result = await probeAllRows(probe, columns, numRows, limits);
    if (result !== null) {
      yield result;
      return;
    }
  }
  // The key is often one of the columns, too, and is then uploaded once.
  const there = columns.map((column) => column === key ? wholeKey ?? column : column);
  const placed = await allToDevice(context, scope, there, "join");
  const onDevice = placed.filter((column) => column.place === "device");
  const rowLimit = maxSelectedRows(context.windowBytes);
  const ranges = alignWindows([keyColumn, ...onDevice], numRows, rowLimit);
  const batch = new BatchProbe(probe, columns, placed, numRows, limits);
  let yielded = false;
  for (const range of ranges) {
    for await (const result of batch.range(range)) {
      yielded = true;
      yield result;
    }
  }
  if (!yielded) yield batch.noRows();
}

/** Notes which keys of the table are in a batch, without a readback. */
async function noteKeys(probe: Probe, numRows: number): Promise<void> {
  const { context, table: { notes }, key } = probe;
  if (notes === null) return;
  using commands = new Commands(context, "join notes");
  for (
    const { views, length } of alignWindows([key], numRows, maxSelectedRows(context.windowBytes))
  ) {
    await encodeNotes(probe, commands, { view: views[0]!, length });
  }
  commands.submit();
}

/**
 * Uploads a key with rows that are too long for the device. Rows longer than every key of the
 * table match nothing, so they are cut to one byte more than the longest key. Nulls instead would
 * match where nulls are equal.
 */
async function shortKeys(
  context: WebGpuContext,
  scope: Scope,
  key: HostColumn,
  { longestKey }: WebGpuJoinTable,
): Promise<WebGpuColumn> {
  const column = await toDevice(context, scope, cutText(key, longestKey + 1), "join key");
  if (column !== null) return column;
  throw new DeviceError(`Cannot join: a key is larger than ${context.windowBytes} bytes`);
}

/** Cuts the rows of text to `most` bytes. */
function cutText(text: HostColumn, most: number): HostColumn {
  const { offsets, data } = text;
  if (offsets === null) return text;
  const cutOffsets = offsets.slice();
  cutOffsets[0] = 0;
  for (let row = 0; row < text.length; row++) {
    const bytes = Math.min(offsets[row + 1]! - offsets[row]!, most);
    cutOffsets[row + 1] = cutOffsets[row]! + bytes;
  }
  const cutData = new Uint8Array(cutOffsets[text.length]!);
  for (let row = 0; row < text.length; row++) {
    const start = offsets[row]!;
    const bytes = cutOffsets[row + 1]! - cutOffsets[row]!;
    cutData.set(data.subarray(start, start + bytes), cutOffsets[row]!);
  }
  return { ...text, offsets: cutOffsets, data: cutData };
}

/** The probe of one batch, range by range. */
class BatchProbe {
  readonly #probe: Probe;
  /** The columns as the caller passed them. */
  readonly #columns: readonly Column[];
  readonly #placed: readonly (WebGpuColumn | HostColumn)[];
  readonly #numRows: number;
  readonly #limits: ResultLimits;

  constructor(
    probe: Probe,
    columns: readonly Column[],
    placed: readonly (WebGpuColumn | HostColumn)[],
    numRows: number,
    limits: ResultLimits,
  ) {
    this.#probe = probe;
    this.#columns = columns;
    this.#placed = placed;
    this.#numRows = numRows;
    this.#limits = { ...limits, rows: Math.max(1, Math.floor(limits.rows)) };
  }

  /** Returns a result without rows. */
  noRows(): ResultRows {
    const columns = [...this.#placed, ...pairedPayload(this.#probe.table)];
    return { numRows: 0, columns: columns.map(({ type }) => nullColumn(type, 0)) };
  }

  /** Yields the results of a range; none if it has no pairs. */
  async *range(range: AlignedRange): AsyncGenerator<ResultRows> {
    const { context, table, onePair } = this.#probe;
    using scope = new Scope();
    const sources = this.#sources(range);
    const isCounted = sources.length === 0;
    const plan = planRun(sources, this.#guess(range.length, sources), this.#limits);
    const totals = scope.own(await Totals.create(context, 1 + plan.slots));
    using commands = new Commands(context, "join lookup");
    const rows = { view: range.views[0]!, length: range.length };
    const lookup = await encodeLookup(this.#probe, scope, commands, rows, totals.buffer, 0);
    using first = new Scope();
    const run = isCounted ? null : await this.#encodeRun(first, commands, lookup, plan, 0, {
      totals: totals.buffer,
      slot: 1,
    });
    const values = await totals.read(commands);
    const numPairs = values[0]!;
    table.pairsPerRow = numPairs / range.length;
    // No row has more than one pair, so if there are as many pairs as rows, all rows come out in
    // order.
    table.matchesAll = onePair && numPairs === this.#numRows;
    if (numPairs === 0) return;
    if (numPairs > MAX_PAIRS) {
      const middle = range.length >>> 1;
      yield* this.range(subRange(range, 0, middle));
      yield* this.range(subRange(range, middle, range.length));
    } else if (run === null) {
      // Without columns, only the number of pairs matters.
      yield { numRows: numPairs, columns: [] };
    } else {
      const numRows = Math.min(plan.capacity, numPairs);
      const results = new RunResults(context, run, {
        values,
        numRows,
        isFollowed: numRows < numPairs,
      });
      const passed = table.matchesAll
        ? await results.whole(this.#columns, this.#placed.length)
        : null;
      if (passed !== null) {
        yield passed;
        return;
      }
      const done = yield* results.all();
      first[Symbol.dispose]();
      yield* this.#more(lookup, sources, done, numPairs);
    }
  }

  /** Yields the pairs from `start` on, run by run. */
  async *#more(
    lookup: Lookup,
    sources: readonly Source[],
    start: number,
    numPairs: number,
  ): AsyncGenerator<ResultRows> {
    const { context } = this.#probe;
    const most = maxRunRows(context, sources);
    for (let done = start; done < numPairs;) {
      using scope = new Scope();
      const numRows = Math.min(most, numPairs - done);
      const isFollowed = done + numRows < numPairs;
      const plan = planRun(sources, numRows, this.#limits);
      const totals = scope.own(await Totals.create(context, plan.slots));
      using commands = new Commands(context, "join pairs");
      const slots = { totals: totals.buffer, slot: 0 };
      const run = await this.#encodeRun(scope, commands, lookup, plan, done, slots);
      const values = await totals.read(commands);
      done += yield* new RunResults(context, run, { values, numRows, isFollowed })
        .all();
    }
  }

  async #encodeRun(
    scope: Scope,
    commands: Commands,
    lookup: Lookup,
    plan: RunPlan,
    first: number,
    slots: { readonly totals: PooledBuffer; readonly slot: number },
  ): Promise<Run> {
    const pairs = await encodePairs(this.#probe, scope, commands, lookup, first, plan.capacity);
    return await encodeRun(this.#probe.context, scope, commands, plan, pairs, slots);
  }

  /** Returns the guessed number of pairs for the first run; exact if a row has one pair at most. */
  #guess(numRows: number, sources: readonly Source[]): number {
    const { context, table, onePair } = this.#probe;
    if (onePair) return numRows;
    const likely = Math.ceil(1.1 * numRows * table.pairsPerRow);
    return Math.min(Math.max(likely, this.#limits.rows, 1), maxRunRows(context, sources));
  }

  /** Returns the columns of the result for a range: those of the probe side, then the payload. */
  #sources({ start, length, views }: AlignedRange): Source[] {
    // The first view is the key's.
    const rest = views.slice(1).values();
    const side = "probeRows";
    const probeSide = this.#placed.map((column): Source =>
      column.place === "host"
        ? { column: sliceColumn(column, start, start + length), side, views: null }
        : { column, side, views: [rest.next().value!] }
    );
    return [...probeSide, ...payloadSources(this.#probe.table)];
  }
}
