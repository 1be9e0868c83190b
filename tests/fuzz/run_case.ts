/** Runs the pipeline of a case on an engine, and says what came out. */

import { DataType, Field, type RecordBatch, Schema } from "apache-arrow";
import { type BatchStream, type Engine, fromBatches, joinStrings, regroup } from "../../mod.ts";
import { isSettled } from "../../ops/batch/offset_rule.ts";
import { batchOfColumns, columnOfValues } from "../support/values/arrow_columns.ts";
import { SeededRandom } from "../support/random/seeded_random.ts";
import { throughFiles } from "./case_file.ts";
import { operatorOf } from "./case_operator.ts";
import { typeOf } from "./case_types.ts";
import type { CaseBatch, CaseStep, CaseTable, FuzzCase } from "./fuzz_case.ts";
import { modelTable } from "./model_table.ts";
import { type Outcome, rowsOutcome } from "./outcome.ts";
import { modelStep } from "./step_model.ts";
import { WrittenFiles } from "./written_files.ts";

/** A table of a case as record batches. */
interface CaseBatches {
  readonly batches: readonly RecordBatch[];
  readonly schema: Schema;
}

/** Steps whose batches are none of an operator. */
const PASSING: readonly CaseStep["do"][] = ["file", "write", "rechunk", "transform", "tee"];

/** Numbers that surround values with nothing. */
class Calm extends SeededRandom {
  override next(): number {
    return 0.24;
  }
}

/** The record batches of a table, whose buffers hold other bytes around the values. */
function batchesOf(table: CaseTable): CaseBatches {
  const plain = table.columns.map(({ name, type }) => new Field(name, typeOf(type), true));
  let start = 0;
  const batches = sharedRuns(table.batches).flatMap((run) => {
    const rows = run.reduce((sum, { rows }) => sum + rows, 0);
    const whole = batchOf(table, run[0]!, start, start + rows);
    start += rows;
    if (run.length === 1) return [whole];
    let first = 0;
    return run.map(({ rows }) => whole.slice(first, first += rows));
  });
  return { batches, schema: batches[0]?.schema ?? new Schema(plain) };
}

function joinedTexts(
  stream: BatchStream,
  { column, separator, rows }: CaseStep & { do: "joinStrings" },
  engine: Engine,
): BatchStream {
  return stream.pipeThrough(regroup({ rows, engine }))
    .pipeThrough(joinStrings(column, { separator, engine }));
}

/** Batches one after the other that lie in the same buffers. */
function sharedRuns(batches: readonly CaseBatch[]): CaseBatch[][] {
  const runs: CaseBatch[][] = [];
  for (const batch of batches) {
    const before = runs.at(-1);
    const isSame = before !== undefined &&
      JSON.stringify(before[0]!.layouts) === JSON.stringify(batch.layouts);
    if (batch.isCut && isSame) before.push(batch);
    else runs.push([batch]);
  }
  return runs;
}

/** Rows of a table as one batch, laid out as `like`. */
function batchOf(table: CaseTable, like: CaseBatch, start: number, stop: number): RecordBatch {
  const { seed, layouts = {} } = like;
  const random = seed === 0 ? new Calm(0) : new SeededRandom(seed);
  const fields = table.columns.map(({ name, type }) =>
    new Field(name, typeOf(Object.hasOwn(layouts, name) ? layouts[name]! : type), true)
  );
  const columns = table.columns.map(({ values }, index) =>
    columnOfValues(random, fields[index]!.type, values.slice(start, stop))
  );
  const batch = batchOfColumns(fields, columns);
  return batch.numRows === stop - start ? batch : batch.slice(0, stop - start);
}

/** The servers and files of a running pipeline. */
interface CaseHelp {
  /** Servers of files. */
  readonly servers: AsyncDisposableStack;
  /** Files that are written on the way. */
  readonly files: WrittenFiles;
}

/** Runs a case on any engine; its batches are made once for all variants. */
export class CaseRun {
  readonly #case: FuzzCase;
  readonly #folder: string;
  #numRuns = 0;
  readonly #tables = new Map<CaseTable, CaseBatches>();

  /** Files are written to the folder. */
  constructor(given: FuzzCase, folder: string) {
    this.#case = given;
    this.#folder = folder;
  }

