/**
 * Joins of rows with equal keys, and the cross join, whose rows all have the same key.
 *
 * @module
 */

import { Field, Schema } from "apache-arrow";
import type { JoinTable, ResultLimits, ResultRows } from "../../gpu/backend.ts";
import type { HostColumn } from "../../gpu/column/column.ts";
import { DifferenceError } from "../../gpu/errors.ts";
import {
  givesBuildColumns,
  givesProbeRows,
  joinKinds,
  payloadMayMiss,
} from "../../gpu/join_kind.ts";
import { keyTypeOf } from "../../gpu/key/key_layout.ts";
import { typeName } from "../batch/arrow_types.ts";
import type { Batch } from "../batch/batch.ts";
import { inFlight } from "../engine/in_flight.ts";
import {
  type BindContext,
  type NodeKind,
  nodeOf,
  type Stage,
  type StageContext,
} from "../engine/node.ts";
import { errorOfRow } from "../engine/stage.ts";
import { TempFolder } from "../../streams/temp_folder.ts";
import { withColumnsNode } from "../rows/with_columns.ts";
import { type BoundJoin, buildKeyOf, type EquiJoinSpec, keyOf } from "./bound_join.ts";
import type { BuildRequest } from "./build_side.ts";
import {
  buildColumns,
  joinColumns,
  neededOnLeft,
  outputBatch,
  type OutputColumn,
  resultPlaces,
  type RowsOf,
  takenColumns,
} from "./join_columns.ts";
import { bindKeys, columnsOfKeys, type KeyColumns, printKey, printPair } from "./join_keys.ts";
import { joinLarge, shapeOf } from "./large_join.ts";
import { batchOfRows, hostRowsOf } from "./spill/batch_rows.ts";
import { LargeBuildSide, readBuildSide } from "./spill/large_build_side.ts";
import { promoteKeys } from "./promote_keys.ts";
import { mustBeUnique, UniqueKeys } from "./unique_keys.ts";

/** The nodes of such joins. */
export const equiJoinKind: NodeKind<EquiJoinSpec> = {
  name: "join",
  rows: "mostly same",
  boundaries: "ignored",
  summary: ({ how, keys }) => [how, keys.map(printPair).join(", ")].filter(Boolean).join(", "),
  needs: ({ keys, suffix }, wanted) =>
    neededOnLeft(suffix, columnsOfKeys(keys.map(({ left }) => left)), wanted),
  bind: bindEquiJoin,
  abandon: ({ build }, reason) => build.cancel(reason),
  rewrites: {
    onWanted: ({ spec }, wanted) => nodeOf(equiJoinKind, { ...spec, wanted }),
  },
};

/** The most that a batch of a join has. */
export const limits: ResultLimits = { rows: 65_536, bytes: 64 << 20 };

async function bindEquiJoin(
  spec: EquiJoinSpec,
  left: Schema,
  context: BindContext,
): Promise<Stage> {
  const right = await spec.build.schema();
  const { keys, nullsEqual } = spec;
  const leftKeys = bindKeys(keys.map(({ left }) => left), left);
  const rightKeys = bindKeys(keys.map(({ right }) => right), right);
  const promoted = promoteKeys(
    keys.map((pair, index) => ({
      left: { text: printKey(pair.left), type: leftKeys.types[index]! },
      right: { text: printKey(pair.right), type: rightKeys.types[index]! },
    })),
    spec.promote,
  );
  const outputs = outputsOf(spec, leftKeys, rightKeys, left, right, promoted.types);
  const columns = joinColumns(outputs, spec.wanted, left.metadata);
  const read = [...new Set([...rightKeys.places, ...columns.payload, ...columns.lastPayload])];
  const placesRead = (places: readonly number[]) => places.map((place) => read.indexOf(place));
  const bound: BoundJoin = {
    spec,
    parts: promoted.parts,
    keyType: keys.length === 0 ? { kind: "int", bits: 32 } : keyTypeOf(promoted.parts, nullsEqual),
    leftKeys: leftKeys.places,
    rightKeys: placesRead(rightKeys.places),
    payload: placesRead(columns.payload),
    lastPayload: placesRead(columns.lastPayload),
    columns,
  };
  const request: BuildRequest = {
    computed: rightKeys.computed,
    columns: new Schema(read.map((place) => rightKeys.schema.fields[place]!)),
  };
  const computed = leftKeys.computed.size === 0
    ? undefined
    : await computeStage(leftKeys, left, context);
  const lines = keys.map((_, index) =>
    `keys: ${typeName(leftKeys.types[index]!)} with ${typeName(rightKeys.types[index]!)}, as ${
      typeName(promoted.types[index]!)
    }`
  );
  lines.push("build side: what exceeds the memory goes to temporary files");
  if (columns.unwanted.length > 0) lines.push(`left out: ${columns.unwanted.join(", ")}`);
  return {
    schema: columns.schema,
    explain: () => [...lines, ...computed?.explain?.() ?? []],
    ...(computed?.compiled === undefined ? {} : { compiled: computed.compiled }),
    run(input, stage) {
      const batches = computed === undefined ? input : computed.run(input, stage);
      return runJoin(bound, request, validated(bound, batches, stage), stage);
    },
  };
}

