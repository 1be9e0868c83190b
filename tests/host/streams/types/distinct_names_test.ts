import { assert, assertEquals, assertRejects } from "@std/assert";
import { Field, Int64, makeData, RecordBatch, Schema, Struct, vectorFromArray } from "apache-arrow";
import {
  createEngine,
  defineOperator,
  drop,
  expr,
  filter,
  fromBatches,
  join,
  read,
  rename,
  select,
  slice,
  toTable,
  write,
} from "../../../../mod.ts";
import { encodeArrow } from "../../../../streams/formats/arrow/encoder.ts";
import { numberedNames } from "../../../../streams/types/distinct_names.ts";
import type { FileEncoder } from "../../../../streams/sink/file_sink.ts";
import { openParquetEncoder } from "../../../../streams/formats/parquet/write/writer.ts";
import { inFolder } from "../../../support/files/folder.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

const engine = createEngine({ device: "cpu" });

/** Two rows; a value says in which column it is, whatever that is called. */
function batchNamed(names: readonly string[]): RecordBatch {
  const fields = names.map((name) => new Field(name, new Int64(), true));
  const children = names.map((_, place) =>
    vectorFromArray([valueAt(place, 0), valueAt(place, 1)], new Int64()).data[0]!
  );
  const data = makeData({ type: new Struct(fields), length: 2, nullCount: 0, children });
  return new RecordBatch(new Schema(fields), data);
}

function valueAt(place: number, row: number): bigint {
  return BigInt(10 * (place + 1) + row);
}