  /** Returns the outcome of the case on an engine. */
  async on(engine: Engine): Promise<Outcome> {
    await using servers = new AsyncDisposableStack();
    const files = new WrittenFiles(this.#case, `${this.#folder}/written-${this.#numRuns++}`);
    try {
      const stream = await this.stream(engine, { servers, files });
      // Metadata must not depend on whether rows were read, nor rows on whether metadata was.
      const isAskedFirst = this.#case.steps.length % 2 === 0;
      const asked = isAskedFirst ? await metadataBefore(stream) : undefined;
      await files.begin();
      const outcome = this.#outcome(await Array.fromAsync(stream), engine);
      const { numRows } = asked ?? await metadataOf(stream);
      if (!("error" in outcome) && (numRows ?? outcome.numRows) !== outcome.numRows) {
        return { name: "Count", error: `${numRows} rows are counted of ${outcome.numRows}` };
      }
      await files.finish();
      return await files.problem(engine) ?? outcome;
    } catch (error) {
      return await files.abort(error) ?? failed(error, this.#folder);
    }
  }

  /** The whole pipeline; files in between are written, and served until the servers are disposed. */
  async stream(engine: Engine, { servers, files }: CaseHelp): Promise<BatchStream> {
    const { table, steps } = this.#case;
    const open = (table: CaseTable) => this.#open(table, engine);
    let stream = open(table);
    let model = modelTable(table);
    for (const [index, step] of steps.entries()) {
      if (step.do === "file") {
        const path = `${this.#folder}/${index}`;
        stream = await throughFiles(stream, step, path, model, engine, servers);
      } else if (step.do === "write") stream = await files.add(stream, index, engine);
      else if (step.do === "transform") stream = transformed(stream, engine);
      else if (step.do === "tee") stream = teed(stream, engine);
      else if (step.do === "joinStrings") stream = joinedTexts(stream, step, engine);
      else stream = stream.pipeThrough(operatorOf(step, engine, open));
      // The types of files come from the model; an error of it is one of the pipeline too.
      if (steps.slice(index).some((later) => later.do === "file")) model = modelStep(model, step);
    }
    return stream;
  }

  #open(table: CaseTable, engine: Engine): BatchStream {
    const { batches, schema } = this.#batches(table);
    return fromBatches(batches, { schema, engine });
  }

  #batches(table: CaseTable): CaseBatches {
    const known = this.#tables.get(table) ?? batchesOf(table);
    this.#tables.set(table, known);
    return known;
  }

  #outcome(batches: readonly RecordBatch[], engine: Engine): Outcome {
    const last = this.#case.steps.at(-1)?.do;
    const isFromOperator = last !== undefined && !PASSING.includes(last);
    for (const [index, { data, schema }] of batches.entries()) {
      // Of lists of one size the text of all rows that there were decides.
      const wrong = data.children.findIndex((column) =>
        !DataType.isFixedSizeList(column.type) && !isSettled(column, engine.offsets)
      );
      if (isFromOperator && wrong >= 0) {
        const { name } = schema.fields[wrong]!;
        const message = `offsets of ${name} in batch ${index} are not as wide as they must be`;
        return { error: message, name: "Layout" };
      }
    }
    return rowsOutcome(batches);
  }
}

/** The same of a stream that is not read yet: where it fails, nobody will, and the stream is left. */
async function metadataBefore(stream: BatchStream): Promise<{ numRows: number | undefined }> {
  try {
    return await metadataOf(stream);
  } catch (error) {
    // Gives back the batches of a foreign stream that were read for its schema.
    await stream.cancel().catch(() => {});
    throw error;
  }
}

/** The number of rows, if it is known, and that the plan can be told. */
async function metadataOf(stream: BatchStream): Promise<{ numRows: number | undefined }> {
  const numRows = await stream.numRows();
  if (await stream.explain() === "") throw new Error("explain() says nothing");
  return { numRows };
}

function transformed(stream: BatchStream, engine: Engine): BatchStream {
  const same = new TransformStream<RecordBatch, RecordBatch>();
  return fromBatches(stream.pipeThrough(same), { engine });
}

/** One branch is what goes on, the other is read beside it. */
function teed(stream: BatchStream, engine: Engine): BatchStream {
  const [one, other] = stream.tee();
  other.pipeTo(new WritableStream()).catch(() => {});
  return fromBatches(one, { engine });
}

function failed(error: unknown, folder: string): Outcome {
  if (!(error instanceof Error)) return { error: String(error), name: "not an error" };
  // A step of a build side is within the step that joins.
  let cause = error;
  while (cause.cause instanceof Error) cause = cause.cause;
  const { row } = error as { row?: number };
  return {
    error: error.message.replaceAll(folder, "").replaceAll(/\/written-\d+-/g, "/").replaceAll(
      /127\.0\.0\.1:\d+/g,
      "",
    ),
    name: cause.name,
    ...(row === undefined ? {} : { row }),
  };
}