/** Adds the computed keys to batches of the stream. */
async function computeStage(
  { computed }: KeyColumns,
  left: Schema,
  context: BindContext,
): Promise<Stage> {
  const { kind, spec } = withColumnsNode(computed);
  return await kind.bind(spec, left, context);
}

/** The columns of the result, before it is known which are wanted. */
function outputsOf(
  { keys, how, suffix, keepKeys, columns }: EquiJoinSpec,
  leftKeys: KeyColumns,
  rightKeys: KeyColumns,
  left: Schema,
  right: Schema,
  types: readonly Field["type"][],
): OutputColumn[] {
  const kind = joinKinds[how];
  const givesLast = kind.lastRows !== "none";
  const named = keys.flatMap(({ left }, index) => typeof left === "string" ? [index] : []);
  const pairOf = new Map(
    keepKeys ? [] : named.toReversed().map((index) => [leftKeys.places[index]!, index]),
  );
  const probed = left.fields.map((field, place): OutputColumn => {
    const pair = givesLast ? pairOf.get(place) : undefined;
    if (pair === undefined) return { field: asNullable(field, givesLast), left: place };
    const rightPlace = rightKeys.places[pair]!;
    const { nullable } = rightKeys.schema.fields[rightPlace]!;
    const { name, metadata } = field;
    const isNullable = nullable || (field.nullable && kind.unmatchedRows > 0);
    // Of a join that keeps only the rows of the build side, the key is always that side's.
    const isShared = kind.unmatchedRows > 0;
    return {
      field: new Field(name, types[pair]!, isNullable, metadata),
      left: isShared ? place : undefined,
      right: rightPlace,
    };
  });
  const hidden = new Set(
    named.filter((index) => !keepKeys && typeof keys[index]!.right === "string")
      .map((index) => rightKeys.places[index]!),
  );
  const isProbed = givesProbeRows(kind);
  if (isProbed && !givesBuildColumns(kind)) return probed;
  const places = takenColumns(right, columns).filter((place) => !isProbed || !hidden.has(place));
  const before = isProbed ? probed : [];
  return [
    ...before,
    ...buildColumns(before, right, places, { suffix, mayMiss: payloadMayMiss(kind) }),
  ];
}

function asNullable(field: Field, mayMiss: boolean): Field {
  const { name, type, nullable, metadata } = field;
  return new Field(name, type, nullable || mayMiss, metadata);
}

/** The batches of the stream, whose keys are looked at where they have to be unique. */
async function* validated(
  bound: BoundJoin,
  input: AsyncIterable<Batch>,
  { backend }: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { validate, keys, nullsEqual } = bound.spec;
  if (!mustBeUnique(validate, "left")) return yield* input;
  const names = keys.map(({ left }) => printKey(left));
  const unique = new UniqueKeys("left", names, bound.keyType, nullsEqual);
  for await (const batch of input) {
    try {
      const columns = bound.leftKeys.map((place) => batch.columns[place]!);
      for (const column of columns) {
        if (column.isOnDevice) await batch.toHost(backend);
      }
      unique.add(
        keyOf(bound, columns.map(({ column }) => column as HostColumn), batch.numRows),
        columns,
      );
    } catch (error) {
      batch.release();
      throw error;
    }
    yield batch;
  }
}