async function encoded(batch: RecordBatch, encoder: FileEncoder): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (const steps of [encoder.batch(batch), encoder.end()]) {
    for await (const step of steps) chunks.push(...step.map((chunk) => chunk.slice()));
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

const layout = { compression: "none", rowGroupRows: 1, rowGroupBytes: 1 << 20 } as const;

/** The same table as files of each format that can have columns of one name. */
const files: Readonly<Record<string, (names: readonly string[]) => Promise<Uint8Array>>> = {
  "d.csv": (names) => {
    const rows = [0, 1].map((row) => names.map((_, place) => valueAt(place, row)).join(","));
    const text = [names.join(","), ...rows, ""].join("\n");
    return Promise.resolve(new TextEncoder().encode(text));
  },
  "d.arrow": (names) => {
    const batch = batchNamed(names);
    return Promise.resolve(encodeArrow(batch.schema, [batch], { format: "file" }));
  },
  "d.arrows": (names) => {
    const batch = batchNamed(names);
    return Promise.resolve(encodeArrow(batch.schema, [batch], { format: "stream" }));
  },
  "d.parquet": async (names) => await encoded(batchNamed(names), await openParquetEncoder(layout)),
};

/** By hand: each further one gets the first number that makes a name which no column has or gets. */
function modelNames(names: readonly string[]): string[] {
  const given: string[] = [];
  for (const [place, name] of names.entries()) {
    if (!names.slice(0, place).includes(name)) given.push(name);
    else {
      const isFree = (free: string) => !names.includes(free) && !given.includes(free);
      const numbers = names.map((_, index) => index + 2).concat(names.length + 2);
      given.push(`${name}_${numbers.find((number) => isFree(`${name}_${number}`))}`);
    }
  }
  return given;
}

function drawnNames(random: SeededRandom): string[] {
  const alphabet = ["a", "a_2", "a_3", "a_2_2", "é"];
  return Array.from({ length: 1 + random.below(6) }, () => random.pick(alphabet));
}

Deno.test("numbered names are distinct, and no number is used whose name is taken", () =>
  forSeeds(2000, (random) => {
    const names = drawnNames(random);
    const numbered = numberedNames(names);
    assertEquals(numbered, modelNames(names));
    assertEquals(new Set(numbered).size, names.length);
  }));

Deno.test("columns of one name: every format refuses them with their places, or numbers them, and none mixes them up", async () => {
  const draws = new Draws([...Object.keys(files), "distinct", "the same", "a row", "a column"]);
  await forSeeds(60, async (random) => {
    const names = drawnNames(random);
    const [file, bytesOf] = random.pick(Object.entries(files));
    draws.add(file);
    await inFolder({ [file]: await bytesOf(names) }, async (folder) => {
      const path = `${folder}/${file}`;
      const second = names.findIndex((name, place) => names.indexOf(name) < place);
      draws.add(second < 0 ? "distinct" : "the same");
      if (second < 0) {
        assertEquals((await read(path, { engine }).schema()).names, names);
      } else {
        const name = names[second]!;
        const error = await assertRejects(() => toTable(read(path, { engine })));
        assertEquals(
          (error as Error).message,
          `${path}: columns ${names.indexOf(name) + 1} and ${second + 1} have the same name, ` +
            `${JSON.stringify(name)}; duplicates: "number" numbers them`,
        );
      }
      const numbered = modelNames(names);
      let stream = read(path, { engine, duplicates: "number" });
      assertEquals((await stream.schema()).names, numbered);
      let rows = [0, 1];
      if (random.chance(0.4)) {
        draws.add("a row");
        stream = stream.pipeThrough(slice(1));
        rows = [1];
      }
      let places = [...numbered.keys()];
      if (random.chance(0.5)) {
        draws.add("a column");
        places = [random.below(numbered.length)];
        stream = stream.pipeThrough(select(numbered[places[0]!]!));
      }
      assertEquals(
        (await toTable(stream)).toArray().map((row) => row.toJSON()),
        rows.map((row) =>
          Object.fromEntries(places.map((place) => [numbered[place]!, valueAt(place, row)]))
        ),
      );
    });
  }, draws);
});

const twice = batchNamed(["a", "b", "a"]);
const once = () => fromBatches(batchNamed(["a", "b"]), { engine });
const same = 'columns 1 and 3 have the same name, "a"';
const twoOfOne = defineOperator<null>({
  name: "twoOfOne",
  rows: "same",
  schema: () => twice.schema,
  open: () => ({ transform() {} }),
});

const refused: Readonly<Record<string, [() => ReadableStream<RecordBatch>, string]>> = {
  "batches in memory": [() => fromBatches(twice, { engine }), `The source memory: ${same}`],
  "a foreign stream": [
    () => fromBatches(ReadableStream.from([twice]), { engine, name: "feed" }),
    `The source feed: ${same}`,
  ],
  "a filter behind them": [
    () => fromBatches(twice, { engine }).pipeThrough(filter(expr("a > 1"))),
    `The source memory: ${same}`,
  ],
  "a step that drops them": [
    () => fromBatches(twice, { engine }).pipeThrough(drop("a")),
    `The source memory: ${same}`,
  ],
  "the build side of a join": [
    () => once().pipeThrough(join(fromBatches(twice, { engine }), { on: "a" })),
    `step 2, join: The source memory: ${same}`,
  ],
  "new names": [
    () => once().pipeThrough(rename({ a: "b" })),
    'step 2, rename: Columns 1 and 2 would have the same name, "b"',
  ],
  "an own operator": [
    () => once().pipeThrough(twoOfOne(null)),
    'step 2, twoOfOne: Columns 1 and 3 would have the same name, "a"',
  ],
};

for (const [what, [open, message]] of Object.entries(refused)) {
  Deno.test(`columns of one name are refused: ${what}`, async () => {
    const error = await assertRejects(() => toTable(open()));
    assertEquals((error as Error).message, message);
  });
}

Deno.test("no sink writes columns of one name, and none leaves a file behind", async () => {
  for (const file of ["o.csv", "o.tsv", "o.ndjson", "o.arrow", "o.arrows", "o.parquet"]) {
    await inFolder({}, async (folder) => {
      const path = `${folder}/${file}`;
      const error = await assertRejects(() => ReadableStream.from([twice]).pipeTo(write(path)));
      assertEquals((error as Error).message, `${path}: ${same}`);
      assertEquals([...Deno.readDirSync(folder)], []);
    });
  }
});

Deno.test("fields of one name stay in Arrow and Parquet, and are no keys of JSON", async () => {
  const { data } = batchNamed(["x", "y", "x"]);
  const type = new Struct(["x", "y", "x"].map((name) => new Field(name, new Int64(), true)));
  const schema = new Schema([new Field("point", type, true)]);
  const child = makeData({ type, length: 2, nullCount: 0, children: data.children });
  const nested = makeData({
    type: new Struct(schema.fields),
    length: 2,
    nullCount: 0,
    children: [child],
  });
  const batch = new RecordBatch(schema, nested);
  await inFolder({}, async (folder) => {
    for (const file of ["o.arrow", "o.parquet"]) {
      await fromBatches(batch, { engine }).pipeTo(write(`${folder}/${file}`));
      const point = (await toTable(read(`${folder}/${file}`, { engine }))).getChildAt(0)!;
      const fields = point.data[0]!.children.map(({ values }) => [...values.subarray(0, 2)]);
      assertEquals(fields, [[10n, 11n], [20n, 21n], [30n, 31n]]);
    }
    const path = `${folder}/o.ndjson`;
    const error = await assertRejects(() => fromBatches(batch, { engine }).pipeTo(write(path)));
    assertEquals(
      (error as Error).message,
      `${path}: column point: fields 1 and 3 have the same name, "x"`,
    );
    assert(![...Deno.readDirSync(folder)].some(({ name }) => name.includes("ndjson")));
  });
});
