import { assertEquals, assertRejects } from "@std/assert";
import { expr, FileError, filter, read, slice, toTable, write } from "../../../mod.ts";
import { Draws, forSeeds, type SeededRandom } from "../../support/seeded_random.ts";
import { inFolder, readAll, rowsOf } from "../../support/streams_samples.ts";
import { openSource } from "../../../streams/read.ts";

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
    await forSeeds(30, async (random) => {
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
        "column a is float64 where int64 is expected",
        "float64",
      ],
      ["csv", "a\n1\n", "a\nx\n", "column a is utf8 where int64 is expected", "string"],
      [
        "ndjson",
        '{"a":1}\n',
        '{"a":0.5}\n',
        "column a is float64 where int64 is expected",
        "float64",
      ],
      ["ndjson", '{"a":1}\n', '{"a":"x"}\n', "column a is utf8 where int64 is expected", "json"],
    ] as const;
    for (const [suffix, first, second, says, type] of cases) {
      const paths = [`${folder}/1.${suffix}`, `${folder}/2.${suffix}`] as const;
      await Deno.writeTextFile(paths[0], first);
      await Deno.writeTextFile(paths[1], second);
      const error = await assertRejects(() => openSource(paths).schema(), FileError);
      assertEquals(
        error.message,
        `${paths[1]}: ${says}; name its type in types, such as "${type}"`,
      );
      assertEquals(error.column, "a");
      const rows = rowsOf(await readAll(openSource(paths, { types: { a: type } as never })));
      assertEquals(rows.length, 2);
    }
    await Deno.writeTextFile(`${folder}/3.csv`, "a,c\n1,x\n");
    await assertRejects(
      async () => await openSource([`${folder}/1.csv`, `${folder}/3.csv`]).schema(),
      FileError,
      "3.csv: columns are a, c where a are expected",
    );
  }));
