import { assertEquals, assertRejects } from "@std/assert";
import { Field, makeData, RecordBatch, Schema, Struct, Utf8 } from "apache-arrow";
import {
  col,
  createEngine,
  expr,
  FileError,
  filter,
  fromBatches,
  type Operator,
  read,
  regroup,
  slice,
  take,
  toTable,
  withColumns,
  write,
} from "../../../../mod.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { inFolder } from "../../../support/values/streams_samples.ts";

const engine = createEngine({ device: "cpu", threads: 1 });
const schema = new Schema([new Field("city", new Utf8(), true)]);

/** Rows of text, of which one is the byte 0xff. */
function citiesBatch(cities: readonly string[], broken: number): RecordBatch {
  const texts = cities.map((city, row) =>
    row === broken ? Uint8Array.of(0xff) : new TextEncoder().encode(city)
  );
  const valueOffsets = new Int32Array(cities.length + 1);
  for (const [row, text] of texts.entries()) {
    valueOffsets[row + 1] = valueOffsets[row]! + text.length;
  }
  const data = new Uint8Array(valueOffsets.at(-1)!);
  for (const [row, text] of texts.entries()) data.set(text, valueOffsets[row]);
  const city = makeData({
    type: new Utf8(),
    length: cities.length,
    nullCount: 0,
    valueOffsets,
    data,
  });
  const struct = new Struct(schema.fields);
  const rows = makeData({ type: struct, length: cities.length, nullCount: 0, children: [city] });
  return new RecordBatch(schema, rows);
}

function randomPick(random: SeededRandom, numRows: number): Operator {
  const step = random.pick([1, 3, -1, -2]);
  const rows = Array.from({ length: 12 }, () => random.below(2 * numRows) - numRows);
  return random.pick([
    () => slice(null, null, step, { hold: true }),
    () => slice(-random.below(numRows) - 1),
    () => take(rows),
    () => take([rows[0]!, { start: 3 }, rows[1]!], { hold: true }),
  ])();
}

const places = ["memory", "stream", "arrow", "arrows"];
const draws = new Draws(
  places.flatMap((from) => [`an error from ${from}`, `no error from ${from}`]),
);

Deno.test("an error in text names the row of the source, however the rows were picked", () =>
  inFolder((folder) =>
    forSeeds(150, async (random) => {
      const numRows = 10 + random.below(20);
      const broken = random.below(numRows);
      const cities = Array.from(
        { length: numRows },
        () => random.pick(["Łódź", "", "Oslo", "東京"]),
      );
      const whole = citiesBatch(cities, broken);
      const cuts = [0, random.below(numRows), random.below(numRows), numRows].toSorted((a, b) =>
        a - b
      );
      const batches = cuts.slice(1).map((stop, index) => whole.slice(cuts[index]!, stop));
      const from = random.pick(places);
      const path = `${folder}/in.${from}`;
      if (from.startsWith("arrow")) await fromBatches(batches).pipeTo(write(path));
      const picks = [randomPick(random, numRows), slice(1)].slice(0, 1 + random.below(2));
      const stream = from === "memory"
        ? fromBatches(batches, { engine })
        : from === "stream"
        ? fromBatches(ReadableStream.from(batches), { engine })
        : read(path, { engine });
      const picked = picks.reduce((stream, pick) => stream.pipeThrough(pick), stream);
      const upper = picked.pipeThrough(withColumns({ loud: col("city").upper() }));
      const error = await toTable(upper).then(() => undefined, (error: unknown) => error);
      if (error === undefined) return draws.add(`no error from ${from}`);
      if (!(error instanceof FileError)) throw error;
      draws.add(`an error from ${from}`);
      const row = error.row! < 0 ? error.row! + numRows : error.row;
      assertEquals([row, error.column], [broken, "city"], from);
    }, draws)
  ));

Deno.test("a row that was picked backwards, by a list or behind a filter is that of the source", async () => {
  const cities = ["Rome", "Oslo", "", "Bonn", "Bern", "Łódź", "", "Paris"];
  const picks: readonly [string, () => readonly Operator[]][] = [
    ["backwards", () => [slice(null, null, -1)]],
    ["every third backwards", () => [slice(null, 1, -3)]],
    ["list", () => [take([6, 4, 0, 4])]],
    ["list from the end", () => [take([-1, -4, -2])]],
    ["list of both ends", () => [take([-1, 4, 0])]],
    ["list behind a slice", () => [slice(2), take([5, 2, 4])]],
    ["slice of a list", () => [take([5, 4, 1]), slice(1)]],
    ["joined", () => [slice(1), regroup({ rows: 5 })]],
    ["behind a filter", () => [filter(expr("1 < 2")), slice(null, null, -1, { hold: true })]],
  ];
  for (const [what, pick] of picks) {
    const broken = 4;
    for (const sizes of [[8], [3, 5], [1, 1, 1, 1, 1, 1, 1, 1]]) {
      const whole = citiesBatch(cities, broken);
      let start = 0;
      const batches = sizes.map((size) => whole.slice(start, start += size));
      const stream = pick().reduce(
        (stream, operator) => stream.pipeThrough(operator),
        fromBatches(batches, { engine }),
      );
      const upper = stream.pipeThrough(withColumns({ loud: col("city").upper() }));
      const error = await assertRejects(() => toTable(upper), FileError);
      const row = error.row! < 0 ? error.row! + cities.length : error.row;
      assertEquals([row, error.column], [broken, "city"], `${what}, ${sizes}`);
    }
  }
});
