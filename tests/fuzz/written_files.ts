/** Files that a pipeline writes on its way, and whether they have the rows that came to them. */

import { type BatchStream, type Engine, read, write } from "../../mod.ts";
import { WrittenRows } from "../../ops/source/written_rows.ts";
import { difference, duckDifference } from "./difference.ts";
import { rowsByDuckDb } from "./duck_files.ts";
import { readTypes, throughFile } from "./file_model.ts";
import type { CaseStep, FuzzCase } from "./fuzz_case.ts";
import { type ModelTable, modelTable } from "./model_table.ts";
import { type Outcome, rowsOutcome } from "./outcome.ts";
import { modelStep } from "./step_model.ts";
import { judgeArray, originAttribute } from "./zarr_files.ts";
import type { ZarrPeer } from "./zarr_layout.ts";
import { arrayOfRows, rowsOf } from "./zarr_model.ts";

/** A file that is written. */
interface WrittenFile {
  readonly rows: WrittenRows;
  readonly path: string;
  readonly step: CaseStep & { do: "write" };
  readonly index: number;
}

/** The files of a run. As on the command line, they appear together, or none does. */
export class WrittenFiles {
  readonly #case: FuzzCase;
  readonly #prefix: string;
  readonly #files: WrittenFile[] = [];

  /** Paths of files begin with the prefix. */
  constructor(given: FuzzCase, prefix: string) {
    this.#case = given;
    this.#prefix = prefix;
  }

  /** The rows of a stream, which are written as the step of this number says. */
  async add(stream: BatchStream, index: number, engine: Engine): Promise<BatchStream> {
    const step = this.#case.steps[index] as CaseStep & { do: "write" };
    const { format, batchRows, compression } = step;
    const path = `${this.#prefix}-${index}.${format}`;
    const sink = write(path, {
      ...(batchRows === undefined ? {} : { rowGroupRows: batchRows }),
      ...(compression === undefined ? {} : { compression }),
    });
    const schema = await stream.schema();
    const rows = new WrittenRows(stream, sink, { ofInput: run, ofFile: run });
    this.#files.push({ rows, path, step, index });
    return rows.stream(engine, schema);
  }

  /** Asks for the first rows of each. */
  async begin(): Promise<void> {
    for (const { rows } of this.#files) await rows.begin();
  }

  /** Writes what nobody has asked for, and lets the files appear. */
  async finish(): Promise<void> {
    for (const { rows } of this.#files.toReversed()) await rows.finish();
    this.#checkNone();
    for (const { rows } of this.#files) await rows.commit();
  }

  /** Ends all; gives what is wrong where a file is there nevertheless, or a part of one. */
  async abort(reason: unknown): Promise<Outcome | undefined> {
    for (const { rows } of this.#files.toReversed()) await rows.abort(reason);
    try {
      this.#checkNone();
    } catch (error) {
      return { name: "Left", error: (error as Error).message };
    }
    const folder = this.#prefix.slice(0, this.#prefix.lastIndexOf("/"));
    const left = [...Deno.readDirSync(folder)].find(({ name }) => name.endsWith(".partial"));
    if (left !== undefined) return { name: "Left", error: `${left.name} is left behind` };
  }

  /** Returns the first fault of the files, and removes them. */
  async problem(engine: Engine): Promise<Outcome | undefined> {
    const problems: Outcome[] = [];
    for (const file of this.#files) {
      const problem = await this.#problemOf(file, engine).catch(String);
      Deno.removeSync(file.path, { recursive: true });
      if (problem === undefined) continue;
      const { format, judge = "us" } = file.step;
      const error = `${format} of step ${file.index}, read by ${judge}: ${problem}`;
      problems.push({ name: "Written", error });
    }
    return problems[0];
  }

  async #problemOf(
    { path, step, index }: WrittenFile,
    engine: Engine,
  ): Promise<string | undefined> {
    const { format, judge } = step;
    const { table, steps } = this.#case;
    const came = steps.slice(0, index).reduce(modelStep, modelTable(table));
    if (format === "zarr") return await this.#problemOfArray({ path, step }, came, engine);
    const columns = throughFile(format, came.columns, came.numRows);
    const { isUnordered = false } = came;
    const model: ModelTable = { columns, numRows: came.numRows, isUnordered };
    if (judge === "duckdb") {
      return duckDifference(await rowsByDuckDb(path, format, columns), model)?.message;
    }
    const types = readTypes(format, came.columns);
    const again = read(path, { engine, ...(types === undefined ? {} : { types }) });
    return difference(rowsOutcome(await Array.fromAsync(again)), model)?.message;
  }

  async #problemOfArray(
    { path, step: { judge } }: Pick<WrittenFile, "path" | "step">,
    came: ModelTable,
    engine: Engine,
  ): Promise<string | undefined> {
    const { array, ...chunks } = arrayOfRows(came);
    const { origin, layout: { version } } = array;
    const attribute = originAttribute(path, version);
    if (JSON.stringify(attribute) !== JSON.stringify(origin)) {
      return `it begins at ${JSON.stringify(attribute)}, not at ${JSON.stringify(origin)}`;
    }
    if (judge !== undefined) return await judgeArray(judge as ZarrPeer, path, { array, ...chunks });
    // The column has the name of the file.
    const name = /([^/]*)\.zarr$/.exec(path)![1]!;
    const model = rowsOf({ array: { ...array, name }, ...chunks });
    const again = await Array.fromAsync(read(path, { engine }));
    return difference(rowsOutcome(again), model)?.message;
  }

  /** Throws if one of the files has appeared. */
  #checkNone(): void {
    const early = this.#files.find(({ path }) => isThere(path));
    if (early !== undefined) throw new Error(`the file of step ${early.index} has appeared`);
  }
}

function run<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
