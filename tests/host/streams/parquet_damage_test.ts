import { assert, assertEquals } from "@std/assert";
import { Int32 } from "apache-arrow";
import { FileError } from "../../../streams/errors.ts";
import { readParquet, writeParquet } from "../../../streams/parquet.ts";
import { batchOf, inFolder, readAll, writeAll } from "../../support/streams_samples.ts";

/** A number of rows that stands in no other place of the footer, written as 2 * 21 there. */
const numRows = 21;

Deno.test("readParquet() refuses a wrong number of rows, of the file and of a row group", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.parquet`;
    const ids = Array.from({ length: numRows }, (_, row) => row);
    await writeAll(writeParquet(path), [batchOf({ id: [new Int32(), ids] })]);
    const bytes = await Deno.readFile(path);
    const footer = bytes.length - 8 - new DataView(bytes.buffer).getInt32(bytes.length - 8, true);
    const messages: string[] = [];
    for (let at = footer; at < bytes.length - 8; at++) {
      if (bytes[at] !== 2 * numRows) continue;
      for (const wrong of [2 * numRows + 2, 2 * numRows - 1]) {
        await Deno.writeFile(path, bytes.with(at, wrong));
        const source = readParquet(path);
        try {
          const batches = await readAll(source);
          const read = batches.reduce((sum, batch) => sum + batch.numRows, 0);
          assertEquals([await source.numRows(), read], [numRows, numRows], `byte ${at}`);
        } catch (error) {
          if (!(error instanceof FileError)) throw error;
          messages.push(error.message.slice(path.length + 2));
        }
      }
    }
    for (
      const message of [
        "is corrupt: it says 21 rows, its row groups say 22",
        "is corrupt: row group 0 says 21 rows, its column id 22",
        "is corrupt: row group 0 says -21 rows",
      ]
    ) assert(messages.includes(message), `${message}, not among ${messages.join("; ")}`);
  }));
