/** @module */

import { Field, Schema } from "apache-arrow";
import type { Backend, JoinTable, ResultLimits } from "../../gpu/backend.ts";
import type { Column, HostColumn } from "../../gpu/column/column.ts";
import { DifferenceError } from "../../gpu/errors.ts";
import {
  defaultJoinHow,
  isJoinHow,
  type JoinHow,
  joinHows,
  joinKinds,
  payloadMayMiss,
} from "../../gpu/join_kind.ts";
import { encodeKey } from "../../gpu/key/encode_key.ts";
import { type KeyPart, keyTypeOf } from "../../gpu/key/key_layout.ts";
import type { BatchStream } from "../../streams/batch_stream.ts";
import type { Operator } from "../../streams/operator.ts";
import { typeName } from "../batch/arrow_types.ts";
import { Batch } from "../batch/batch.ts";
import { BatchColumn } from "../batch/batch_column.ts";
import { type EngineOption, operatorOf } from "../engine/operator_of.ts";
import { inFlight } from "../engine/in_flight.ts";
import {
  type Names,
  type NodeKind,
  nodeOf,
  type Stage,
  type StageContext,
} from "../engine/node.ts";
import { errorOfRow } from "../engine/stage.ts";
import { checkNamed, columnIndex } from "../rows/column_names.ts";
import { printNode } from "../syntax/print.ts";
import { BuildSide } from "./build_side.ts";
import { promoteKeys } from "./promote_keys.ts";

/** How two streams are joined. */
export interface JoinOptions extends EngineOption {
  /** The key: its name on both sides, or `{ left: "right" }`. */
  readonly on: string | Readonly<Record<string, string>>;
  /** `inner` keeps the rows that match, `left` all rows of the stream. Default: "inner". */
  readonly how?: JoinHow;
  /** Added to names of the build side that the stream has as well. Default: "_right". */
  readonly suffix?: string;
  /** Whether the key of the build side comes out too. Default: false. */
  readonly keepKeys?: boolean;
}

/**
 * Joins the rows of the stream with those of a build side that have an equal key. The build side
 * is read first and held in memory; the stream flows past it and keeps its order. A row with
 * several matches comes out once for each, in the order of the build side. The join takes the build
 * side over, as a pipe would: it is locked, and cancelled where the join ends without it.
 *
 * Null keys match nothing. Integer keys of different types are widened to one that holds every
 * value of both; where there is none (int64 with uint64), and for text with numbers, a TypeError
 * is raised before any row is read. Text is compared by bytes.
 *
 * The result has the columns of the stream, then those of the build side without its key.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, join, toTable } from "../../mod.ts";
 *
 * const flights = tableFromArrays({ origin: ["LAX", "SFO", "LAX"] });
 * const airports = tableFromArrays({ iata: ["SFO", "LAX"], city: ["San Francisco", "Los Angeles"] });
 * const joined = await toTable(
 *   fromBatches(flights).pipeThrough(join(fromBatches(airports), { on: { origin: "iata" } })),
 * );
 * assertEquals(joined.toArray().map((row) => row.city), [
 *   "Los Angeles",
 *   "San Francisco",
 *   "Los Angeles",
 * ]);
 * ```
 */
export function join(build: BatchStream, options: JoinOptions): Operator {
  const { on, how = defaultJoinHow, suffix = "_right", keepKeys = false } = options;
  if (typeof on !== "string") checkNamed("The option on of a join", "keys", on);
  const keys = typeof on === "string" ? [[on, on] as const] : Object.entries(on);
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    throw new TypeError(`A join has one key, not ${keys.length}`);
  }
  if (!isJoinHow(how)) {
    const known = joinHows.map((name) => `"${name}"`).join(" or ");
    throw new TypeError(`A join is ${known}, not "${how}"`);
  }
  const [leftKey, rightKey] = key;
  const spec = { build: new BuildSide(build), leftKey, rightKey, how, suffix, keepKeys };
  return operatorOf(nodeOf(joinNodeKind, spec), options);
}

/** The most that a batch of a join has. */
const LIMITS: ResultLimits = { rows: 65_536, bytes: 64 << 20 };

/** What `join` was given, checked. */
interface JoinSpec {
  readonly build: BuildSide;
  readonly leftKey: string;
  readonly rightKey: string;
  readonly how: JoinHow;
  readonly suffix: string;
  readonly keepKeys: boolean;
  /** The columns of the result that the steps after it need. Absent: all of them. */
  readonly wanted?: Names;
}

const joinNodeKind: NodeKind<JoinSpec> = {
  name: "join",
  rows: "mostly same",
  boundaries: "ignored",
  summary: ({ how, leftKey, rightKey }) =>
    `${how}, ${leftKey === rightKey ? leftKey : `${leftKey} = ${rightKey}`}`,
  needs: neededOnLeft,
  bind: bindJoin,
  abandon: ({ build }, reason) => build.cancel(reason),
  rewrites: {
    onWanted: ({ spec }, wanted) => nodeOf(joinNodeKind, { ...spec, wanted }),
  },
};

/**
 * The key, and whatever is wanted. A wanted column with the suffix may be one of the build side; it
 * has the suffix only as long as the stream has a column of its name, which is then needed too.
 */
