import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Int32 } from "apache-arrow";
import { createEngine, FileError, fromBatches, read, write } from "../../../../mod.ts";
import { WrittenRows } from "../../../../ops/source/written_rows.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { batchOf, inFolder, rowsOf } from "../../../support/values/streams_samples.ts";

const run = <T>(work: () => Promise<T>) => work();

Deno.test("rows on their way are written once and in order, whoever asks for them at once", () =>
  inFolder((folder) =>
    forSeeds(30, async (random) => {
      const engine = createEngine({ device: "cpu" });
      const numBatches = 1 + random.below(5);
      const batches = Array.from(
        { length: numBatches },
        (_, index) => batchOf({ id: [new Int32(), [2 * index, 2 * index + 1]] }),
      );
      const path = `${folder}/out.${random.pick(["csv", "arrow", "parquet", "ndjson"])}`;
      const sink = write(path);
      const rows = new WrittenRows(fromBatches(batches, { engine }), sink, {
        ofInput: run,
        ofFile: run,
      });
      const stream = rows.stream(engine, batches[0]!.schema);
      const expected = rowsOf(batches);
      if (random.chance(0.5)) {
        // Two read what goes on, and begin it before the command does.
        const [one, other] = stream.tee();
        const [, ours, theirs] = await Promise.all([
          rows.begin(),
          Array.fromAsync(one),
          Array.fromAsync(other),
        ]);
        assertEquals([rowsOf(ours), rowsOf(theirs)], [expected, expected]);
        await rows.finish();
      } else {
        // Who reads on has asked for a batch when the rest is written.
        const reader = stream.getReader();
        for (let left = random.below(numBatches); left > 0; left--) await reader.read();
        const asked = reader.read();
        await rows.finish();
        await asked;
        await reader.cancel();
      }
      await rows.commit();
      assertEquals(rowsOf(await Array.fromAsync(read(path))).map(({ id }) => Number(id)), [
        ...expected.map(({ id }) => Number(id)),
      ]);
      await engine.close();
    })
  ));

Deno.test("a file that cannot get its name leaves those before it whole, and no part of any", () =>
  inFolder(async (folder) => {
    const engine = createEngine({ device: "cpu" });
    const batch = batchOf({ id: [new Int32(), [1, 2, 3]] });
    const files: WrittenRows[] = [];
    let stream = fromBatches([batch], { engine });
    for (const name of ["a.csv", "b.csv", "c.csv"]) {
      const sink = write(`${folder}/${name}`);
      const rows = new WrittenRows(stream, sink, { ofInput: run, ofFile: run });
      files.push(rows);
      stream = rows.stream(engine, batch.schema);
    }
    await Array.fromAsync(stream);
    for (const rows of files.toReversed()) await rows.finish();
    Deno.mkdirSync(`${folder}/b.csv`);
    const commit = async () => {
      for (const rows of files) await rows.commit();
    };
    const { message } = await assertRejects(commit, FileError);
    assertStringIncludes(message, "b.csv");
    for (const rows of files.toReversed()) await rows.abort("failed");
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assertEquals(left, ["a.csv", "b.csv"]);
    assertEquals(Deno.readTextFileSync(`${folder}/a.csv`), "id\n1\n2\n3\n");
    await engine.close();
  }));
