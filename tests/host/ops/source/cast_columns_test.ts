import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  ConversionError,
  createEngine,
  type Engine,
  expr,
  FileError,
  filter,
  read,
  slice,
  StepError,
  take,
  toTable,
  withColumns,
  write,
} from "../../../../mod.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { inFolder, sluice } from "../../../support/processes/sluice.ts";

/** Columns as DuckDB makes them, of i from 0 to 499, and the types that they are given here. */
const columns: Readonly<Record<string, readonly [sql: string, type: string]>> = {
  i8: ["CAST(i % 256 - 128 AS TINYINT)", "int8"],
  i16: ["CAST(i * 131 - 32768 AS SMALLINT)", "int16"],
  i32: ["CAST(i * 8589934 - 2147483648 AS INTEGER)", "int32"],
  u8: ["CAST(i % 256 AS UTINYINT)", "uint8"],
  u16: ["CAST(i * 131 AS USMALLINT)", "uint16"],
  u32: ["CAST(i * 8589934 AS UINTEGER)", "uint32"],
  u64: ["CAST(18446744073709551615 - i AS UBIGINT)", "uint64"],
  f32: ["CAST(i / 7 AS FLOAT)", "float32"],
  day: ["DATE '1969-12-30' + CAST(i * 40 AS INTEGER)", "date"],
  clock: ["TIME '00:00:00' + INTERVAL (i * 172.000001) SECOND", "time64[us]"],
  at: ["TIMESTAMP '1969-12-31 23:59:59.5' + INTERVAL (i * 1234567.25) SECOND", "timestamp"],
  milli: ["CAST(TIMESTAMP '2001-01-01' + INTERVAL (i) HOUR AS TIMESTAMP_MS)", "timestamp[ms]"],
  zoned: ["TIMESTAMPTZ '2001-01-01 00:00:00+00' + INTERVAL (i) HOUR", "timestamp[us, UTC]"],
};

const query = `SELECT i, ${
  Object.entries(columns).map(([name, [sql]], index) =>
    `CASE WHEN i % ${index + 3} = 1 THEN NULL ELSE ${sql} END AS ${name}`
  ).join(", ")
} FROM range(500) t(i)`;
const types = Object.fromEntries(Object.entries(columns).map(([name, [, type]]) => [name, type]));

for (const suffix of ["csv", "ndjson"]) {
  Deno.test(`types that are given to ${suffix} of DuckDB give the values that it wrote`, () =>
    inFolder({}, async (folder) => {
      const [path, copy] = [`${folder}/in.${suffix}`, `${folder}/out.parquet`];
      const options = suffix === "csv" ? "(HEADER)" : "(FORMAT JSON)";
      await queryDuckDb(`COPY (${query}) TO '${path}' ${options}`);
      await read(path, { types }).pipeTo(write(copy));
      for (
        const [left, right] of [[`(${query})`, `'${copy}'`], [`'${copy}'`, `(${query})`]] as const
      ) {
        const [odd] = await queryDuckDb(
          `SELECT count(*) AS n FROM (SELECT * FROM ${left} EXCEPT ALL SELECT * FROM ${right})`,
        );
        assertEquals(odd!.n, 0n);
      }
      const { schema } = await toTable(read(path, { types }));
      const given = (name: string) =>
        String(schema.fields.find((field) => field.name === name)!.type);
      assertEquals(given("f32"), "Float32");
      assertEquals(given("milli"), "Timestamp<MILLISECOND>");
    }));
}

Deno.test("timestamps of ISO 8601 are read with and without an offset, in a zone or none", () =>
  inFolder({
    "a.csv": 'at\n2024-07-01T12:00:00.000Z\n2024-07-01 12:00:00\n2024-07-01T12:00+02:00\n""\n\n',
    "a.ndjson": '{"at":"2024-07-01T12:00:00.000Z"}\n{"at":"2024-07-01 12:00:00"}\n' +
      '{"at":"2024-07-01T12:00+02:00"}\n{"at":null}\n{"at":null}\n',
  }, async (folder) => {
    const noon = Date.UTC(2024, 6, 1, 12);
    const hours = 3_600_000;
    for (const name of ["a.csv", "a.ndjson"]) {
      const values = async (type: string) => {
        const table = await toTable(read(`${folder}/${name}`, { types: { at: type } }));
        return table.toArray().map(({ at }) => at);
      };
      assertEquals(await values("timestamp"), [noon, noon, noon - 2 * hours, null, null]);
      const zoned = [noon, noon - 2 * hours, noon - 2 * hours, null, null];
      assertEquals(await values("timestamp[ms, Europe/Zurich]"), zoned);
    }
  }));

Deno.test("a text that has not the given type is refused with column and row, where it is read", () =>
  inFolder({ "a.csv": "id,at\n1,2024-01-01\n2,2015/01/01 01:00:00\n" }, async (folder) => {
    const given = { types: { at: "timestamp[us]" } };
    const all = () => toTable(read(`${folder}/a.csv`, given));
    const problem = 'a.csv: row 1, column at: "2015/01/01 01:00:00" is not a valid timestamp[us]';
    await assertRejects(all, FileError, problem);
    const error = await all().catch((error) => error);
    assertEquals([error.row, error.column, error.file], [1, "at", `${folder}/a.csv`]);
    assertEquals(error.cause instanceof ConversionError, true);
    const some = await toTable(read(`${folder}/a.csv`, { ...given, columns: ["id"] }));
    assertEquals(some.numRows, 2);
    const unknown = () => toTable(read(`${folder}/a.csv`, { types: { at: "timestam" } }));
    await assertRejects(unknown, Error, "type timestam of column at is none of");
  }));

