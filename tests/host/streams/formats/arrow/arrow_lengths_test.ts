import { assert, assertEquals, assertRejects } from "@std/assert";
import { Int16, Int32, type RecordBatch, tableFromIPC, Utf8 } from "apache-arrow";
import { encodeArrow } from "../../../../../streams/formats/arrow/arrow.ts";
import { parseLengths, printLengths } from "../../../../../streams/formats/arrow/batch_lengths.ts";
import type { FlatBlock } from "../../../../../streams/data/flat_table.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { readIpc } from "../../../../support/files/ipc.ts";
import { rowSlice } from "../../../../../streams/rows/row_slice.ts";
import {
  footerBlocks,
  footerMetadata,
  withFooter,
} from "../../../../support/files/arrow_footers.ts";
import { messagesIn } from "../../../../support/files/arrow_messages.ts";
import { loadPeer, readWithFlechette } from "../../../../support/judges/peers.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { batchOf, inFolder, readAll, rowsOf } from "../../../../support/values/streams_samples.ts";

const key = "sluice.batch_lengths";

/** Batches of rivers, counted on from batch to batch. */
function rivers(lengths: readonly number[]): RecordBatch[] {
  const names = ["Limmat", "Aare", null, "Rhône", "Ticino", "Große Emme"];
  let first = 0;
  return lengths.map((length) => {
    const rows = Array.from({ length }, (_, index) => first + index);
    first += length;
    return batchOf({
      id: [new Int32(), rows],
      river: [new Utf8(), rows.map((row) => names[row % names.length]!)],
    });
  });
}

function fileOf(lengths: readonly number[]): Uint8Array<ArrayBuffer> {
  const batches = rivers(lengths);
  return encodeArrow(batches[0]!.schema, batches, { format: "file" });
}

/** Batches of 100 bytes, one behind the other. */
function blocksOf(count: number): FlatBlock[] {
  return Array.from({ length: count }, (_, batch) => ({
    offset: 8 + 300 * batch,
    metaDataLength: 200,
    bodyLength: 100,
  }));
}

/** A text without its mark. */
function withoutMark(text: string | undefined): string | undefined {
  return text?.replace(/;blocks=[\da-f]{8}$/, "");
}

Deno.test("lengths of batches print in short, and are read again", () => {
  const cases: readonly (readonly [readonly number[], string])[] = [
    [[], ""],
    [[7], "7"],
    [[0], "0"],
    [[65_536, 65_536, 65_536, 4096], "65536*3,4096"],
    [[1, 2, 2, 1, 1], "1,2*2,1*2"],
    [[2 ** 31 - 1], "2147483647"],
  ];
  for (const [lengths, text] of cases) {
    const blocks = blocksOf(lengths.length);
    const printed = printLengths(lengths, blocks)!;
    assertEquals(withoutMark(printed), text);
    assertEquals(parseLengths(printed, blocks), lengths);
  }
});

Deno.test("random lengths are read as they were printed", () =>
  forSeeds(100, (random) => {
    const lengths = Array.from({ length: random.below(50) }, () => random.pick([0, 1, 65_536]));
    const blocks = blocksOf(lengths.length);
    assertEquals(parseLengths(printLengths(lengths, blocks)!, blocks), lengths);
  }));

Deno.test("lengths of other rows, or of batches that lie elsewhere, are none", () =>
  forSeeds(200, (random) => {
    const lengths = Array.from({ length: 1 + random.below(20) }, () => random.below(70_000));
    const blocks = blocksOf(lengths.length);
    const text = printLengths(lengths, blocks)!;
    const batch = random.below(blocks.length);
    const part = random.pick(["offset", "metaDataLength", "bodyLength"] as const);
    const change = random.pick([1, -1, 8, -8, 2 ** 31, 2 ** 32, 2 ** 40]);
    const moved = blocks.with(batch, {
      ...blocks[batch]!,
      [part]: blocks[batch]![part] + change,
    });
    assertEquals(parseLengths(text, moved), undefined, `${part} of ${batch} by ${change}`);
    const [list, mark] = text.split(";");
    const others = lengths.with(batch, lengths[batch]! + 1).join();
    assertEquals(parseLengths(`${others};${mark}`, blocks), undefined);
    assertEquals(parseLengths(list!, blocks), undefined);
  }));

Deno.test("a text that is not one of lengths gives none, however much it claims", () => {
  const texts = ["5", "5*1", "5*3", "5,5,5", "5,", ",5,5", "5*2,", "-5*2", "5 *2", "5*2 ", "x,5"];
  texts.push("5*9999999999", "99999999999*2", "2147483648*2", "5*0,5*2*1", "5*-1,5*3", "NaN,1");
  texts.push("", "٥,٥", "5*1e0,5", "0x5,5");
  const blocks = blocksOf(2);
  const [, mark] = printLengths([5, 5], blocks)!.split(";");
  for (const text of texts) {
    assertEquals(parseLengths(`${text};${mark}`, blocks), undefined, text);
    assertEquals(parseLengths(text, blocks), undefined, text);
  }
  for (const text of ["5*0,5*2", "5,5", "5*2"]) {
    assertEquals(parseLengths(`${text};${mark}`, blocks), [5, 5]);
  }
});

