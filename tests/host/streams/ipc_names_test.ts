import { Buffer } from "node:buffer";
import { assertEquals } from "@std/assert";
import {
  type DataType,
  Field,
  Int32,
  List,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Table,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { openSource } from "../../../streams/read.ts";
import { write } from "../../../streams/write.ts";
import { loadPeer, readWithFlechette } from "../../support/peers.ts";
import { inFolder, readAll, rowsOf, writeAll } from "../../support/streams_samples.ts";

/** A batch of one row whose columns have these names, the first of them the empty one. */
function unnamedBatch(): RecordBatch {
  const item = new Field("", new Int32(), true);
  const nested = new Struct([new Field("", new Utf8(), true), new Field("b", new Int32(), true)]);
  const columns: [string, DataType, unknown][] = [
    ["", new Utf8(), "é"],
    ["list", new List(item), [1, 2]],
    ["struct", nested, { "": "x", b: 3 }],
  ];
  const fields = columns.map(([name, type]) => new Field(name, type, true));
  const children = columns.map(([, type, value]) => vectorFromArray([value], type).data[0]!);
  const data = makeData({ type: new Struct(fields), length: 1, nullCount: 0, children });
  return new RecordBatch(new Schema(fields), data);
}

const expected = [{ "": "é", list: [1, 2], struct: { "": "x", b: 3 } }];

for (const suffix of ["arrow", "arrows", "parquet"]) {
  Deno.test(`columns, items and members of the empty name come back from .${suffix}`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/out.${suffix}`;
      await writeAll(write(path), [unnamedBatch()]);
      const source = openSource(path);
      assertEquals((await source.schema())!.fields.map(({ name }) => name), ["", "list", "struct"]);
      assertEquals(rowsOf(await readAll(source)), expected);
      const [one] = await readAll(source, { columns: [""] });
      assertEquals(rowsOf([one!]), [{ "": "é" }]);
    }));
}

Deno.test("Polars and flechette read the empty name in our Arrow files", () =>
  inFolder(async (folder) => {
    const path = `${folder}/out.arrow`;
    const batch = unnamedBatch();
    await writeAll(write(path), [batch.select([""])]);
    const { default: polars } = await loadPeer("polars");
    assertEquals(polars.readIPC(Buffer.from(await Deno.readFile(path))).toRecords(), [{ "": "é" }]);
    await writeAll(write(path), [batch]);
    const [row] = await readWithFlechette(await Deno.readFile(path));
    assertEquals({ ...row, list: [...row!.list as number[]] }, expected[0]);
  }));

Deno.test("a column without a name, as apache-arrow writes it, has the empty one", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrows`;
    const table = new Table({ "": vectorFromArray([1, 2], new Int32()) });
    await Deno.writeFile(path, await RecordBatchStreamWriter.writeAll(table).toUint8Array());
    assertEquals(rowsOf(await readAll(openSource(path))), [{ "": 1 }, { "": 2 }]);
  }));
