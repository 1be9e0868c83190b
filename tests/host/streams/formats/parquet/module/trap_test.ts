import { assert, assertEquals, assertRejects } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import { FileError } from "../../../../../../base/errors/file_error.ts";
import { readParquet, writeParquet } from "../../../../../../streams/formats/parquet/parquet.ts";
import { ModuleTurns } from "../../../../../../streams/formats/parquet/module/trap.ts";
import { TrapError } from "../../../../../../base/errors/data_error.ts";
import { queryDuckDb } from "../../../../../support/judges/peers.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../../support/random/seeded_random.ts";
import { fewOr } from "../../../../../support/random/test_size.ts";
import { sluice } from "../../../../../support/processes/sluice.ts";
import { inFolder, writeAll } from "../../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../../support/pipelines/source_batches.ts";

const codecs = ["uncompressed", "snappy", "zstd", "gzip", "lz4_raw"] as const;
const numRows = 60_000;

/** Writes a file of several row groups with DuckDB. */
async function writeCodec(path: string, codec: typeof codecs[number]): Promise<void> {
  await queryDuckDb(
    `copy (select i as id, hash(i) as h, 'Zürich ' || (hash(i) % 9000) as city,
      case when i % 7 = 0 then null else i / 3 end as x from range(${numRows}) t(i))
    to '${path}' (format parquet, compression ${codec}, row_group_size 20000)`,
  );
}

/** Bytes with some of the pages changed: of one page, or over many. */
function damaged(bytes: Uint8Array<ArrayBuffer>, random: SeededRandom): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  const footer = new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
  const stop = bytes.length - 8 - footer;
  const start = 4 + random.below(stop - 4);
  const length = random.pick([1, 16, 500, 20_000, 300_000]);
  const isNoise = random.chance(0.5);
  for (let at = start; at < Math.min(stop, start + length); at++) {
    copy[at] = isNoise ? random.below(256) : 0xff;
  }
  return copy;
}

/** The ids of all rows, or the error. */
async function idsOf(batches: AsyncIterable<RecordBatch>): Promise<number | string> {
  let [count, sum] = [0, 0];
  try {
    for await (const batch of batches) {
      count += batch.numRows;
      for (const id of batch.getChild("id")!) sum = (sum * 31 + Number(id)) | 0;
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return error.message;
  }
  assertEquals(count, numRows);
  return sum;
}

function expectedIds(): number {
  let sum = 0;
  for (let id = 0; id < numRows; id++) sum = (sum * 31 + id) | 0;
  return sum;
}

Deno.test("of two files that are read at once the damaged one is to blame, and the other is read", () =>
  inFolder(async (folder) => {
    const files: Uint8Array<ArrayBuffer>[] = [];
    for (const codec of codecs) {
      await writeCodec(`${folder}/${codec}.parquet`, codec);
      files.push(await Deno.readFile(`${folder}/${codec}.parquet`));
    }
    const bad = `${folder}/bad.parquet`;
    const draws = new Draws(["an error", "no error"]);
    await forSeeds(fewOr(10, 30), async (random) => {
      const sound = `${folder}/${random.pick(codecs)}.parquet`;
      await Deno.writeFile(bad, damaged(random.pick(files), random));
      const alone = await idsOf(sourceBatches(readParquet(bad)));
      const paths = random.chance(0.5) ? [sound, bad] : [bad, sound];
      const found = await Promise.all(paths.map((path) => idsOf(sourceBatches(readParquet(path)))));
      assertEquals(found, paths.map((path) => path === bad ? alone : expectedIds()));
      if (typeof alone === "string") {
        assert(alone.startsWith(`${bad}: `), alone);
      }
      draws.add(typeof alone === "string" ? "an error" : "no error");
    }, draws);
  }));

Deno.test("a file is written whole while a damaged one is read", () =>
  inFolder(async (folder) => {
    const [sound, bad, out] = ["sound", "bad", "out"].map((name) => `${folder}/${name}.parquet`);
    await writeCodec(sound!, "snappy");
    const bytes = await Deno.readFile(sound!);
    await Deno.writeFile(bad!, bytes.fill(0xff, 40, bytes.length / 2));
    const batches = await Array.fromAsync(sourceBatches(readParquet(sound!)));
    const [, message] = await Promise.all([
      writeAll(writeParquet(out!, { rowGroupRows: 5000 }), batches),
      idsOf(sourceBatches(readParquet(bad!))),
    ]);
    assert(`${message}`.startsWith(`${bad}: `), `${message}`);
    const counts = await queryDuckDb(
      `select count(*) as n, count(x) as x from
        (select * from '${out}' intersect all select * from '${sound}')`,
    );
    const present = numRows - Math.ceil(numRows / 7);
    assertEquals(counts, [{ n: BigInt(numRows), x: BigInt(present) }]);
  }));

Deno.test("a join names the side that is damaged", () =>
  inFolder(async (folder) => {
    await writeCodec(`${folder}/sound.parquet`, "zstd");
    const bytes = await Deno.readFile(`${folder}/sound.parquet`);
    await Deno.writeFile(`${folder}/bad.parquet`, bytes.fill(0xff, bytes.length / 2, -4000));
    for (const [left, right] of [["sound", "bad"], ["bad", "sound"]]) {
      for (const threads of ["1", "2"]) {
        const words = ["read", `${left}.parquet`, "then", "join", `${right}.parquet`, "--on", "id"];
        const options = { cwd: folder, env: { SLUICE_THREADS: threads } };
        const { status, err } = await sluice([...words, "then", "write", "out.arrow"], options);
        assertEquals([left, threads, status], [left, threads, 1]);
        assert(err.includes("bad.parquet: column "), err);
      }
    }
  }));

Deno.test("a trap that surfaces as a rejection fails the work that has the turn", async () => {
  const turns = new ModuleTurns();
  const trapLater = () => {
    Promise.reject(new WebAssembly.RuntimeError("unreachable"));
    return new Promise<never>(() => {});
  };
  await assertRejects(() => turns.do(trapLater, "trapped"), TrapError, "trapped");
  assertEquals(await turns.do(() => Promise.resolve(1)), 1);
});

Deno.test("the turn goes to another file while bytes are waited for, and a trap to whose turn it is", async () => {
  const trapLater = () => {
    queueMicrotask(() => {
      throw new WebAssembly.RuntimeError("unreachable");
    });
    return new Promise<never>(() => {});
  };
  const [waiting, other] = [new ModuleTurns(), new ModuleTurns()];
  const bytes = [Promise.withResolvers<number>(), Promise.withResolvers<number>()] as const;
  const seen: string[] = [];
  const read = waiting.do(async () => {
    seen.push("asks");
    const found = await Promise.all(bytes.map(({ promise }) => waiting.wait(promise)));
    seen.push("has bytes");
    return found;
  });
  await assertRejects(() => other.do(trapLater, "trapped"), TrapError, "trapped");
  bytes[0].resolve(1);
  const { promise: long, resolve: end } = Promise.withResolvers<void>();
  const busy = other.do(async () => {
    seen.push("other");
    await long;
    seen.push("other ends");
  });
  bytes[1].resolve(2);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assertEquals(seen, ["asks", "other"]);
  end();
  assertEquals(await read, [1, 2]);
  await busy;
  assertEquals(seen, ["asks", "other", "other ends", "has bytes"]);
});
