/** @module */

import { Field, type RecordBatch, Schema } from "apache-arrow";
import type { Backend, JoinHow, JoinTable } from "../../gpu/backend.ts";
import type { HostColumn } from "../../gpu/column.ts";
import type { BatchStream } from "../../streams/batch_stream.ts";
import { typeName } from "../arrow_types.ts";
import { Batch, BatchColumn } from "../batch.ts";
import { columnIndex } from "../columns.ts";
import { inFlight } from "../in_flight.ts";
import { type OperatorNode, type Stage, type StageContext, withNames } from "../node.ts";
import { plainSchema } from "../plain_schema.ts";
import { concatBatches } from "../regroup/regroup_node.ts";
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
}

/** The node that `join` makes. */
export function joinNode(build: BatchStream, spec: JoinSpec): OperatorNode {
  const { leftKey, rightKey, how } = spec;
  return Object.freeze<OperatorNode>({
    name: "join",
    rows: "any",
    summary: `${how}, ${leftKey === rightKey ? leftKey : `${leftKey} = ${rightKey}`}`,
    needs: (wanted) => withNames(wanted && new Set(wanted), [leftKey]),
    bind: async (input) => bindJoin(build, spec, input, plainSchema(await build.schema())),
  });
}

/** Which columns a join gives, by their places on both sides. */
interface JoinColumns {
  readonly schema: Schema;
  readonly leftKey: number;
  readonly rightKey: number;
  readonly payload: readonly number[];
}

function bindJoin(build: BatchStream, spec: JoinSpec, left: Schema, right: Schema): Stage {
  const { how } = spec;
  const columns = joinColumns(spec, left, right);
  const leftType = left.fields[columns.leftKey]!.type;
  const rightType = right.fields[columns.rightKey]!.type;
  const names = { left: spec.leftKey, right: spec.rightKey };
  const { type, keyType } = promoteKeys(leftType, rightType, names);
  const keys = `keys: ${typeName(leftType)} with ${typeName(rightType)}, as ${typeName(type)}`;
  return {
    schema: columns.schema,
    explain: () => [keys],
    async *run(input, context) {
      const { backend } = context;
      const rows = await readBuildSide(build, right, backend);
      const host = (index: number) => rows.columns[index]!.column as HostColumn;
      const payload = columns.payload.map(host);
      const table = await backend.buildTable(host(columns.rightKey), keyType, payload);
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
  { schema, leftKey }: JoinColumns,
  how: JoinHow,
  batch: Batch,
  { backend }: StageContext,
): AsyncGenerator<Batch, void, void> {
  const columns = batch.columns.map(({ column }) => column);
  const key = columns[leftKey]!;
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

async function readBuildSide(
  build: BatchStream,
  schema: Schema,
  backend: Backend,
): Promise<Batch> {
  const batches: Batch[] = [];
  for await (const batch of build as AsyncIterable<RecordBatch>) {
    batches.push(Batch.fromRecordBatch(schema, batch));
  }
  const rows = concatBatches(schema, batches);
  await rows.toHost(backend);
  return rows;
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
  const schema = new Schema([...left.fields, ...added], left.metadata);
  return { schema, leftKey, rightKey, payload };
}
