import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Dictionary,
  Field,
  Int32,
  makeData,
  type RecordBatch,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { encodeArrow } from "../../../../../streams/formats/arrow/arrow.ts";
import { readIpc } from "../../../../support/files/ipc.ts";
import type { ProbeEstimate } from "../../../../../streams/rows/chunk_lengths.ts";
import { MissingRowError } from "../../../../../base/errors/step_error.ts";
import type { RowRequest } from "../../../../../streams/rows/row_request.ts";
import { rowSlice } from "../../../../../streams/rows/row_slice.ts";
import type { OpenOptions, Source } from "../../../../../streams/plan/source.ts";
import { batchOfColumns } from "../../../../support/values/arrow_columns.ts";
import { withFooter } from "../../../../support/files/arrow_footers.ts";
import { randomRequest, requestKinds } from "../../../../support/files/row_requests.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import {
  allTypesBatch,
  batchOf,
  inFolder,
  rowsOf,
} from "../../../../support/values/streams_samples.ts";

/** The rows that a source gives for a request, and the rows of the source as which it gives them. */
async function readRows(source: Source, request: RowRequest, options: OpenOptions = {}) {
  const rows: Record<string, unknown>[] = [];
  const places: number[] = [];
  for await (const { batch, runs, firstRow } of source.rows(request, options)) {
    const all = rowsOf([batch]);
    for (const { start, step, count } of runs ?? [{ start: 0, step: 1, count: all.length }]) {
      for (let index = 0; index < count; index++) {
        rows.push(all[start + step * index]!);
        places.push(firstRow + start + step * index);
      }
    }
  }
  return { rows, places };
}

const names = ["Limmat", "Aare", null, "Rhône", "", "Ticino", "Große Emme", "Doubs"];

/** A batch of rivers of which a column has a dictionary: `words`, and each time the same object. */
function riverBatch(first: number, length: number, words: ReturnType<typeof wordsOf>): RecordBatch {
  const rows = Array.from({ length }, (_, index) => first + index);
  const plain = batchOf({
    id: [new Int32(), rows],
    name: [new Utf8(), rows.map((row) => names[row % names.length]!)],
  });
  const type = new Dictionary(new Utf8(), new Int32(), 3);
  const data = Int32Array.from(rows, (row) => row % words.length);
  const coded = makeData({ type, length, data, dictionary: words });
  const fields = [...plain.schema.fields, new Field("basin", type, true)];
  return batchOfColumns(fields, [...plain.data.children, coded]);
}

function wordsOf(words: readonly string[]) {
  return vectorFromArray(words as string[], new Utf8());
}

/** Dictionaries from batch to batch: the same, a longer one, and in a stream another one. */
function* dictionaries(random: SeededRandom, isStream: boolean) {
  let words = ["Rhein", "Rhône", "Po"];
  let vector = wordsOf(words);
  for (let batch = 0;; batch++) {
    yield vector;
    if (random.chance(0.5)) continue;
    words = !isStream || random.chance(0.5)
      ? [...words, `Inn ${batch}`]
      : [`Adda ${batch}`, "Donau"];
    vector = wordsOf(words);
  }
}

const formats = ["own file", "foreign file", "stream"] as const;

Deno.test("rows() gives the rows of an array for every request, in files and streams", () =>
  inFolder(async (folder) => {
    const draws = new Draws([...formats, ...requestKinds, "joined", "from the end"]);
    await forSeeds(150, async (random) => {
      const format = random.pick(formats);
      draws.add(format);
      const words = dictionaries(random, format === "stream");
      const batches: RecordBatch[] = [];
      const lengths = Array.from({ length: random.below(9) }, () => random.pick([0, 1, 3, 10, 40]));
      let numRows = 0;
      for (const length of [2, ...lengths]) {
        batches.push(riverBatch(numRows, length, words.next().value!));
        numRows += length;
      }
      const bytes = encodeArrow(batches[0]!.schema, batches, {
        format: format === "stream" ? "stream" : "file",
      });
      const path = `${folder}/rivers.arrow`;
      await Deno.writeFile(path, format === "foreign file" ? withFooter(bytes) : bytes);
      const all = rowsOf(batches);
      const source = readIpc(path);
      for (let round = 0; round < 6; round++) {
        const { request, rows, text } = randomRequest(random, numRows, draws);
        const isJoined = random.chance(0.5);
        if (isJoined) draws.add("joined");
        const together = { rows: 65_536, bytes: 1 << 24 };
        const columns = random.pick([undefined, ["id"], ["id", "basin"], ["name"]]);
        const given = await readRows(source, request, {
          ...(isJoined && { together }),
          ...(columns && { columns }),
        });
        const expected = rows.map((row) =>
          columns === undefined
            ? all[row]
            : Object.fromEntries(columns.map((column) => [column, all[row]![column]]))
        );
        assertEquals(given.rows, expected, `${text} of ${numRows} rows in ${batches.length}`);
        if (given.places.some((place) => place < 0)) draws.add("from the end");
        const places = given.places.map((place) => place < 0 ? place + numRows : place);
        assertEquals(places, rows, text);
      }
    }, draws);
  }));

