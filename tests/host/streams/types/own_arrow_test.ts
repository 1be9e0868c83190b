// deno-lint-ignore-file no-import-prefix no-explicit-any -- other versions, each by its number
import { assert, assertEquals, assertRejects } from "@std/assert";
import * as ours from "apache-arrow";
import * as v17 from "npm:apache-arrow@17.0.0";
import * as v21 from "npm:apache-arrow@21.1.0";
import {
  createEngine,
  defineOperator,
  expr,
  fromBatches,
  join,
  read,
  RecordBatch,
  regroup,
  Schema,
  Table,
  toTable,
  withColumns,
  write,
} from "../../../../mod.ts";
import { inFolder } from "../../../support/processes/sluice.ts";

const copies: Readonly<Record<string, any>> = { "17.0.0": v17, "21.1.0": v21 };
const engine = createEngine({ device: "cpu" });

/** Real names, nulls and all the kinds of types that the version has, three rows of them. */
function tableOf(arrow: any): any {
  const {
    Bool,
    DateDay,
    DateMillisecond,
    Decimal,
    Dictionary,
    Field,
    FixedSizeBinary,
    FixedSizeList,
    Float32,
    Int32,
    Int64,
    IntervalYearMonth,
    List,
    Struct,
    TimestampMicrosecond,
    TimeSecond,
    Uint8,
    Utf8,
    LargeUtf8,
    vectorFromArray,
  } = arrow;
  const of = (values: readonly unknown[], type: any) => vectorFromArray(values, type);
  const inner = new Struct([new Field("x", new Int32(), true), new Field("y", new Utf8(), true)]);
  return new arrow.Table({
    city: of(["São Paulo", null, "Żory 🏙"], new Utf8()),
    large: of(["a", "", null], new LargeUtf8()),
    kind: of(["b", "a", "b"], new Dictionary(new Utf8(), new Int32())),
    int: of([1, null, -3], new Int32()),
    byte: of([1, 2, 255], new Uint8()),
    long: of([2n ** 62n, null, -1n], new Int64()),
    float: of([0.5, null, -1.25], new Float32()),
    flag: of([true, false, null], new Bool()),
    day: of([new Date("1999-12-31"), null, new Date(0)], new DateDay()),
    moment: of([new Date("1999-12-31T10:00:00Z"), null, new Date(0)], new DateMillisecond()),
    stamp: of([1e12, null, 0], new TimestampMicrosecond("UTC")),
    clock: of([1, null, 86_399], new TimeSecond()),
    months: of([Int32Array.of(1, 2), null, Int32Array.of(0, 1)], new IntervalYearMonth()),
    money: of([Uint32Array.of(5, 0, 0, 0), null, Uint32Array.of(7, 0, 0, 0)], new Decimal(2, 5)),
    blob: of([Uint8Array.of(1, 2), null, Uint8Array.of(3, 4)], new FixedSizeBinary(2)),
    list: of([[1, 2], null, []], new List(new Field("item", new Int32(), true))),
    pair: of([[1, 2], null, [3, 4]], new FixedSizeList(2, new Field("item", new Int32(), true))),
    struct: of([{ x: 1, y: "a" }, null, { x: null, y: "é" }], inner),
  });
}

/** The rows as text, which is the same in all versions. */
function rowsOf(table: any): string {
  const plain = (_: string, value: unknown) =>
    typeof value === "bigint"
      ? `${value}n`
      : ArrayBuffer.isView(value)
      ? [...value as any].map(String)
      : value;
  return JSON.stringify(table.toArray().map((row: any) => row.toJSON()), plain);
}

