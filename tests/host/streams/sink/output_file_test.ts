import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { FileError } from "../../../../base/errors/file_error.ts";
import { readIpc } from "../../../support/files/ipc.ts";
import { OutputFile, removePartialOutputs } from "../../../../streams/sink/output_file.ts";
import { write } from "../../../../streams/files/write.ts";
import {
  inFolder,
  readAll,
  rowsOf,
  wordsBatch,
  writeAll,
} from "../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../support/pipelines/source_batches.ts";

const namesIn = (folder: string) =>
  [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
const formats = ["out.arrow", "out.arrows", "out.parquet", "out.csv", "out.tsv", "out.ndjson"];

for (const name of formats) {
  Deno.test(`write() shows ${name} only when it is complete`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/${name}`;
      const sink = write(path);
      const writer = sink.getWriter();
      await writer.write(wordsBatch(["a", "b"]));
      const [partial, ...others] = namesIn(folder);
      assert(/^\.out\.\w+\.[0-9a-f]{8}\.partial$/.test(partial!), partial);
      assertEquals(others, []);
      await writer.close();
      assertEquals(namesIn(folder), [name]);
      assertEquals((await Deno.stat(path)).size, sink.bytesWritten);
    }));

  Deno.test(`write() leaves nothing of ${name} when it is aborted`, () =>
    inFolder(async (folder) => {
      const writer = write(`${folder}/${name}`).getWriter();
      await writer.write(wordsBatch(["a"]));
      await writer.abort(new Error("enough"));
      assertEquals(namesIn(folder), []);
    }));
}

Deno.test("write() opens nothing before the first batch", () =>
  inFolder(async (folder) => {
    const sink = write(`${folder}/out.arrow`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    assertEquals(namesIn(folder), []);
    // It looks at the path meanwhile, which is over before it is aborted.
    await sink.abort();
    assertEquals(namesIn(folder), []);
  }));

Deno.test("write() keeps the old file until the new one is complete, and can replace its source", () =>
  inFolder(async (folder) => {
    const path = `${folder}/data.arrow`;
    const batches = [wordsBatch(["a", "b"]), wordsBatch(["c"], 2)];
    await writeAll(write(path), batches);
    await ReadableStream.from(sourceBatches(readIpc(path))).pipeTo(write(path));
    assertEquals(rowsOf(await readAll(readIpc(path))), rowsOf(batches));

    const failing = new ReadableStream({
      start(controller) {
        controller.enqueue(wordsBatch(["x"]));
      },
      pull: (controller) => controller.error(new Error("broke off")),
    });
    await assertRejects(() => failing.pipeTo(write(path)), Error, "broke off");
    assertEquals(rowsOf(await readAll(readIpc(path))), rowsOf(batches));
    assertEquals(namesIn(folder), ["data.arrow"]);
  }));

Deno.test("write() through a link replaces what the link points to", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/real.csv`, "old");
    await Deno.symlink(`${folder}/real.csv`, `${folder}/link.csv`);
    await writeAll(write(`${folder}/link.csv`), [wordsBatch(["a"])]);
    assertEquals(await Deno.readTextFile(`${folder}/real.csv`), "id,word\n0,a\n");
    assertEquals(namesIn(folder), ["link.csv", "real.csv"]);
  }));

Deno.test("write() names a folder that does not exist, before it takes a batch", () =>
  inFolder(async (folder) => {
    let pulled = 0;
    const source = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 });
    const error = await assertRejects(
      () => source.pipeTo(write(`${folder}/no/out.csv`)),
      FileError,
    );
    const problem = `cannot be written: the folder ${folder}/no does not exist`;
    assertEquals(error.message, `${folder}/no/out.csv: ${problem}`);
    assert(pulled <= 1, `${pulled} batches were pulled`);
  }));

