import { assertEquals, assertRejects } from "@std/assert";
import { expr, FileError, filter, read, slice, toTable, write } from "../../../../mod.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { inFolder, readAll, rowsOf } from "../../../support/values/streams_samples.ts";
import { openSource } from "../../../../streams/files/read.ts";
import { fewOr } from "../../../support/random/test_size.ts";

type Row = Readonly<Record<string, unknown>>;

function shuffled<T>(random: SeededRandom, items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0]!);
}

const suffixes = ["csv", "tsv", "ndjson", "arrow", "parquet"] as const;
const names = ["id", "word", "part", "flag"];

function someRow(random: SeededRandom, id: number): Row {
  const word = random.pick(["x", "é€𝄞", "two words"]);
  return { id: BigInt(id), word, part: random.below(100) + 0.5, flag: random.chance(0.5) };
}

async function writeRows(path: string, order: readonly string[], rows: readonly Row[]) {
  const text = path.replace(/\.\w+$/, ".part.ndjson");
  const value = (of: unknown) => typeof of === "bigint" ? String(of) : JSON.stringify(of);
  const line = (row: Row) => `{${order.map((name) => `"${name}":${value(row[name])}`).join()}}\n`;
  await Deno.writeTextFile(text, rows.map(line).join(""));
  await read(text).pipeTo(write(path));
}

Deno.test("files of one set of columns in any order are one, in the order of the first, in every format", () =>
  inFolder(async (folder) => {
    const draws = new Draws([...suffixes, "another order", "mixed formats"]);
    await forSeeds(fewOr(12, 30), async (random) => {
      const all: Row[] = [];
      const paths: string[] = [];
      const orders: string[][] = [];
      const own = random.chance(0.5) ? random.pick(suffixes) : undefined;
      for (let file = 0; file < 2 + random.below(2); file++) {
        const suffix = own ?? random.pick(suffixes);
        const order = shuffled(random, names);
        const rows = Array.from(
          { length: 1 + random.below(4) },
          (_, i) => someRow(random, all.length + i),
        );
        const path = `${folder}/f${file}.${suffix}`;
        await writeRows(path, order, rows);
        all.push(...rows);
        paths.push(path);
        orders.push(order);
        draws.add(suffix);
      }
      if (orders.some((order) => String(order) !== String(orders[0]))) draws.add("another order");
      if (new Set(paths.map((path) => path.replace(/.*\./, ""))).size > 1) {
        draws.add("mixed formats");
      }
      const inOrder = (row: Row) => orders[0]!.map((name) => [name, row[name]]);
      const table = await toTable(read(paths));
      assertEquals(table.toArray().map((row) => Object.entries(row.toJSON())), all.map(inOrder));
      const [start, columns] = [random.below(all.length), shuffled(random, names).slice(0, 2)];
      const some = await toTable(read(paths, { columns }).pipeThrough(slice(start, undefined, 1)));
      assertEquals(
        some.toArray().map((row) => row.toJSON()),
        all.slice(start).map((row) => Object.fromEntries(columns.map((name) => [name, row[name]]))),
      );
      const flagged = await toTable(read(paths).pipeThrough(filter(expr("flag"))));
      assertEquals(flagged.numRows, all.filter(({ flag }) => flag).length);
    }, draws);
  }));

Deno.test("an error of types that differ between files names a type that fits both", () =>
  inFolder(async (folder) => {
    const cases = [
      [
        "csv",
        "a,b\n1,x\n",
        "b,a\ny,1.5\n",
        "column a is float64, but int64 is expected",
        "float64",
      ],
      ["csv", "a\n1\n", "a\nx\n", "column a is utf8, but int64 is expected", "string"],
      [
        "ndjson",
        '{"a":1}\n',
        '{"a":0.5}\n',
        "column a is float64, but int64 is expected",
        "float64",
      ],
      ["ndjson", '{"a":1}\n', '{"a":"x"}\n', "column a is utf8, but int64 is expected", "json"],
    ] as const;
    for (const [suffix, first, second, says, type] of cases) {
      const paths = [`${folder}/1.${suffix}`, `${folder}/2.${suffix}`] as const;
      await Deno.writeTextFile(paths[0], first);
      await Deno.writeTextFile(paths[1], second);
      const error = await assertRejects(() => openSource(paths).schema(), FileError);
      assertEquals(
        error.message,
        `${paths[1]}: ${says}; give its type: { types: { a: "${type}" } }`,
      );
      assertEquals(error.column, "a");
      const rows = rowsOf(await readAll(openSource(paths, { types: { a: type } as never })));
      assertEquals(rows.length, 2);
    }
    await Deno.writeTextFile(`${folder}/3.csv`, "a,c\n1,x\n");
    await assertRejects(
      async () => await openSource([`${folder}/1.csv`, `${folder}/3.csv`]).schema(),
      FileError,
      "3.csv: columns are a, c, but a are expected",
    );
  }));