async function* runJoin(
  bound: BoundJoin,
  request: BuildRequest,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { backend, memory, signal, temp, onSpill } = context;
  using folder = new TempFolder(temp, "cannot hold what exceeds the memory of a join");
  try {
    const build = hostRowsOf(
      validatedBuild(bound, bound.spec.build.batches(request, signal)),
      request.columns.fields.map((_, place) => place),
      backend,
    );
    const joinContext = { backend, memory, limits, folder, signal };
    const held = await readBuildSide(shapeOf(bound), joinContext, build);
    if (held instanceof LargeBuildSide) yield* joinLarge(bound, held, input, context);
    else yield* joinWhole(bound, batchOfRows(request.columns, held), input, context);
  } catch (error) {
    // Nobody waits for a join that was given up.
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    onSpill?.(folder.bytesWritten);
  }
}

/** The batches of the build side, whose keys are looked at where they have to be unique. */
async function* validatedBuild(
  bound: BoundJoin,
  batches: AsyncIterable<Batch>,
): AsyncGenerator<Batch, void, void> {
  const { validate, keys, nullsEqual } = bound.spec;
  if (!mustBeUnique(validate, "right")) return yield* batches;
  const names = keys.map(({ right }) => printKey(right));
  const unique = new UniqueKeys("right", names, bound.keyType, nullsEqual);
  for await (const batch of batches) {
    unique.add(buildKeyOf(bound, batch), bound.rightKeys.map((place) => batch.columns[place]!));
    yield batch;
  }
}

/** Joins the stream with a build side of which all rows are in one table. */
async function* joinWhole(
  bound: BoundJoin,
  rows: Batch,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const table = await tableOf(bound, rows, context);
  try {
    yield* inFlight(
      input,
      context,
      (batch, row) => probe(bound, table, batch, row, context),
      () => table.depth ?? context.backend.depth,
    );
    yield* lastRows(bound, table, context);
  } finally {
    table.release();
  }
}

/** The table of rows of the build side. */
export function tableOf(
  bound: BoundJoin,
  rows: Batch,
  { backend }: StageContext,
): Promise<JoinTable> {
  const { spec: { how, nullsEqual }, keyType, payload, lastPayload } = bound;
  const columnsAt = (places: readonly number[]) =>
    places.map((place) => rows.columns[place]!.column as HostColumn);
  return backend.buildTable({
    key: buildKeyOf(bound, rows),
    keyType,
    payload: columnsAt(payload),
    lastPayload: columnsAt(lastPayload),
    how,
    nullsEqual,
  });
}

/** Joins a batch of the stream, which it takes over. */
export async function* probe(
  bound: BoundJoin,
  table: JoinTable,
  batch: Batch,
  firstRow: number,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { columns: { probed }, parts, leftKeys } = bound;
  const { backend } = context;
  const taken = probed.map((index) => batch.columns[index]!.column);
  const keys = leftKeys.map((index) => batch.columns[index]!.column);
  try {
    // A single integer or text is its own key, wherever it lies.
    const isOwnKey = parts.length === 1 && ["int", "string"].includes(parts[0]!.kind) &&
      keys[0]!.type.kind === parts[0]!.kind;
    const key = isOwnKey ? keys[0]! : keyOf(bound, await backend.download(keys), batch.numRows);
    const results = backend.probe(table, key, taken, batch.numRows, limits);
    yield* outputsOfRows(bound, results, "probe", context);
  } catch (error) {
    // Rows of other errors are not those that are probed.
    if (!(error instanceof DifferenceError)) throw error;
    throw errorOfRow(error, firstRow);
  } finally {
    batch.release();
  }
}

/** The rows that the build side gives by itself, after every batch was probed. */
export async function* lastRows(
  bound: BoundJoin,
  table: JoinTable,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  yield* outputsOfRows(bound, context.backend.buildRows(table, limits), "last", context);
}

async function* outputsOfRows(
  { columns }: BoundJoin,
  results: AsyncIterable<ResultRows>,
  from: RowsOf,
  { backend }: StageContext,
): AsyncGenerator<Batch, void, void> {
  try {
    for await (const rows of results) yield await outputBatch(columns, rows, from, backend);
  } catch (error) {
    if (error instanceof DifferenceError) throw DifferenceError.in(resultPlaces(columns), error);
    throw error;
  }
}
