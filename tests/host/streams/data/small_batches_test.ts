import { assert, assertEquals } from "@std/assert";
import { Bool, Decimal, Int64, Int8, LargeUtf8, Utf8 } from "apache-arrow";
import { readIpc, writeIpc } from "../../../support/files/ipc.ts";
import { batchOf, inFolder, readAll, writeAll } from "../../../support/values/streams_samples.ts";

Deno.test("the buffers of joined messages are as long as their rows need", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrows`;
    const values = [true, 5n, "ab", "ä", Uint32Array.of(1, 0, 0, 0), -7];
    const types = [
      new Bool(),
      new Int64(),
      new Utf8(),
      new LargeUtf8(),
      new Decimal(2, 20),
      new Int8(),
    ];
    const batch = batchOf(
      Object.fromEntries(types.map((type, i) => [`c${i}`, [type, [values[i], null, values[i]]]])),
    );
    await writeAll(writeIpc(path, { format: "stream" }), new Array(2000).fill(batch));
    const given = await readAll(readIpc(path), { together: { rows: 8192, bytes: 1 << 20 } });
    const joined = given.reduce((one, other) => one.numRows > other.numRows ? one : other);
    const { numRows } = joined;
    assert(numRows > 300, `${numRows} rows are the most`);
    const bits = [1, 64, 16 * 2 / 3, 16 * 2 / 3, 128, 8];
    joined.data.children.forEach((column, i) => {
      const { values, nullBitmap, valueOffsets } = column;
      assertEquals(values.byteLength, Math.ceil(bits[i]! * numRows / 8), `values of c${i}`);
      assertEquals(nullBitmap.byteLength, Math.ceil(numRows / 8), `validity of c${i}`);
      if (valueOffsets !== undefined) assertEquals(valueOffsets.length, numRows + 1);
    });
  }));
