/**
 * Concatenates sources.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type { Schema } from "apache-arrow";
import type { WidestType } from "./concat_schemas.ts";
import type { ChunkLengths } from "../rows/chunk_lengths.ts";
import { locateRows } from "../rows/locate_rows.ts";
import { allRows, isAllRows, requestOfRuns, type RowRequest } from "../rows/row_request.ts";
import type { RowRun } from "../rows/row_run.ts";
import { selectFields } from "../types/select_columns.ts";
import type { OpenOptions, Source, SourceRows } from "../plan/source.ts";

/** Loads code that only several sources need. */
const loadSchemas = () => import("./concat_schemas.ts");

/** The number of sources whose schemas or lengths are read concurrently. */
const AT_ONCE = 8;

/**
 * Creates a source of the rows of several sources, one after the other. All must have the same
 * columns in any order; the result has the order of the first source. The layout of text may
 * differ. An error names the first source that differs and, if types were `guessed`, a type that
 * fits both. A column of a text format without any value takes its type from the first source with
 * a value. A column is nullable if it is nullable in any source. A source without columns and rows,
 * such as an empty NDJSON file, is skipped.
 *
 * Reading the schema reads that of every source. For rows by position, Sluice opens only the
 * sources that have them, and counts only the sources before them, or after them for positions
 * from the end.
 */
export function concatSources(
  sources: readonly [Source, ...Source[]],
  guessed: ReadonlyMap<Source, WidestType> = new Map(),
): Source {
  return sources.length === 1 ? sources[0] : new ConcatSource(sources, guessed);
}

class ConcatSource implements Source {
  readonly name: string;
  readonly #sources: readonly [Source, ...Source[]];
  readonly #guessed: ReadonlyMap<Source, WidestType>;
  #schema: Promise<Schema | undefined> | undefined;
  #filled: Promise<readonly Source[]> | undefined;
  /** The row counts of the sources that are not empty, as far as they are known. */
  readonly #lengths: (number | undefined)[] = [];
  /** The sources that are not empty, once rows were requested. */
  #opened: readonly Source[] = [];

  constructor(sources: readonly [Source, ...Source[]], guessed: ReadonlyMap<Source, WidestType>) {
    this.#sources = sources;
    this.#guessed = guessed;
    this.name = `${sources[0].name} and ${sources.length - 1} more`;
  }

  get bytesRead(): number {
    return this.#sources.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  }

  get numBytes(): number | undefined {
    let sum = 0;
    for (const { numBytes } of this.#sources) {
      if (numBytes === undefined) return undefined;
      sum += numBytes;
    }
    return sum;
  }

  get numRequests(): number | undefined {
    const counts = this.#sources.flatMap(({ numRequests }) => numRequests ?? []);
    return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count);
  }

  schema(): Promise<Schema | undefined> {
    return this.#schema ??= this.#commonSchema();
  }