Deno.test("rows() gives rows of every type, compressed or not", () =>
  inFolder(async (folder) => {
    const batches = [40, 0, 25, 7].map(allTypesBatch);
    const all = rowsOf(batches);
    await forSeeds(6, async (random) => {
      const path = `${folder}/types.arrow`;
      const format = random.pick(["file", "stream"] as const);
      await Deno.writeFile(path, encodeArrow(batches[0]!.schema, batches, { format }));
      const source = readIpc(path);
      for (let round = 0; round < 5; round++) {
        const { request, rows, text } = randomRequest(random, all.length);
        const given = await readRows(source, request);
        assertEquals(given.rows, rows.map((row) => all[row]), text);
      }
    });
  }));

Deno.test("rows() says which row of how many is missing, and reads no body for it", () =>
  inFolder(async (folder) => {
    const words = wordsOf(["Po"]);
    const batches = [riverBatch(0, 3, words), riverBatch(3, 2, words)];
    for (const format of ["file", "stream"] as const) {
      const path = `${folder}/rivers.${format}`;
      await Deno.writeFile(path, encodeArrow(batches[0]!.schema, batches, { format }));
      for (const row of [5, -6, 100]) {
        await assertRejects(
          () => readRows(readIpc(path), [{ kind: "list", parts: [row] }]),
          MissingRowError,
          `There is no row ${row}: the input has 5 rows`,
        );
      }
    }
  }));

Deno.test("describeRows() counts the batches that a request reads", () =>
  inFolder(async (folder) => {
    const words = wordsOf(["Po"]);
    const batches = [0, 10, 20].map((first) => riverBatch(first, 10, words));
    const requests: readonly (readonly [RowRequest, string])[] = [
      [[rowSlice(-5)], "1 of 3 batches"],
      [[rowSlice(9, 11)], "2 of 3 batches"],
      [[rowSlice(null, null, -1)], "3 of 3 batches"],
      [[{ kind: "list", parts: [0, 29, 5] }], "2 of 3 batches"],
      [[rowSlice(5, 5)], "0 of 3 batches"],
      [[rowSlice(null, null, 7), rowSlice(-1, null)], "1 of 3 batches"],
    ];
    for (const format of ["file", "stream"] as const) {
      const path = `${folder}/rivers.${format}`;
      await Deno.writeFile(path, encodeArrow(batches[0]!.schema, batches, { format }));
      for (const [request, expected] of requests) {
        assertEquals(await readIpc(path).describeRows?.(request), expected);
      }
    }
  }));

Deno.test("a stream is walked once for its last rows, and not at all for its first", () =>
  inFolder(async (folder) => {
    const words = wordsOf(["Po"]);
    const batches = Array.from({ length: 50 }, (_, at) => riverBatch(at * 2000, 2000, words));
    const bytes = encodeArrow(batches[0]!.schema, batches);
    const path = `${folder}/rivers.arrows`;
    await Deno.writeFile(path, bytes);
    const batchBytes = bytes.length / 50;
    const source = readIpc(path);
    const cost = async (request: RowRequest) => {
      const before = source.bytesRead;
      await readRows(source, request);
      return (source.bytesRead - before) / batchBytes;
    };
    assert(await cost([rowSlice(0, 10)]) < 2);
    const first = await cost([rowSlice(-10)]);
    const second = await cost([rowSlice(-10)]);
    assert(first < 1000 && second < 2 && second <= first, `${first} and then ${second} batches`);
  }));

Deno.test("a long walk of headers is told once, of files of others and of streams", () =>
  inFolder(async (folder) => {
    const words = wordsOf(["Po"]);
    const batches = Array.from({ length: 600 }, (_, at) => riverBatch(at * 2, 2, words));
    const { schema } = batches[0]!;
    for (const format of ["file", "stream"] as const) {
      const path = `${folder}/rivers.${format}`;
      const bytes = encodeArrow(schema, batches, { format });
      await Deno.writeFile(path, format === "file" ? withFooter(bytes) : bytes);
      const told: number[] = [];
      const onProbe = ({ chunks, isStream = false }: ProbeEstimate) => {
        told.push(chunks);
        assertEquals(isStream, format === "stream");
      };
      using _ = slowClock();
      const source = readIpc(path);
      assertEquals(await source.numRows({ onProbe }), 1200);
      await readRows(source, [rowSlice(-5)], { onProbe });
      assertEquals(told.length, 1);
      assert(told[0]! > 100 && told[0]! < 600, `${told[0]} of 600 headers`);
    }
  }));

/** Lets each look at the clock be ten seconds after the one before. */
function slowClock(): Disposable {
  const { now } = performance;
  let time = 0;
  performance.now = () => time += 10_000;
  return { [Symbol.dispose]: () => void (performance.now = now) };
}
