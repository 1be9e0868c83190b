import { assert, assertEquals, assertRejects } from "@std/assert";
import { FileError } from "../../../../base/errors/file_error.ts";
import { openSource } from "../../../../streams/files/read.ts";
import type { Source } from "../../../../streams/plan/source.ts";
import { write } from "../../../../streams/files/write.ts";
import {
  inFolder,
  openRange,
  type ReadOptions,
  wordsBatch,
  writeAll,
} from "../../../support/values/streams_samples.ts";
import { someOf } from "../../../support/random/test_size.ts";
import { sourceBatches } from "../../../support/pipelines/source_batches.ts";

const names = ["in.csv", "in.tsv", "in.ndjson", "in.arrow", "in.arrows", "in.parquet"];
const numRows = 400_000;
const batches = Array.from({ length: 40 }, (_, batch) => {
  const words = Array.from({ length: 10_000 }, (_, row) => `word ${(row * 7919) % 10_007}`);
  return wordsBatch(words, 10_000 * batch);
});

/** Files that were written once. */
const written = new Map<string, Uint8Array>();

/** Large files of formats, one after the other. */
async function forFormats(test: (path: string, size: number) => Promise<void>): Promise<void> {
  for (const name of someOf(names, 3)) {
    await inFolder(async (folder) => {
      const path = `${folder}/${name}`;
      const bytes = written.get(name);
      if (bytes === undefined) {
        const options = name.endsWith(".parquet") ? { rowGroupRows: 10_000 } : {};
        await writeAll(write(path, options), batches);
        written.set(name, await Deno.readFile(path));
      } else {
        await Deno.writeFile(path, bytes);
      }
      await test(path, (await Deno.stat(path)).size);
    });
  }
}

/** Reads rows; when some have come, the file is changed. */
async function readChanging(
  source: Source,
  change: () => void,
  options: ReadOptions = {},
): Promise<number> {
  let rows = 0;
  let pending: (() => void) | undefined = change;
  for await (const batch of openRange(source, options)) {
    rows += batch.numRows;
    pending?.();
    pending = undefined;
  }
  return rows;
}

/** Bytes at the end of which a row ends, about the given place. */
function rowEnd(path: string, about: number): number {
  const bytes = Deno.readFileSync(path);
  return bytes.indexOf(0x0a, about) + 1 || about;
}

Deno.test("a file that is cut while it is read is an error of both sizes, never the end", () =>
  forFormats(async (path, size) => {
    const cut = rowEnd(path, Math.floor(0.9 * size));
    const change = () => Deno.truncateSync(path, cut);
    const error = await assertRejects(() => readChanging(openSource(path), change), FileError);
    assertEquals(
      error.message,
      `${path}: had ${size} bytes when it was opened and has ${cut} now`,
    );
    assertEquals(error.file, path);
  }));

Deno.test("a file that grows while it is read is an error of both sizes", () =>
  forFormats(async (path, size) => {
    const bytes = Deno.readFileSync(path);
    const row = bytes.slice(rowEnd(path, Math.floor(size / 2)));
    const change = () => Deno.writeFileSync(path, row, { append: true });
    const error = await assertRejects(() => readChanging(openSource(path), change), FileError);
    const now = size + row.length;
    assertEquals(
      error.message,
      `${path}: had ${size} bytes when it was opened and has ${now} now`,
    );
  }));

Deno.test("a file that is cut between its schema and its rows is an error", () =>
  forFormats(async (path, size) => {
    const source = openSource(path);
    await source.schema();
    const cut = rowEnd(path, Math.floor(size / 2));
    await Deno.truncate(path, cut);
    const error = await assertRejects(() => readChanging(source, () => {}), FileError);
    const sizes = `had ${size} bytes when it was opened and has ${cut} now`;
    assertEquals(error.message, `${path}: ${sizes}`);
  }));

