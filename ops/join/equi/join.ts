/**
 * Joins of rows with equal keys, and the cross join, whose rows all have the same key.
 *
 * @module
 */

import { Schema } from "apache-arrow";
import { keyTypeOf } from "../../../gpu/key/key_layout.ts";
import { TempFolder } from "../../../streams/formats/arrow/temp_folder.ts";
import { typeName } from "../../batch/arrow_types.ts";
import type { Batch } from "../../batch/batch.ts";
import {
  type BindContext,
  type NodeKind,
  nodeOf,
  type Stage,
  type StageContext,
} from "../../engine/node.ts";
import type { BoundJoin, EquiJoinSpec } from "./bound.ts";
import type { BuildRequest } from "../shared/build_side.ts";
import { equiColumns } from "./columns.ts";
import { joinColumns, limitsOf, neededOnLeft } from "../shared/columns.ts";
import { bindKeys, columnsOfKeys, computeKeys, printKey, printPair } from "../shared/keys.ts";
import { joinLarge, shapeOf } from "./large.ts";
import { promoteKeys } from "../shared/promote_keys.ts";
import { batchOfRows, hostRowsOf } from "../../spill/batch_rows.ts";
import { LargeBuildSide, readBuildSide } from "./large_build_side.ts";
import { validatedBuild, validatedProbe } from "./validated.ts";
import { joinWhole } from "./whole.ts";

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
  const sides = { left, right, leftKeys, rightKeys, types: promoted.types };
  const columns = joinColumns(equiColumns(spec, sides), spec.wanted, left.metadata);
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
  const computed = await computeKeys(leftKeys, left, context);
  const lines = keys.map((_, index) =>
    `keys: ${typeName(leftKeys.types[index]!)} with ${typeName(rightKeys.types[index]!)}, as ${
      typeName(promoted.types[index]!)
    }`
  );
  lines.push("build side: what exceeds the memory goes to temporary files");
  if (columns.unwanted.length > 0) lines.push(`left out: ${columns.unwanted.join(", ")}`);
  return {
    schema: columns.schema,
    probes: true,
    explain: () => [spec.build.line, ...lines, ...computed?.explain?.() ?? []],
    ...(computed?.compiled === undefined ? {} : { compiled: computed.compiled }),
    run(input, stage) {
      const batches = computed === undefined ? input : computed.run(input, stage);
      return runJoin(bound, request, validatedProbe(bound, batches, stage), stage);
    },
  };
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
    const joinContext = { backend, memory, limits: limitsOf(backend), folder, signal };
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
