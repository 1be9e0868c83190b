/** @module */

import { Field, Schema } from "apache-arrow";
import type { JoinHow, JoinTable } from "../../gpu/backend.ts";
import type { HostColumn } from "../../gpu/column/column.ts";
import { typeName } from "../batch/arrow_types.ts";
import { Batch } from "../batch/batch.ts";
import { BatchColumn } from "../batch/batch_column.ts";
import { columnIndex } from "../rows/columns.ts";
import { inFlight } from "../engine/in_flight.ts";
import type { Names, OperatorNode, Stage, StageContext } from "../engine/node.ts";
import type { BuildSide } from "./build_side.ts";
import { promoteKeys } from "./promotion.ts";

/** Rows of the batches that a join gives, about. */
const MAX_ROWS = 65_536;

/** What `join` was given, checked. */
export interface JoinSpec {
  readonly leftKey: string;
  readonly rightKey: string;
  readonly how: JoinHow;
  readonly suffix: string;
  readonly keepKeys: boolean;
  /** The columns of the result that the steps after it need. Absent: all of them. */
  readonly wanted?: Names;
}

/** The node of a join; the rules of the engine know it by its `build`. */
export interface JoinNode extends OperatorNode {
  readonly build: BuildSide;
  readonly spec: JoinSpec;
}

/** Whether a node is a join. */
export function isJoin(node: OperatorNode): node is JoinNode {
  return "build" in node;
}

/** The node that `join` makes. */
export function joinNode(build: BuildSide, spec: JoinSpec): JoinNode {
  const { leftKey, rightKey, how } = spec;
  return Object.freeze<JoinNode>({
    name: "join",
    build,
    spec,
    rows: "any",
    summary: `${how}, ${leftKey === rightKey ? leftKey : `${leftKey} = ${rightKey}`}`,
    needs: (wanted) => neededOnLeft(spec, wanted),
    bind: async (input) => bindJoin(build, spec, input, await build.schema()),
    abandon: (reason) => build.cancel(reason),
  });
}

/**
 * The key, and whatever is wanted. A wanted column with the suffix may be of the build side, and
 * has the suffix only while the stream has a column of its name.
 */
function neededOnLeft({ leftKey, suffix }: JoinSpec, wanted: Names): Names {
  if (wanted === undefined) return undefined;
  const named = [...wanted].filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, name.length - suffix.length));
  return new Set([leftKey, ...wanted, ...named]);
}

/** The node of a join that gives only the wanted columns, which are all that later steps read. */
export function wantedOfJoin({ build, spec }: JoinNode, wanted: Names): JoinNode {
  return joinNode(build, { ...spec, wanted });
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

function bindJoin(build: BuildSide, spec: JoinSpec, left: Schema, right: Schema): Stage {
  const { how } = spec;
  const columns = joinColumns(spec, left, right);
  const leftType = left.fields[columns.leftKey]!.type;
  const rightType = right.fields[columns.rightKey]!.type;
  const names = { left: spec.leftKey, right: spec.rightKey };
  const { type, keyType } = promoteKeys(leftType, rightType, names);
  const lines = [`keys: ${typeName(leftType)} with ${typeName(rightType)}, as ${typeName(type)}`];
  if (columns.unwanted.length > 0) lines.push(`left out: ${columns.unwanted.join(", ")}`);
  return {
    schema: columns.schema,
    explain: () => lines,
    async *run(input, context) {
      const { backend, signal } = context;
      const rows = await build.rows(right, [columns.rightKey, ...columns.payload], signal);
      if (rows === undefined) return;
      const [key, ...payload] = rows.columns.map(({ column }) => column as HostColumn);
      const table = await backend.buildTable(key!, keyType, payload);
      try {
        yield* inFlight(input, context, (batch) => probe(table, columns, how, batch, context));
      } finally {
        table.release();
      }
    },
  };
}

async function* probe(
  table: JoinTable,
  { schema, leftKey, probed }: JoinColumns,
  how: JoinHow,
  batch: Batch,
  { backend }: StageContext,
): AsyncGenerator<Batch, void, void> {
  const columns = probed.map((index) => batch.columns[index]!.column);
  const key = batch.columns[leftKey]!.column;
  try {
    for await (
      const result of backend.probe(table, key, columns, batch.numRows, how, MAX_ROWS)
    ) {
      const output = result.columns.map((column, index) =>
        BatchColumn.fromColumn(schema.fields[index]!.type, column)
      );
      yield new Batch(schema, result.numRows, output);
    }
  } finally {
    batch.release();
  }
}

function joinColumns(spec: JoinSpec, left: Schema, right: Schema): JoinColumns {
  const leftKey = columnIndex(left, spec.leftKey);
  const rightKey = columnIndex(right, spec.rightKey);
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
    return new Field(unique, type, nullable || spec.how === "left", metadata);
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