Deno.test("--types takes the names of cast, also with a comma in them", () =>
  inFolder({
    "a.csv": "id,at,n\n1,2024-07-01 12:00:00,7\n",
    "b.csv": "id,then\n1,2024-07-01\n",
  }, async (cwd) => {
    const given = ["--types", "at=timestamp[s, Europe/Zurich],n=uint8"];
    const schema = await sluice(["read", "a.csv", ...given, "then", "schema"], { cwd });
    assertEquals([schema.status, schema.err], [0, ""]);
    assert(/^at +timestamp\[s, Europe\/Zurich\]/m.test(schema.out), schema.out);
    assert(/^n +uint8/m.test(schema.out), schema.out);
    const joined = ["join", "b.csv", "--on", "id", "--types", "then=timestamp[ms]"];
    const rows = await sluice(
      ["read", "a.csv", "then", ...joined, "then", "write", "-", "--format", "csv"],
      { cwd },
    );
    assertEquals(rows.out, "id,at,n,then\n1,2024-07-01 12:00:00,7,2024-07-01T00:00:00.000\n");
    const wrong = await sluice(["read", "a.csv", "--types", "n=int9", "then", "count"], { cwd });
    assertEquals([wrong.status, wrong.out], [2, ""]);
    const late = await sluice(["read", "a.csv", "--types", "at=int8", "then", "show"], { cwd });
    assertEquals(late.status, 1);
    assert(
      /step 1, read: .*: row 0, column at: "2024-07-01 12:00:00" is not a valid int8\n/.test(
        late.err,
      ),
    );
  }));

/** Files of which the second has a value of column `c` that no uint8 is, in row 2. */
const odd = {
  "a.csv": "c,d\n1,x\n2,y\n",
  "b.csv": 'd,c\nx,1\n"y\nz",2\ny,256\nx,255\n',
  "a.ndjson": '{"c":1,"d":"x"}\n{"c":2,"d":"y"}\n',
  "b.ndjson": '{"d":"x","c":1}\n{"d":"y","c":2}\n{"d":"y","c":256}\n{"d":"x","c":255}\n',
};

for (const suffix of ["csv", "ndjson"]) {
  Deno.test(`a value of ${suffix} that has not the given type is told with its file and its row there`, () =>
    inFolder(odd, async (folder) => {
      const [a, b] = [`${folder}/a.${suffix}`, `${folder}/b.${suffix}`] as const;
      const of = (files: readonly string[], engine: Engine) =>
        read(files, { types: { c: "uint8" }, engine });
      const problem = new RegExp(`/b\\.${suffix}: row 2, column c: "256" is not a valid uint8$`);
      for (const fuse of [true, false]) {
        const engine = createEngine({ device: "cpu", fuse });
        const all = [
          of([b], engine),
          of([a, b], engine),
          of([a, b, a], engine).pipeThrough(filter(expr('d == "x"'))),
          of([a, b], engine).pipeThrough(slice(4, 5)),
          of([a, b], engine).pipeThrough(take([5, 4])),
        ];
        for (const stream of all) {
          const error = await assertRejects(() => toTable(stream), FileError);
          assert(problem.test(error.message), error.message);
          assertEquals([error.file, error.row, error.column], [b, 2, "c"]);
        }
      }
      const words = ["read", a, b, "--types", "c=uint8", "then", "write", `${folder}/out.arrow`];
      const { status, err } = await sluice(words);
      assertEquals(status, 1);
      assert(
        err.startsWith("sluice: error: step 1, read: ") &&
          err.trimEnd().endsWith(`b.${suffix}: row 2, column c: "256" is not a valid uint8`),
        err,
      );
    }));
}

Deno.test("what is a part of reading counts as no step of the user", () =>
  inFolder(odd, async (folder) => {
    const strict = withColumns({ e: expr("d.toInteger({ strict: true })") });
    const stream = read(`${folder}/a.csv`, { columns: ["c", "d"], types: { c: "uint8" } })
      .pipeThrough(slice(1)).pipeThrough(strict);
    assert((await stream.explain()).includes("written: read > slice > withColumns\n"));
    const error = await assertRejects(() => toTable(stream), StepError);
    assertEquals(error.message, 'step 3, withColumns: toInteger(d) refuses "y" (row 0)');
  }));

Deno.test("the types that the error of another one lists are taken", () =>
  inFolder({ "a.csv": "c\n", "a.ndjson": '{"c":null}\n' }, async (folder) => {
    for (const suffix of ["csv", "ndjson"]) {
      const of = (type: string) => read(`${folder}/a.${suffix}`, { types: { c: type } }).schema();
      const { message } = await assertRejects(() => of("jsonb"), FileError);
      const [, list = ""] = /type jsonb of column c is none of (.*); units are/.exec(message) ?? [];
      const ranges = list.replace("int8 to int32", "int8, int16, int32")
        .replace("uint8 to uint64", "uint8, uint16, uint32, uint64").replace("<...>", "<int64>");
      const types = ranges.split(/, (?!UTC|2\))/);
      assertEquals(types.length > 20, true, ranges);
      for (const type of types) assertEquals((await of(type)).fields.length, 1, type);
    }
  }));