Deno.test("a file that is cut and filled again while it is read is an error", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.csv`;
    const text = "id\n" + "1234567\n".repeat(500_000);
    await Deno.writeTextFile(path, text);
    const source = openSource(path);
    await source.schema();
    const rows = sourceBatches(source);
    await rows.next();
    await Deno.truncate(path, 3);
    await rows.next();
    // What stood at the place of the cut is gone for who has met the end there.
    const error = await assertRejects(async () => {
      for await (const _ of rows) await Deno.truncate(path, text.length);
    }, FileError);
    assert(/: had 4000003 bytes when it was opened and /.test(error.message), error.message);
  }));

Deno.test("another file under the name between schema and rows is an error, while open it is not", () =>
  forFormats(async (path) => {
    const replace = () => {
      Deno.copyFileSync(path, `${path}.other`);
      Deno.renameSync(`${path}.other`, path);
    };
    assertEquals(await readChanging(openSource(path), replace), numRows);
    const source = openSource(path);
    await source.schema();
    replace();
    const error = await assertRejects(() => readChanging(source, () => {}), FileError);
    assertEquals(error.message, `${path}: was replaced by another file while it was read`);
  }));

Deno.test("rows that are enough are right, whatever is appended behind them", () =>
  forFormats(async (path) => {
    const append = () => Deno.writeTextFileSync(path, "0,more\n", { append: true });
    const source = openSource(path);
    if (await source.canSeek()) {
      assertEquals(await readChanging(source, append, { start: 0, stop: 20_000 }), 20_000);
    } else {
      for await (const batch of sourceBatches(source)) {
        append();
        assert(batch.numRows > 0);
        break;
      }
    }
  }));

Deno.test("a count of rows is that of a whole file", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrows`;
    await writeAll(write(path), batches);
    const source = openSource(path);
    await source.schema();
    await Deno.writeFile(path, Deno.readFileSync(path), { append: true });
    await assertRejects(() => source.numRows(), FileError, "bytes when it was opened and has");
  }));

Deno.test({
  name: "a file of /proc, which says that it has no bytes, is read",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const path = "/proc/filesystems";
    const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
    const read = await readChanging(openSource(path, { format: "tsv" }), () => {});
    assertEquals([read, lines.length > 5], [lines.length - 1, true]);
  },
});

Deno.test({
  name: "a file of /sys, which says that it has more bytes than it has, is read",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const path = "/sys/devices/system/cpu/online";
    const [text, { size }] = [await Deno.readTextFile(path), await Deno.stat(path)];
    assert(text.length < size, `${text.length} of ${size} bytes`);
    const schema = await openSource(path, { format: "tsv" }).schema();
    assertEquals(schema?.fields.map(({ name }) => name), [text.trimEnd()]);
    assertEquals(await readChanging(openSource(path, { format: "tsv" }), () => {}), 0);
  },
});

Deno.test({
  name: "a file behind stdin that is cut while it is read is an error",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inFolder(async (folder) => {
      await Deno.writeTextFile(`${folder}/in.csv`, "id\n" + "1234567\n".repeat(500_000));
      await Deno.writeTextFile(
        `${folder}/read.ts`,
        `import { openSource } from "${import.meta.resolve("../../../../streams/files/read.ts")}";
        import { sourceBatches } from "${
          import.meta.resolve("../../../support/pipelines/source_batches.ts")
        }";
        try {
          for await (const _ of sourceBatches(openSource("-", { format: "csv" }))) {
            Deno.truncateSync("${folder}/in.csv", 2_000_003);
          }
          console.log("complete");
        } catch (error) {
          console.log(error.message);
        }`,
      );
      const config = new URL("../../../../deno.json", import.meta.url).pathname;
      const run =
        `exec "${Deno.execPath()}" run -A --no-check --config="${config}" read.ts < in.csv`;
      const { stdout } = await new Deno.Command("bash", { args: ["-c", run], cwd: folder })
        .output();
      assertEquals(
        new TextDecoder().decode(stdout),
        "standard input: had 4000003 bytes when it was opened and has 2000003 now\n",
      );
    }),
});