Deno.test("write() refuses a folder in the place of the file and an unknown suffix", () =>
  inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/x.csv`);
    const batches = [wordsBatch(["a"])];
    await assertRejects(
      () => writeAll(write(`${folder}/x.csv`), batches),
      FileError,
      "is a folder",
    );
    await assertRejects(
      async () => await writeAll(write(`${folder}/x.doc`), batches),
      FileError,
      "x.doc: has an unknown format",
    );
  }));

Deno.test("write() reports a full disk in one line and cancels the source", async () => {
  let cancelled: unknown;
  const source = new ReadableStream({
    pull: (controller) => controller.enqueue(wordsBatch(new Array(20_000).fill("word"))),
    cancel: (reason) => void (cancelled = reason),
  });
  const error = await assertRejects(
    () => source.pipeTo(write("/dev/full", { format: "csv" })),
    FileError,
  );
  assertEquals(error.message, "/dev/full: no space left on device");
  assertEquals(cancelled, error);
});

Deno.test("write() removes the partial file when the limit for files is reached", () =>
  inFolder(async (folder) => {
    const script = `${folder}/write.ts`;
    const support = import.meta.resolve("../../../support/values/streams_samples.ts");
    await Deno.writeTextFile(
      script,
      `
      import { write } from "${import.meta.resolve("../../../../streams/files/write.ts")}";
      import { wordsBatch, writeAll } from "${support}";
      const batches = Array.from({ length: 40 }, () => wordsBatch(new Array(9000).fill("word")));
      await writeAll(write("${folder}/out.arrow"), batches).catch((error) => console.log(error.message));`,
    );
    const run = `trap "" XFSZ; ulimit -f 1024; exec "${Deno.execPath()}" run -A --no-check ` +
      `--config="${new URL("../../../../deno.json", import.meta.url).pathname}" "${script}"`;
    const { stdout, stderr } = await new Deno.Command("bash", { args: ["-c", run] }).output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assertStringIncludes(
      text,
      "out.arrow: file too large",
    );
    assertEquals(namesIn(folder), ["write.ts"]);
  }));

Deno.test("removePartialOutputs() removes what is open and keeps what is complete", () =>
  inFolder(async (folder) => {
    await writeAll(write(`${folder}/done.csv`), [wordsBatch(["a"])]);
    const writer = write(`${folder}/open.csv`).getWriter();
    await writer.write(wordsBatch(["a"]));
    assertEquals(namesIn(folder).length, 2);
    removePartialOutputs();
    assertEquals(namesIn(folder), ["done.csv"]);
    await writer.abort();
  }));

Deno.test("a sink without any batch is an error where the columns must be known", () =>
  inFolder(async (folder) => {
    for (const name of ["out.arrow", "out.parquet"]) {
      await assertRejects(
        () => writeAll(write(`${folder}/${name}`), []),
        FileError,
        "got no batch",
      );
    }
    await writeAll(write(`${folder}/out.csv`), []);
    assertEquals(namesIn(folder), ["out.csv"]);
  }));

Deno.test("a sink accepts a batch when the one before is written", () =>
  inFolder(async (folder) => {
    const sink = write(`${folder}/out.arrow`);
    const writer = sink.getWriter();
    await writer.ready;
    const first = writer.write(wordsBatch(["a"]));
    assertEquals(writer.desiredSize, 0);
    await first;
    await writer.ready;
    assertEquals(writer.desiredSize, 1);
    await writer.close();
  }));

Deno.test("OutputFile writes chunks of all sizes in order", () =>
  inFolder(async (folder) => {
    const output = await OutputFile.create(`${folder}/out`);
    const sizes = [1, 40_000, 0, 7, 300_000, 32 << 10, 5, (32 << 10) + 1];
    const chunks = sizes.map((size, index) => new Uint8Array(size).fill(index + 1));
    await output.write(chunks);
    await output.commit();
    const expected = new Uint8Array(await new Blob(chunks).arrayBuffer());
    assertEquals(await Deno.readFile(`${folder}/out`), expected);
    assertEquals(output.bytesWritten, expected.length);
  }));
