/** Facts of Arrow files and streams that are changed: the same rows, or a refusal by name. */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import {
  Bool,
  Field,
  FixedSizeBinary,
  Int32,
  type RecordBatch,
  Table,
  tableToIPC,
  Utf8,
} from "apache-arrow";
import { bufferCodec, encodeArrow } from "../../../../../streams/formats/arrow/arrow.ts";
import { readIpc } from "../../../../support/files/ipc.ts";
import type { RowRequest } from "../../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../../streams/rows/row_slice.ts";
import type { Source } from "../../../../../streams/plan/source.ts";
import { batchOfColumns, columnOfValues } from "../../../../support/values/arrow_columns.ts";
import {
  arrowFacts,
  factKinds,
  valueOfFact,
  withFact,
} from "../../../../support/files/arrow_facts.ts";
import { randomType, typeKinds } from "../../../../support/values/arrow_types.ts";
import { randomValue, valuesOf } from "../../../../support/values/arrow_values.ts";
import { loadPeer } from "../../../../support/judges/peers.ts";
import { randomRequest } from "../../../../support/files/row_requests.ts";
import {
  assertSameOrRefused,
  changedNumber,
  NUMBER_CHANGES,
} from "../../../../support/files/same_or_refused.ts";
import { SeededRandom } from "../../../../support/random/seeded_random.ts";
import { inFolder } from "../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";

/** Bytes of Arrow data, and the rows in it as lists of values. */
interface Written {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rows: readonly unknown[][];
}

/** Who wrote it, and in which form. */
const writers = [
  "ours, file",
  "ours, stream",
  "ours, zstd",
  "ours, lz4",
  "apache-arrow, file",
  "apache-arrow, stream",
  "polars, file",
  "polars, lz4",
  "polars, zstd",
] as const;
type Writer = typeof writers[number];

/** What is asked of a file. */
const questions = ["count", "rows", "columns", "part"] as const;

/** A batch of random columns, cut in parts, and its rows. */
function drawn(random: SeededRandom, numRows: number, writer: Writer) {
  const kinds = isPolars(writer) ? polarsKinds : typeKinds;
  const types = Array.from(
    { length: 3 },
    () => randomType(random, kinds, isPolars(writer) ? 0 : 1),
  );
  const values = types.map((type) =>
    Array.from({ length: numRows }, () => randomValue(random, type))
  );
  const fields = types.map((type, index) => new Field(`c${index}`, type, true));
  const columns = types.map((type, index) => columnOfValues(random, type, values[index]!));
  const rows = Array.from({ length: numRows }, (_, row) => values.map((column) => column[row]));
  return { whole: batchOfColumns(fields, columns), rows };
}

function isPolars(writer: Writer): boolean {
  return writer.startsWith("polars");
}

/** Types that Polars gives back as they were. */
const polarsKinds = ["bool", "float", "utf8", "binary"] as const;

async function write(random: SeededRandom, writer: Writer): Promise<Written> {
  const lengths = [5, 9, 4];
  const numRows = lengths.reduce((sum, length) => sum + length);
  const { whole, rows } = drawn(random, numRows, writer);
  let first = 0;
  const batches = lengths.map((length) => whole.slice(first, first += length));
  return { bytes: await encode(whole, batches, writer), rows };
}

async function encode(
  whole: RecordBatch,
  batches: readonly RecordBatch[],
  writer: Writer,
): Promise<Uint8Array<ArrayBuffer>> {
  const [who, how] = writer.split(", ") as [string, string];
  const { schema } = whole;
  if (who === "ours") {
    const codec = how === "zstd"
      ? await bufferCodec(1)
      : how === "lz4"
      ? await bufferCodec(0)
      : undefined;
    return encodeArrow(schema, batches, { format: how === "stream" ? "stream" : "file", codec });
  }
  if (who === "apache-arrow") {
    // It numbers dictionaries anew in each batch, of which files have one.
    const table = how === "file" ? new Table([whole]) : new Table([...batches]);
    return new Uint8Array(tableToIPC(table, how as "file" | "stream"));
  }
  const { default: polars } = await loadPeer("polars");
  const frame = polars.readIPC(Buffer.from(encodeArrow(schema, batches, { format: "file" })));
  const compression = how === "file" ? "uncompressed" : how;
  return new Uint8Array(frame.writeIPC({ compression }));
}

/** A change, what is asked of the file, and where the file lies. */
interface Input {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ask: (source: Source) => Promise<unknown>;
}

/** The rows of what a source gives. */
async function rowsOf(batches: AsyncIterable<RecordBatch>): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for await (const batch of batches) {
    const columns = batch.data.children.map(valuesOf);
    for (let row = 0; row < batch.numRows; row++) rows.push(columns.map((column) => column[row]));
  }
  return rows;
}