for (const [version, arrow] of Object.entries(copies)) {
  const foreign = tableOf(arrow);
  const own = tableOf(ours);

  Deno.test(`a table of apache-arrow ${version} comes through with every type and no copy`, async () => {
    assert(!(foreign instanceof Table));
    const table = await toTable(fromBatches(foreign, { engine }));
    assert(table instanceof Table && table.batches[0] instanceof RecordBatch);
    assertEquals(rowsOf(table), rowsOf(await toTable(fromBatches(own, { engine }))));
    const [batch] = await Array.fromAsync(fromBatches(foreign, { engine }));
    const bytes = (data: any) => data.children[3].values.buffer;
    assert(bytes(batch!.data) === bytes(foreign.batches[0].data));
  });

  Deno.test(`batches, arrays, iterables and streams of apache-arrow ${version} are taken`, async () => {
    const [batch] = foreign.batches;
    async function* later() {
      yield batch;
      yield await Promise.resolve(batch);
    }
    const given: readonly (readonly [any, number])[] = [
      [batch, 3],
      [[batch, batch], 6],
      [new Set([batch]), 3],
      [later(), 6],
      [ReadableStream.from([batch]), 3],
    ];
    for (const [batches, numRows] of given) {
      const name = expr("city.upper() + kind");
      const table = await toTable(
        fromBatches(batches, { engine }).pipeThrough(withColumns({ name })),
      );
      assert(table.batches[0] instanceof RecordBatch);
      assertEquals(table.numRows, numRows);
      assertEquals(table.getChild("name")!.toArray().slice(0, 3), [
        "SÃO PAULOb",
        null,
        "ŻORY 🏙b",
      ]);
    }
    const empty = fromBatches([], { engine, schema: foreign.schema });
    const { schema } = await toTable(empty);
    assert(schema instanceof Schema);
    assertEquals(schema.names, own.schema.names);
    assertEquals((await toTable(ReadableStream.from([batch, batch]) as any)).numRows, 6);
  });

  Deno.test(`a join of tables of apache-arrow ${version} and of ours gives rows of both`, async () => {
    const build = new ours.Table({
      city: ours.vectorFromArray(["Żory 🏙", "São Paulo"], new ours.Utf8()),
      land: ours.vectorFromArray(["Polska", "Brasil"], new ours.Utf8()),
    });
    const lands = async (probe: any, build: any) => {
      const table = await toTable(
        fromBatches(probe, { engine }).pipeThrough(
          join(fromBatches(build, { engine }), { on: "city" }),
        ),
      );
      return table.getChild("land")!.toArray();
    };
    assertEquals(await lands(foreign.select(["city", "int"]), build), ["Brasil", "Polska"]);
    const foreignBuild = new arrow.Table({
      city: arrow.vectorFromArray(["Żory 🏙", "São Paulo"], new arrow.Utf8()),
      land: arrow.vectorFromArray(["Polska", "Brasil"], new arrow.Utf8()),
    });
    assertEquals(await lands(own.select(["city", "int"]), foreignBuild), ["Brasil", "Polska"]);
  });

  Deno.test(`a foreign transform that hands on batches of apache-arrow ${version} is no seam`, async () => {
    const copied = new TransformStream<RecordBatch, RecordBatch>({
      transform(batch, controller) {
        // What a program with two copies does: our bytes, their classes.
        const bytes = ours.tableToIPC(new ours.Table([batch]));
        for (const theirs of arrow.tableFromIPC(bytes).batches) controller.enqueue(theirs);
      },
    });
    const table = await toTable(
      fromBatches(own.select(["city", "kind", "long"]), { engine })
        .pipeThrough(withColumns({ low: expr("city.lower()") }))
        .pipeThrough(copied)
        .pipeThrough(regroup({ rows: 2 }))
        .pipeThrough(withColumns({ loud: expr("low.upper() + kind") })),
    );
    assertEquals(table.getChild("loud")!.toArray(), ["SÃO PAULOb", null, "ŻORY 🏙b"]);
    assertEquals(table.getChild("long")!.toArray()[0], 2n ** 62n);
  });

  Deno.test(`every format is written from batches of apache-arrow ${version}`, () =>
    inFolder({}, async (folder) => {
      const columns = ["city", "kind", "int", "long", "float", "flag", "stamp"];
      for (const format of ["arrow", "parquet", "csv", "ndjson"]) {
        const file = `${folder}/a.${format}`;
        const theirs: any = ReadableStream.from(foreign.select(columns).batches);
        await theirs.pipeTo(write(file));
        const { numRows, schema } = await toTable(read(file, { engine }));
        assertEquals([format, numRows, schema.names], [format, 3, columns]);
      }
    }));

  Deno.test(`an operator may promise a schema of apache-arrow ${version}`, async () => {
    const same = defineOperator({
      name: "same",
      rows: "same",
      schema: (input) => new arrow.Schema(input.fields.map(theirField)) as any,
      open: () => ({ transform: (batch, controller) => controller.enqueue(batch) }),
    });
    const theirField = ({ name, nullable }: any) =>
      new arrow.Field(name, new arrow.Utf8(), nullable);
    const cities = own.select(["city"]);
    const table = await toTable(fromBatches(cities, { engine }).pipeThrough(same({})));
    assertEquals(table.numRows, 3);
  });
}

Deno.test("what is no batch is refused by a sink, which says what it was, and leaves no file", () =>
  inFolder({}, async (folder) => {
    for (const format of ["arrow", "parquet", "csv", "ndjson"]) {
      const writer = write(`${folder}/a.${format}`).getWriter();
      writer.closed.catch(() => {});
      await assertRejects(
        () => writer.write({} as any),
        Error,
        `a.${format}: write() takes record batches, not a plain object; tableFromArrays() makes`,
      );
    }
    assertEquals([...Deno.readDirSync(folder)], []);
  }));