function neededOnLeft({ leftKey, suffix }: JoinSpec, wanted: Names): Names {
  if (wanted === undefined) return undefined;
  const named = [...wanted].filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, name.length - suffix.length));
  return new Set([leftKey, ...wanted, ...named]);
}

/** Which columns a join gives, by their places on both sides. */
interface JoinColumns {
  readonly schema: Schema;
  readonly leftKey: number;
  readonly rightKey: number;
  /** Those of the stream, then those of the build side. */
  readonly probed: readonly number[];
  readonly payload: readonly number[];
  /** The names of those that nobody wants. */
  readonly unwanted: readonly string[];
}

async function bindJoin(spec: JoinSpec, left: Schema): Promise<Stage> {
  const { build, how } = spec;
  const right = await build.schema();
  const columns = joinColumns(spec, left, right);
  const leftType = left.fields[columns.leftKey]!.type;
  const rightType = right.fields[columns.rightKey]!.type;
  const pair = {
    left: { text: keyText(spec.leftKey), type: leftType },
    right: { text: keyText(spec.rightKey), type: rightType },
  };
  const { types, parts } = promoteKeys([pair]);
  const keyType = keyTypeOf(parts, false);
  const names = [leftType, rightType, types[0]!].map(typeName);
  const lines = [`keys: ${names[0]} with ${names[1]}, as ${names[2]}`];
  if (columns.unwanted.length > 0) lines.push(`left out: ${columns.unwanted.join(", ")}`);
  return {
    schema: columns.schema,
    explain: () => lines,
    async *run(input, context) {
      const { backend, signal } = context;
      const rows = await build.rows(right, [columns.rightKey, ...columns.payload], signal);
      if (rows === undefined) return;
      const [column, ...payload] = rows.columns.map(({ column }) => column as HostColumn);
      const key = encodeKey([column!], parts, false);
      const request = { key, keyType, payload, lastPayload: [], how, nullsEqual: false };
      const table = await backend.buildTable(request);
      try {
        yield* inFlight(
          input,
          context,
          (batch, row) => probe(table, columns, parts, batch, row, context),
        );
        // Here every batch was probed: the place for build rows that nothing matched, of which no
        // kind has any so far.
      } finally {
        table.release();
      }
    },
  };
}

async function* probe(
  table: JoinTable,
  { schema, leftKey, probed }: JoinColumns,
  parts: readonly KeyPart[],
  batch: Batch,
  firstRow: number,
  { backend }: StageContext,
): AsyncGenerator<Batch, void, void> {
  const columns = probed.map((index) => batch.columns[index]!.column);
  try {
    const key = await encodedKey(batch.columns[leftKey]!.column, parts, backend);
    for await (
      const result of backend.probe(table, key, columns, batch.numRows, LIMITS)
    ) {
      const output = result.columns.map((column, index) =>
        BatchColumn.fromColumn(schema.fields[index]!.type, column)
      );
      yield new Batch(schema, result.numRows, output);
    }
  } catch (error) {
    // Rows of other errors are not those that are probed.
    if (!(error instanceof DifferenceError)) throw error;
    const places = schema.fields.map(({ name }) => `column ${name}`);
    throw errorOfRow(DifferenceError.in(places, error), firstRow);
  } finally {
    batch.release();
  }
}

/** The key of a batch; on the device where it lies there and is compared as it is. */
async function encodedKey(
  column: Column,
  parts: readonly KeyPart[],
  backend: Backend,
): Promise<Column> {
  if (column.place === "host") return encodeKey([column], parts, false);
  if (parts[0]!.kind === "int" || parts[0]!.kind === "string") return column;
  return encodeKey(await backend.download([column]), parts, false);
}

function keyText(name: string): string {
  return printNode({ node: "column", name });
}

function joinColumns(spec: JoinSpec, left: Schema, right: Schema): JoinColumns {
  const leftKey = columnIndex(left, spec.leftKey);
  const rightKey = columnIndex(right, spec.rightKey);
  const mayMiss = payloadMayMiss(joinKinds[spec.how]);
  const taken = new Set(left.fields.map(({ name }) => name));
  const payload = right.fields.map((_, index) => index)
    .filter((index) => index !== rightKey || spec.keepKeys);
  const added = payload.map((index) => {
    const { name, type, nullable, metadata } = right.fields[index]!;
    const unique = taken.has(name) ? name + spec.suffix : name;
    if (taken.has(unique)) {
      throw new TypeError(`Two columns would have the name "${unique}"; give another suffix`);
    }
    taken.add(unique);
    return new Field(unique, type, nullable || mayMiss, metadata);
  });
  const { wanted } = spec;
  const isWanted = ({ name }: Field) => wanted === undefined || wanted.has(name);
  const all = [...left.fields, ...added];
  return {
    schema: new Schema(all.filter(isWanted), left.metadata),
    leftKey,
    rightKey,
    probed: left.fields.flatMap((field, index) => isWanted(field) ? [index] : []),
    payload: payload.filter((_, place) => isWanted(added[place]!)),
    unwanted: all.filter((field) => !isWanted(field)).map(({ name }) => name),
  };
}
