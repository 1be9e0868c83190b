import { assertEquals } from "@std/assert";
import { FileInput } from "../../../streams/file_input.ts";
import { readIpc, writeIpc } from "../../../streams/ipc.ts";
import { forSeeds } from "../../support/seeded_random.ts";
import { inFolder, readAll, rowsOf, wordsBatch, writeAll } from "../../support/streams_samples.ts";

Deno.test("FileInput gives the bytes of a file wherever it is moved to", () =>
  inFolder((folder) =>
    forSeeds(40, async (random) => {
      const path = `${folder}/bytes`;
      const bytes = Uint8Array.from({ length: random.below(60_000) }, () => random.below(256));
      await Deno.writeFile(path, bytes);
      using input = await FileInput.open(path, {
        chunkBytes: random.pick([1, 100, 5000, 1 << 20]),
      });
      let position = 0;
      for (let step = 0; step < 60; step++) {
        const length = random.pick([0, 1, 10, 3000, 20_000]);
        switch (random.below(4)) {
          case 0:
            position = random.below(bytes.length + 10);
            await input.seek(position);
            break;
          case 1:
            assertEquals(await input.peek(length), bytes.slice(position, position + length));
            break;
          case 2: {
            const some = await input.readSome();
            assertEquals(some, bytes.slice(position, position + some.length));
            assertEquals(some.length > 0, position < bytes.length);
            position += some.length;
            break;
          }
          default:
            assertEquals(await input.read(length), bytes.slice(position, position + length));
            position = Math.max(position, Math.min(bytes.length, position + length));
        }
        assertEquals(input.position, position);
      }
    })
  ));

Deno.test("FileInput does not read again what it just read before a seek", () =>
  inFolder(async (folder) => {
    const path = `${folder}/bytes`;
    await Deno.writeFile(path, Uint8Array.from({ length: 50_000 }, (_, i) => i));
    const reads: number[] = [];
    const onRead = (numBytes: number) => reads.push(numBytes);
    using input = await FileInput.open(path, { chunkBytes: 8192, onRead });
    await input.read(100);
    await input.seek(40_000);
    await input.read(10);
    await input.seek(200);
    assertEquals([...await input.read(3)], [200, 201, 202]);
    await input.seek(0);
    await input.seek(40_001);
    assertEquals([...await input.read(1)], [40_001 % 256]);
    assertEquals(reads, [8192, 8192]);
  }));

Deno.test("a small Arrow file is read once for its schema, and once for its rows", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const batches = [wordsBatch(["a", null]), wordsBatch(["é"], 2)];
    await writeAll(writeIpc(path, { format: "file" }), batches);
    const { size } = await Deno.stat(path);
    const source = readIpc(path);
    await source.schema();
    assertEquals(source.bytesRead, size);
    assertEquals(rowsOf(await readAll(source)), rowsOf(batches));
    assertEquals(source.bytesRead, 2 * size);
  }));