Deno.test("a column without any value has the type that other files give it", () =>
  inFolder(async (folder) => {
    const cases = {
      csv: {
        none: "a,b,c,d,e\n",
        nulls: "b,a,c,e,d\n,,,,x\n,,,,y\n",
        values: "a,b,c,d,e\n1,0.5,true,z,2024-01-01\n",
        type: "a Int64, b Float64, c Bool, d Utf8, e Date32<DAY>",
      },
      ndjson: {
        none: "",
        nulls: '{"b":null,"a":null,"c":null,"e":null,"d":"x"}\n',
        values: '{"a":1,"b":0.5,"c":true,"d":"z","e":[1]}\n',
        type: "a Int64, b Float64, c Bool, d Utf8, e List<Int64>",
      },
    };
    for (const [suffix, { none, nulls, values, type }] of Object.entries(cases)) {
      const path = (name: string) => `${folder}/${name}.${suffix}`;
      for (const [name, text] of Object.entries({ none, nulls, values })) {
        await Deno.writeTextFile(path(name), text);
      }
      const alone = rowsOf(await readAll(openSource(path("values"))));
      for (
        const order of [["none", "nulls", "values"], ["values", "nulls", "none"], [
          "nulls",
          "values",
          "nulls",
        ]]
      ) {
        const source = openSource(order.map(path));
        const schema = await source.schema();
        const types = schema!.fields.map(({ name, type }) => `${name} ${type}`).toSorted();
        assertEquals(types.join(", "), type, `${suffix} ${order}`);
        const rows = rowsOf(await readAll(source));
        const filled = rows.filter(({ a }) => a !== null);
        assertEquals(filled, alone);
        assertEquals(new Set(rows.map(({ d }) => d)).has("x"), true);
      }
    }
    // What the first rows do not show is read as the others have it, or refused.
    const late = `${folder}/late.csv`;
    for (
      const [value, problem] of [["7", undefined], [
        "x",
        'row 10000, column a: "x" is not a valid int64',
      ]]
    ) {
      await Deno.writeTextFile(late, `a,b\n${",y\n".repeat(10_000)}${value},y\n`);
      await Deno.writeTextFile(`${folder}/one.csv`, "a,b\n1,y\n");
      const read = () => readAll(openSource([late, `${folder}/one.csv`], {}));
      if (problem !== undefined) await assertRejects(read, FileError, problem);
      else assertEquals(rowsOf(await read()).flatMap(({ a }) => a ?? []), [7n, 1n]);
    }
  }));

Deno.test("files without columns and rows are skipped, and of several such files one is left", () =>
  inFolder(async (folder) => {
    const empty = ["a", "b"].map((name) => `${folder}/${name}.ndjson`);
    for (const path of empty) await Deno.writeTextFile(path, "");
    const filled = `${folder}/c.ndjson`;
    await Deno.writeTextFile(filled, '{"id":7}\n');
    for (const paths of [[...empty, filled], [filled, ...empty], [empty[0]!, filled, empty[1]!]]) {
      assertEquals(rowsOf(await readAll(openSource(paths))), [{ id: 7n }]);
    }
    const nothing = openSource(empty);
    assertEquals([(await nothing.schema())?.fields, await nothing.numRows()], [[], 0]);
    assertEquals(rowsOf(await readAll(nothing)), []);
    // As one such file is: a table of no rows and columns.
    const [one, both] = [await toTable(read(empty[0]!)), await toTable(read(empty))];
    assertEquals([both.numRows, both.numCols], [one.numRows, one.numCols]);
  }));

Deno.test("an error of other columns lists the few that differ of many", () =>
  inFolder(async (folder) => {
    const names = (count: number, start = 0) =>
      Array.from({ length: count }, (_, index) => `c${start + index}`);
    const problemOf = async (first: readonly string[], second: readonly string[]) => {
      const paths = [`${folder}/1.csv`, `${folder}/2.csv`] as const;
      await Deno.writeTextFile(paths[0], `${first}\n`);
      await Deno.writeTextFile(paths[1], `${second}\n`);
      const error = await assertRejects(() => openSource(paths).schema(), FileError);
      return error.message.slice(paths[1].length + 2);
    };
    assertEquals(
      await problemOf(names(1500), [...names(1498), "x"]),
      "columns are 1,499, but 1,500 are expected, without c1498, c1499 and with x",
    );
    assertEquals(
      await problemOf(names(9), names(1500)),
      "columns are 1,500, but 9 are expected, with c9, c10, c11, c12, c13, c14, c15, c16 and 1,483 more",
    );
    assertEquals(
      await problemOf(names(2), ["c0", "x"]),
      "columns are c0, x, but c0, c1 are expected",
    );
  }));