Deno.test("more than 64 KiB of lengths are not written", () => {
  const lengths = Array.from({ length: 40_000 }, (_, index) => index % 2);
  const print = (count: number) => printLengths(lengths.slice(0, count), blocksOf(count));
  assertEquals(print(40_000), undefined);
  assertEquals(print(32_760)?.length, 65_535);
  assertEquals(print(32_761), undefined);
});

Deno.test("the footer has the rows of each batch, and other readers do not mind", () =>
  inFolder(async (folder) => {
    const path = `${folder}/rivers.arrow`;
    const bytes = fileOf([3, 3, 0, 5]);
    await Deno.writeFile(path, bytes);
    const metadata = footerMetadata(bytes);
    assertEquals(Object.keys(metadata), [key]);
    assertEquals(withoutMark(metadata[key]), "3*2,0,5");
    assertEquals(footerMetadata(withFooter(bytes)), {});

    const expected = rivers([11])[0]!.toArray().map((row) => row!.toJSON());
    assertEquals(tableFromIPC(bytes).toArray().map((row) => row!.toJSON()), expected);
    assertEquals(
      (await readWithFlechette(bytes)).map(({ id, river }) => ({ id, river })) as unknown[],
      expected,
    );
    const { default: polars } = await loadPeer("polars");
    assertEquals((await polars.scanIPC(path).collect()).toRecords(), expected);
    assertEquals(rowsOf(await readAll(readIpc(path))), rowsOf(rivers([11])));
  }));

Deno.test("rows are counted from the footer, or from the headers where it does not say them", () =>
  inFolder(async (folder) => {
    const lengths = Array.from({ length: 300 }, (_, index) => 500 + index % 3);
    const numRows = lengths.reduce((sum, length) => sum + length, 0);
    const own = fileOf(lengths);
    const footers = {
      own,
      foreign: withFooter(own),
      short: withFooter(own, { [key]: "500*299" }),
      long: withFooter(own, { [key]: "500*301" }),
      nonsense: withFooter(own, { [key]: "about 500" }),
      copied: withFooter(own, footerMetadata(fileOf(lengths.toReversed()))),
      other: withFooter(own, { "sluice.batches": "500*300" }),
    };
    for (const [name, bytes] of Object.entries(footers)) {
      const path = `${folder}/${name}.arrow`;
      await Deno.writeFile(path, bytes);
      const source = readIpc(path);
      assertEquals(await source.numRows(), numRows, name);
      const footerBytes = 24 * lengths.length;
      const isCheap = source.bytesRead < footerBytes + 32_768;
      assertEquals(isCheap, name === "own", `${name}: ${source.bytesRead} bytes`);
    }
  }));

Deno.test("lengths that a tool has copied on to other batches are dropped", () =>
  inFolder(async (folder) => {
    const path = `${folder}/rivers.arrow`;
    // As many batches, of which some are equally long.
    const bytesOf = (lengths: readonly number[]) => {
      const batches = lengths.map((length, batch) =>
        batchOf({ id: [new Int16(), Array.from({ length }, (_, row) => 100 * batch + row)] })
      );
      return encodeArrow(batches[0]!.schema, batches, { format: "file" });
    };
    await forSeeds(40, async (random) => {
      const draw = () => Array.from({ length: 4 }, () => 8 * (1 + random.below(6)));
      const [lengths, others] = [draw(), draw()];
      await Deno.writeFile(path, withFooter(bytesOf(lengths), footerMetadata(bytesOf(others))));
      const rows = lengths.flatMap((length, batch) =>
        Array.from({ length }, (_, row) => 100 * batch + row)
      );
      const source = readIpc(path);
      assertEquals(await source.numRows(), rows.length);
      const at = random.below(rows.length);
      const found: unknown[] = [];
      for await (const { batch, runs } of source.rows([rowSlice(at, at + 1)], {})) {
        const ids = batch.toArray().map((row) => row!.toJSON().id);
        found.push(...runs?.map(({ start }) => ids[start]) ?? ids);
      }
      assertEquals(found, [rows[at]]);
    });
  }));

Deno.test("a footer with other lengths than the batches is an error of the message", () =>
  inFolder(async (folder) => {
    const own = fileOf([3, 4]);
    const path = `${folder}/rivers.arrow`;
    const text = printLengths([3, 5], footerBlocks(own))!;
    await Deno.writeFile(path, withFooter(own, { [key]: text }));
    const { start } = messagesIn(own)[2]!;
    for (const options of [{}, { together: { rows: 65_536, bytes: 1 << 20 } }]) {
      await assertRejects(
        () => readAll(readIpc(path), options),
        FileError,
        `truncated or corrupt Arrow data in message 3 at byte ${start}: ` +
          "it has 4 rows, in the footer 5",
      );
    }
  }));

Deno.test("a footer is read once for all that is asked of a source", () =>
  inFolder(async (folder) => {
    const path = `${folder}/rivers.arrow`;
    await Deno.writeFile(path, fileOf(Array.from({ length: 2000 }, () => 5)));
    const source = readIpc(path);
    await source.schema();
    const schemaBytes = source.bytesRead;
    assert(schemaBytes > 24 * 2000);
    assertEquals(await source.numRows(), 10_000);
    // What is read at least of any file, in which its kind is seen.
    assert(source.bytesRead - schemaBytes <= 8192, `${source.bytesRead} after ${schemaBytes}`);
  }));
