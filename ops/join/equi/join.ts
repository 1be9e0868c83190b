/**
 * Joins of rows with equal keys, and the cross join, whose rows all have the same key.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { defaultJoinHow, type JoinHow, joinHows } from "../../../gpu/join_kind.ts";
import { keyTypeOf } from "../../../gpu/key/key_layout.ts";
import type { BatchStream } from "../../../streams/plan/batch_stream.ts";
import type { Operator } from "../../../streams/plan/operator.ts";
import type { CheckContext, Checked, NodeKind, Stage } from "../../engine/node.ts";
import { columnsOfKeys, computeKeys } from "../../rows/keys.ts";
import { columnsRead } from "../shared/build_side.ts";
import { type BuildColumnsOptions, joinColumns, neededOnLeft } from "../shared/columns.ts";
import { bindKeyPairs, type JoinKeys, keyPairs, printPair } from "../shared/keys.ts";
import { joinKind, joinOperator } from "../shared/operator.ts";
import { checkChoice } from "../../../base/option_kinds.ts";
import { checkKind, checkShared } from "../shared/options.ts";
import type { PromoteMode } from "../shared/promote_keys.ts";
import type { BoundEqui, EquiJoinSpec } from "./bound.ts";
import { equiColumns } from "./columns.ts";
import { runEqui } from "./run.ts";
import { type Validation, validations } from "./unique_keys.ts";

/** The options of a join by equal keys. */
export interface EquiJoinOptions extends BuildColumnsOptions {
  /**
   * The keys: a name on both sides, `{ left: "right" }`, or a list of names and of pairs
   * `[left, right]`, whose parts are names or expressions.
   */
  readonly on: JoinKeys;
  /**
   * The rows that come out. `inner`: pairs of rows that match; `left`: also the unmatched rows of the
   * stream; `right`: also those of the build side; `full`: both. `semi` and `anti`: the rows of the stream
   * with and without a match, once each; `right-semi` and `right-anti`: those of the build side.
   * Default: "inner".
   */
  readonly how?: Exclude<JoinHow, "cross">;
  /** Whether null keys equal each other; if not, they match nothing. Default: false. */
  readonly nullsEqual?: boolean;
  /**
   * The keys of different types that are compared. `lossless` also compares integers of up to 32 bits
   * with floats; it is not associative. Default: "exact".
   */
  readonly promote?: PromoteMode;
  /**
   * The number of rows of the stream and of the build side that may share a key; more are an error. The
   * join keeps the keys of a side that must be unique in memory. Default: "m:m".
   */
  readonly validate?: Validation;
  /** `none` permits any order of the rows, which may be faster. Default: "probe". */
  readonly order?: "probe" | "none";
  /** Whether the keys of both sides come out, unchanged. Default: false. */
  readonly keepKeys?: boolean;
}

/** The options of a cross join: every row of a stream with every row of the build side. */
export interface CrossJoinOptions extends BuildColumnsOptions {
  /** The kind of the join. */
  readonly how: "cross";
  /** `none` permits any order of the rows, which may be faster. Default: "probe". */
  readonly order?: "probe" | "none";
}

/** Returns the join of a stream with a build side by keys, or the cross join, as `join` documents them. */
export function equiJoin(
  build: BatchStream,
  options: EquiJoinOptions | CrossJoinOptions,
): Operator {
  return joinOperator(equiKind, equiSpec(options), build, options);
}

/** Checks the options. */
function equiSpec(options: EquiJoinOptions | CrossJoinOptions): Omit<EquiJoinSpec, "build"> {
  const given = options as Partial<EquiJoinOptions & { readonly how: JoinHow }>;
  const { how = defaultJoinHow, validate = "m:m", promote = "exact", order = "probe" } = given;
  checkChoice("The option how of a join", how, joinHows);
  checkChoice("The option validate of a join", validate, validations);
  checkChoice("The option promote of a join", promote, ["exact", "lossless"]);
  checkChoice("The option order of a join", order, ["probe", "none"]);
  const isCross = how === "cross";
  if (isCross && given.on !== undefined) throw new TypeError("A cross join has no keys");
  if (!isCross && given.on === undefined) {
    throw new TypeError('Say which keys to join on, or how: "cross"');
  }
  const keys = isCross ? [] : keyPairs("on", given.on);
  if (!isCross && keys.length === 0) throw new TypeError("A join has at least one key");
  const shared = checkShared(isCross ? "A cross join" : "A join by keys", options);
  const { nullsEqual = false, keepKeys = false } = given;
  checkKind("nullsEqual", nullsEqual, "boolean");
  checkKind("keepKeys", keepKeys, "boolean");
  return { ...shared, keys, how, nullsEqual, promote, validate, order, keepKeys };
}

const equiKind: NodeKind<EquiJoinSpec> = joinKind({
  rows: "mostly same",
  summary: ({ how, keys }) => [how, keys.map(printPair).join(", ")].filter(Boolean).join(", "),
  needs: ({ keys, suffix }, wanted) =>
    neededOnLeft(suffix, columnsOfKeys(keys.map(({ left }) => left)), wanted),
  check: checkEqui,
});

async function checkEqui(
  spec: EquiJoinSpec,
  left: Schema,
  context: CheckContext,
): Promise<Checked> {
  const right = await spec.build.schema();
  const { keys, nullsEqual, promote } = spec;
  const bound = bindKeyPairs(keys, left, right, { mode: promote });
  const columns = joinColumns(
    equiColumns(spec, left, right, bound),
    spec.wanted,
    left.metadata,
  );
  const { payload, buildOnlyPayload } = columns;
  const read = columnsRead(bound.right.schema, [
    ...bound.right.places,
    ...payload,
    ...buildOnlyPayload,
  ]);
  const join: BoundEqui = {
    spec,
    parts: bound.parts,
    keyType: keys.length === 0 ? { kind: "int", bits: 32 } : keyTypeOf(bound.parts, nullsEqual),
    left: bound.left,
    right: { places: read.among(bound.right.places), types: bound.right.types },
    request: { computed: bound.right.computed, columns: read.columns },
    payload: read.among(payload),
    buildOnlyPayload: read.among(buildOnlyPayload),
    columns,
  };
  const checkedKeys = await computeKeys(bound.left, left, context);
  const lines = [
    ...bound.labels.map((label) => `keys: ${label}`),
    "build side: what exceeds the memory goes to temporary files",
  ];
  if (columns.unwanted.length > 0) lines.push(`left out: ${columns.unwanted.join(", ")}`);
  const { schema } = columns;
  const compile = (computed?: Stage): Stage => ({
    schema,
    probes: true,
    explain: () => [spec.build.line, ...lines, ...computed?.explain?.() ?? []],
    ...(computed?.compiled === undefined ? {} : { compiled: computed.compiled }),
    run: (input, stage) => runEqui(join, computed?.run(input, stage) ?? input, stage),
  });
  return { schema, compile: () => compile(checkedKeys?.compile()) };
}
