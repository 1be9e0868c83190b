import { assert, assertEquals } from "@std/assert";
import { Table, tableToIPC } from "apache-arrow";
import { fromBatches, head, read, tail, toTable, write } from "../../../../../mod.ts";
import { RangeServer } from "../../../../support/files/range_server.ts";
import { inFolder, rowsOf, wordsBatch } from "../../../../support/values/streams_samples.ts";

/** The ids of the rows that are read. */
async function idsOf(stream: ReturnType<typeof read>): Promise<number[]> {
  return rowsOf((await toTable(stream)).batches).map(({ id }) => Number(id));
}

/** The integers [start, stop). */
function integers(start: number, stop: number): number[] {
  return Array.from({ length: stop - start }, (_, i) => start + i);
}

/** Files: 20 batches of 1.3 MB, and a text of 20 MB. */
const files = await (async () => {
  const found: Record<string, Uint8Array<ArrayBuffer>> = {};
  const batches = Array.from({ length: 20 }, (_, batch) => {
    const rows = Array.from({ length: 30_000 }, (_, row) => 30_000 * batch + row);
    return wordsBatch(rows.map((row) => `Malmö ${(row * 7919) % 600_011} ${row}`), rows[0]);
  });
  await inFolder(async (folder) => {
    for (const name of ["own.arrow", "own.parquet"]) {
      await fromBatches(batches).pipeTo(write(`${folder}/${name}`));
      found[name] = await Deno.readFile(`${folder}/${name}`);
    }
  });
  found["foreign.arrow"] = new Uint8Array(tableToIPC(new Table(batches), "file"));
  const lines = Array.from(
    { length: 500_000 },
    (_, row) => `${row},Zürich ${row % 977},${row / 7}\n`,
  );
  found["a.csv"] = new TextEncoder().encode("id,city,share\n" + lines.join("").slice(0, 20e6));
  return found;
})();

/** What is read, and the most requests that it may take. */
const budgets: readonly [title: string, name: string, most: number, job: Job][] = [
  ["the last 10 rows", "own.arrow", 2, (url) => idsOf(read(url).pipeThrough(tail(10)))],
  ["the last 10 rows", "foreign.arrow", 2, (url) => idsOf(read(url).pipeThrough(tail(10)))],
  ["the last 10 rows", "own.parquet", 3, (url) => idsOf(read(url).pipeThrough(tail(10)))],
  ["the number of rows", "own.arrow", 1, async (url) => [await read(url).numRows() ?? -1]],
  ["the number of rows", "own.parquet", 1, async (url) => [await read(url).numRows() ?? -1]],
  ["the first 10 rows", "a.csv", 4, (url) => idsOf(read(url).pipeThrough(head(10)))],
];
type Job = (url: string) => Promise<number[]>;

const given: Readonly<Record<string, readonly number[]>> = {
  "the last 10 rows": integers(599_990, 600_000),
  "the number of rows": [600_000],
  "the first 10 rows": integers(0, 10),
};

for (const [title, name, most, job] of budgets) {
  Deno.test(`${title} of ${name} on a server take ${most} requests at most`, async () => {
    await using server = new RangeServer(files);
    assertEquals(await job(server.url(name)), given[title]);
    assert(server.log.length <= most, `${server.log.length} requests`);
    const bytes = files[name]!.length;
    assert(server.sentBytes < 0.2 * bytes, `${server.sentBytes} of ${bytes} bytes`);
  });
}