  async canSeek(): Promise<boolean> {
    const seeks = await askEach(await this.#filledSources(), (source) => source.canSeek());
    return !seeks.includes(false);
  }

  async numRows(options?: OpenOptions): Promise<number | undefined> {
    let sum = 0;
    for (const some of groupsOf(this.#sources)) {
      for (const numRows of await askEach(some, (source) => source.numRows(options))) {
        if (numRows === undefined) return undefined;
        sum += numRows;
      }
    }
    return sum;
  }

  async *rows(
    request: RowRequest = allRows,
    options: OpenOptions = {},
  ): AsyncGenerator<SourceRows, void, void> {
    const { withFieldsOf } = await loadSchemas();
    const schema = await this.#selectedSchema(options);
    const sources = this.#opened = await this.#filledSources();
    const lengths = lengthsOf(sources, options, this.#lengths);
    const parts = isAllRows(request) ? this.#wholeSources() : locatedParts(request, lengths);
    for await (const { index, request: own, firstRow } of parts) {
      if (options.signal?.aborted) return;
      let numRows = 0;
      for await (const rows of sources[index]!.rows(own, options)) {
        const batch = schema === undefined ? rows.batch : withFieldsOf(schema, rows.batch);
        // The source may count from its end; its length is known here.
        const inSource = rows.firstRow < 0 ? rows.firstRow + lengths.known(index)! : rows.firstRow;
        yield { ...rows, batch, firstRow: firstRow + inSource };
        numRows += batch.numRows;
      }
      if (own === allRows && !options.signal?.aborted) this.#lengths[index] = numRows;
    }
  }

  /**
   * Yields each source with a request for all rows. The caller records the length of one before it
   * takes the next.
   */
  *#wholeSources(): Generator<SourcePart, void, void> {
    let firstRow = 0;
    for (const index of this.#opened.keys()) {
      yield { index, request: allRows, firstRow };
      firstRow += this.#lengths[index] ?? 0;
    }
  }

  placeOf(row: number): { readonly name: string; readonly row: number } {
    const numSources = this.#opened.length;
    let own = row;
    // Positions from the end lie in the last sources, whose lengths are known.
    let index = row < 0 ? numSources : 0;
    while (own < 0 && index > 0) own += this.#lengths[--index] ?? -own;
    while (row >= 0 && own >= (this.#lengths[index] ?? Infinity)) own -= this.#lengths[index++]!;
    return { name: this.#opened[index]?.name ?? this.name, row: own };
  }

  /**
   * Describes the files that a request reads, such as "1 of 3 files", and the part if it is a
   * single file; undefined for rows that do not exist.
   */
  async describeRows(request: RowRequest): Promise<string | undefined> {
    const sources = await this.#filledSources();
    const read = new Map<number, RowRun[]>();
    try {
      for await (
        const { chunk, runs } of locateRows(request, lengthsOf(sources, {}, this.#lengths))
      ) {
        const before = read.get(chunk);
        if (before === undefined) read.set(chunk, [...runs]);
        else before.push(...runs);
      }
    } catch (error) {
      if (isSluiceError(error, "MissingRowError")) return undefined;
      throw error;
    }
    const files = `${read.size} of ${sources.length} files`;
    const [[chunk, runs] = [], ...others] = read;
    if (chunk === undefined || runs === undefined || others.length > 0) return files;
    const part = await sources[chunk]!.describeRows?.(requestOfRuns(runs));
    return part === undefined ? files : `${files}, ${part}`;
  }

  async #selectedSchema({ columns }: OpenOptions): Promise<Schema | undefined> {
    const common = await this.schema();
    return common && columns ? selectFields(common, columns) : common;
  }

  /** Returns the sources that are not empty; the first if all are empty. */
  #filledSources(): Promise<readonly Source[]> {
    return this.#filled ??= (async () => {
      const areNothing = await askEach(this.#sources, isNothing);
      const filled = this.#sources.filter((_, index) => !areNothing[index]);
      return filled.length > 0 ? filled : [this.#sources[0]];
    })();
  }

  async #commonSchema(): Promise<Schema | undefined> {
    const { commonSchema, withTypesOfOthers } = await loadSchemas();
    const sources = await this.#filledSources();
    const own = await askEach(sources, (source) => source.schema());
    const schemas = withTypesOfOthers(sources, own);
    let [common] = schemas;
    const widest = this.#guessed.get(sources[0]!);
    for (const [index, source] of [...sources.entries()].slice(1)) {
      const schema = schemas[index];
      if (common === undefined || schema === undefined) return common ?? schema;
      const isGuessedToo = this.#guessed.get(source) === widest;
      common = commonSchema(common, schema, source.name, isGuessedToo ? widest : undefined);
    }
    return common;
  }
}

/** A request for rows of one source. */
interface SourcePart {
  readonly index: number;
  readonly request: RowRequest;
  /**
   * The row at which the source begins in the whole; if negative, counted from the end of the
   * whole.
   */
  readonly firstRow: number;
}

/** Finds the sources that have the rows of a request. */
async function* locatedParts(
  request: RowRequest,
  lengths: ChunkLengths,
): AsyncGenerator<SourcePart, void, void> {
  for await (const { chunk, runs, firstRow } of locateRows(request, lengths)) {
    yield { index: chunk, request: requestOfRuns(runs), firstRow };
  }
}

/** Returns the lengths of the sources; `learn` reads each once. */
function lengthsOf(
  sources: readonly Source[],
  options: OpenOptions,
  noted: (number | undefined)[],
): ChunkLengths {
  const lengths: number[] = [];
  const learnOne = async (source: Source, chunk: number) => {
    const numRows = lengths[chunk] ?? await source.numRows(options);
    if (numRows === undefined) throw new TypeError(`${source.name}: its length is unknown`);
    lengths[chunk] = noted[chunk] = numRows;
  };
  return {
    numChunks: sources.length,
    known: (chunk) => lengths[chunk],
    async learn(start, stop) {
      const wanted = sources.slice(start, stop);
      await askEach(wanted, (source, index) => learnOne(source, start + index));
    },
  };
}

async function isNothing(source: Source): Promise<boolean> {
  const schema = await source.schema();
  return schema?.fields.length === 0 && await source.numRows() === 0;
}

/**
 * Asks sources concurrently and returns their answers in order. Throws the first failure in that
 * order.
 */
async function askEach<T>(
  sources: readonly Source[],
  ask: (source: Source, index: number) => Promise<T>,
): Promise<T[]> {
  const answers: T[] = [];
  for (const some of groupsOf(sources)) {
    const first = answers.length;
    const settled = await Promise.allSettled(
      some.map((source, index) => ask(source, first + index)),
    );
    for (const result of settled) {
      if (result.status === "rejected") throw result.reason;
      answers.push(result.value);
    }
  }
  return answers;
}

/** Yields the sources in groups that are asked concurrently. */
function* groupsOf(sources: readonly Source[]): Generator<readonly Source[], void, void> {
  for (let start = 0; start < sources.length; start += AT_ONCE) {
    yield sources.slice(start, start + AT_ONCE);
  }
}