/** A question, and the right answer. */
function asked(random: SeededRandom, rows: Written["rows"], question: typeof questions[number]) {
  switch (question) {
    case "count":
      return { right: rows.length, ask: (source: Source) => source.numRows() };
    case "rows":
      return { right: rows, ask: (source: Source) => rowsOf(sourceBatches(source)) };
    case "columns": {
      const right = rows.map(([, second]) => [second]);
      return { right, ask: (source: Source) => rowsOf(sourceBatches(source, { columns: ["c1"] })) };
    }
    case "part": {
      const { request, rows: wanted } = randomRequest(random, rows.length);
      const right = wanted.map((row) => rows[row]);
      return { right, ask: (source: Source) => rowsOfRequest(source, request) };
    }
  }
}

/** The rows of a request. */
async function rowsOfRequest(source: Source, request: RowRequest): Promise<unknown[][]> {
  const found: unknown[][] = [];
  for await (const { batch, runs } of source.rows(request, {})) {
    const columns = batch.data.children.map(valuesOf);
    const all = [{ start: 0, step: 1, count: batch.numRows }];
    for (const { start, step, count } of runs ?? all) {
      for (let index = 0; index < count; index++) {
        found.push(columns.map((column) => column[start + index * step]));
      }
    }
  }
  return found;
}

Deno.test("a fact of Arrow data that is wrong changes no row without a word", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    await assertSameOrRefused<Input, unknown>({
      draws: 250,
      kinds: [...factKinds, ...writers, ...questions, ...NUMBER_CHANGES],
      async mutate(random) {
        const writer = random.pick(writers);
        const question = random.pick(questions);
        const { bytes, rows } = await write(random, writer);
        const facts = arrowFacts(bytes);
        const kind = random.pick([...new Set(facts.map(({ kind }) => kind))]);
        const fact = random.pick(facts.filter((fact) => fact.kind === kind));
        const before = valueOfFact(bytes, fact);
        const huge = 2 ** (8 * Math.min(fact.bytes, 6) - 1) - 1;
        const { change, value } = changedNumber(random, before, huge);
        const { right, ask } = asked(random, rows, question);
        return {
          input: { bytes: withFact(bytes, fact, value), ask },
          right,
          kinds: [kind, writer, question, change],
          what: `${writer}, ${question}: ${kind} at byte ${fact.at}, ${before} -> ${value}`,
        };
      },
      async read({ bytes, ask }) {
        await Deno.writeFile(path, bytes);
        return await ask(readIpc(path));
      },
      refusal: /^\S+in\.arrow: /,
    });
  }));

Deno.test("a fact of a large batch that is wrong changes none of the rows that are read alone", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const numRows = 6000;
    const types = [new FixedSizeBinary(40), new Utf8(), new Int32(), new Bool()];
    const fields = types.map((type, index) => new Field(`c${index}`, type, true));
    // Drawn once: the file is larger than what is read of it.
    const random = new SeededRandom(1);
    const values = types.map((type) => {
      const some = Array.from({ length: 20 }, () => randomValue(random, type));
      return Array.from({ length: numRows }, () => random.pick(some));
    });
    const columns = types.map((type, index) => columnOfValues(random, type, values[index]!));
    const batch = batchOfColumns(fields, columns);
    const bytes = encodeArrow(batch.schema, [batch], { format: "file" });
    const facts = arrowFacts(bytes);
    const kinds = [
      "rows of a column",
      "nulls of a column",
      "place of a buffer",
      "length of a buffer",
    ];
    await assertSameOrRefused<Uint8Array, unknown>({
      draws: 200,
      kinds: [...kinds, ...NUMBER_CHANGES],
      mutate(random) {
        const kind = random.pick(kinds);
        const fact = random.pick(facts.filter((fact) => fact.kind === kind));
        const before = valueOfFact(bytes, fact);
        const { change, value } = changedNumber(random, before);
        return {
          input: withFact(bytes, fact, value),
          right: Array.from(
            { length: 200 },
            (_, row) => values.map((column) => column[3000 + row]),
          ),
          kinds: [kind, change],
          what: `${kind} at byte ${fact.at}, ${before} -> ${value}`,
        };
      },
      async read(bytes) {
        await Deno.writeFile(path, bytes);
        return await rowsOfRequest(readIpc(path), [rowSlice(3000, 3200)]);
      },
      refusal: /^\S+in\.arrow: /,
    });
  }));

Deno.test("what the mutants are made of is read as it was written", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const random = new SeededRandom(1);
    for (const writer of writers) {
      const { bytes, rows } = await write(random, writer);
      await Deno.writeFile(path, bytes);
      assertEquals(await rowsOf(sourceBatches(readIpc(path))), rows, writer);
    }
  }));
