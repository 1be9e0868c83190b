import { assertEquals, assertRejects } from "@std/assert";
import { Binary, Field, Int32, List, Struct } from "apache-arrow";
import { FileError } from "../../../../../../base/errors/file_error.ts";
import { writeParquet } from "../../../../../../streams/formats/parquet/parquet.ts";
import { openSource } from "../../../../../../streams/files/read.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { changeFooter } from "../../../../../support/files/parquet_files.ts";
import {
  batchOf,
  readAll,
  rowsOf,
  writeAll,
} from "../../../../../support/values/streams_samples.ts";

const numRows = 3000;
const valid = new TextEncoder().encode("Þórshöfn");
const broken = Uint8Array.of(0x61, 0xff, 0x62);
const decoder = new TextDecoder();

/** Values of which some are no text, every one of which the same column has once in so many rows. */
function values(first: number, every: number): Uint8Array[] {
  return Array.from({ length: numRows }, (_, row) => row % every === first ? broken : valid);
}

const columns = { city: values(2100, 4000), note: values(2500, 4000), fine: values(4000, 5000) };

/** A file of columns that are said to be text, and of which some are not. */
async function writeText(path: string): Promise<void> {
  const bytes = (name: keyof typeof columns) =>
    [new Binary(), columns[name].map((value, row) => row % 5 === 4 ? null : value)] as const;
  const pair = new Struct([new Field("text", new Binary(), true)]);
  const batch = batchOf({
    id: [new Int32(), columns.city.map((_, row) => row)],
    city: bytes("city"),
    fine: bytes("fine"),
    list: [
      new List(new Field("item", new Binary(), true)),
      columns.note.map((value, row) => Array(row % 3).fill(value)),
    ],
    pair: [pair, columns.note.map((text) => ({ text }))],
  });
  await writeAll(writeParquet(path, { rowGroupRows: 1000 }), [batch]);
  await changeFooter(path, (metadata) => {
    metadata.keyValues = [];
    for (const element of metadata.schema!) {
      if (element.type === 6) element.convertedType = 0;
    }
  });
}

Deno.test("text of Parquet that is not UTF-8 is an error that names row and column", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeText(path);
    const source = openSource(path);
    const problems = {
      city: "row 2100, column city: invalid UTF-8",
      list: "row 2500, column list: invalid UTF-8",
      pair: "row 2500, column pair: invalid UTF-8",
    };
    for (const [column, problem] of Object.entries(problems)) {
      const options = { columns: ["id", column] };
      const error = await assertRejects(() => readAll(source, options), FileError, problem);
      assertEquals([error.row, error.column], [Number(/\d+/.exec(problem)![0]), column]);
      const part = { ...options, start: 2050, stop: 2600 };
      await assertRejects(() => readAll(source, part), FileError, problem);
    }
    const fine = await readAll(source, { columns: ["fine"] });
    assertEquals(
      rowsOf(fine).map(({ fine }) => fine),
      columns.fine.map((value, row) => {
        return row % 5 === 4 ? null : decoder.decode(value);
      }),
    );
    assertEquals((await readAll(source, { start: 0, stop: 1000 })).length > 0, true);
  }));

Deno.test("text of Parquet that is not UTF-8 is replaced if that is asked for", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    await writeText(path);
    const source = openSource(path, { invalid: "replace", aheadBytes: 1 << 20 });
    const right = columns.city.map((city, row) => ({
      id: row,
      city: row % 5 === 4 ? null : decoder.decode(city),
      list: Array(row % 3).fill(decoder.decode(columns.note[row])),
      pair: { text: decoder.decode(columns.note[row]) },
    }));
    const options = { columns: ["id", "city", "list", "pair"] };
    assertEquals(rowsOf(await readAll(source, options)), right);
    for (const [start, stop] of [[2098, 2102], [2500, 2501], [999, 2600]]) {
      const rows = rowsOf(await readAll(source, { ...options, start, stop }));
      assertEquals(rows, right.slice(start, stop));
    }
  }));
