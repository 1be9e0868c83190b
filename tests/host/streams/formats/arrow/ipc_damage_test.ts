/** What errors of damaged Arrow data say. */

import { assert, assertEquals, assertInstanceOf, assertMatch } from "@std/assert";
import { Dictionary, Field, Int32, Table, Utf8, Utf8View, vectorFromArray } from "apache-arrow";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { encodeArrow } from "../../../../../streams/formats/arrow/arrow.ts";
import { readIpc, writeIpc } from "../../../../support/files/ipc.ts";
import { batchOfColumns, columnOfValues } from "../../../../support/values/arrow_columns.ts";
import { messagesIn } from "../../../../support/files/arrow_messages.ts";
import { randomType, typeKinds } from "../../../../support/values/arrow_types.ts";
import { randomValue, valuesOf } from "../../../../support/values/arrow_values.ts";
import { problemOf } from "../../../../support/files/same_or_refused.ts";
import { firstSeed, forSeeds, SeededRandom } from "../../../../support/random/seeded_random.ts";
import {
  allTypesBatch,
  batchOf,
  inFolder,
  readAll,
  wordsBatch,
  writeAll,
} from "../../../../support/values/streams_samples.ts";
import { fewOr, someOf } from "../../../../support/random/test_size.ts";

/** What an error says of data that breaks off or is not what it says. */
const namesPlace =
  /^truncated or corrupt Arrow data (in message \d+ at byte \d+|at byte \d+): \S[^\n]*[^.]$/;
/** Too little is left to see what it is, two names became one, or it says that it is something else. */
const namesNoPlace =
  /^(is empty, not Arrow data|is not Arrow data|is text, not Arrow data; [^\n]*|columns \d+ and \d+ have the same name.*|[^\n]*, which is not supported yet)$/s;

/** Checks that an error names the file, and the message and the byte where they can be known. */
function checkError(error: unknown, path: string): void {
  assertInstanceOf(error, FileError);
  const problem = (error as FileError).message.slice(path.length + 2);
  if (!namesNoPlace.test(problem)) assertMatch(problem, namesPlace);
  assertEquals(problemOf(error), undefined, problem);
}

const formats = ["file", "stream"] as const;

/** Reads a file to its end, and every value of it. */
async function readValues(path: string): Promise<unknown[][]> {
  const batches = await readAll(readIpc(path));
  return batches.map((batch) => batch.data.children.map(valuesOf));
}

for (const format of formats) {
  for (const compression of ["none", "zstd"] as const) {
    Deno.test(`readIpc() names message and byte where data is cut, at any length (${format}, ${compression})`, () =>
      inFolder(async (folder) => {
        const path = `${folder}/in.arrow`;
        const category = (...values: string[]) =>
          batchOf({
            category: [new Dictionary(new Utf8(), new Int32(), 3), values],
            word: [new Utf8View(), values],
          });
        await writeAll(writeIpc(path, { format, compression }), [
          category("a", "b"),
          category("a", "b", "longer than twelve bytes"),
        ]);
        const bytes = await Deno.readFile(path);
        const step = compression === "none" ? fewOr(5, 1) : fewOr(23, 7);
        // A stream may end behind any message, without a mark.
        const messages = messagesIn(bytes);
        const ends = format === "stream" ? messages.map(({ stop }) => stop) : [];
        for (let length = 0; length < bytes.length; length += step) {
          await Deno.writeFile(path, bytes.subarray(0, length));
          const result = await readAll(readIpc(path)).catch((error) => error);
          if (!ends.includes(length)) checkError(result, path);
          else {
            const whole = messages.filter(({ message, stop }) =>
              message.isRecordBatch() && stop <= length
            );
            assertEquals(result.length, whole.length, `${length} bytes`);
          }
        }
      }));
  }

  Deno.test(`readIpc() refuses wrong bytes or reads something, and never fails in another way (${format})`, () =>
    inFolder((folder) =>
      forSeeds(fewOr(5, 15), async (random) => {
        let numRefused = 0;
        const path = `${folder}/in.arrow`;
        const types = Array.from({ length: 3 }, () => randomType(random, typeKinds, 2));
        const fields = types.map((type, i) => new Field(`c${i}`, type, true));
        const columns = types.map((type) =>
          columnOfValues(random, type, Array.from({ length: 9 }, () => randomValue(random, type)))
        );
        const compression = random.pick(["none", "none", "zstd", "lz4"] as const);
        await writeAll(writeIpc(path, { format, compression }), [batchOfColumns(fields, columns)]);
        const bytes = await Deno.readFile(path);
        for (let round = 0; round < 40; round++) {
          const wrong = bytes.slice();
          for (let flips = 1 + random.below(2); flips > 0; flips--) {
            const at = random.below(bytes.length);
            wrong[at] = random.pick([wrong[at]! ^ (1 << random.below(8)), 0, 0x7f, 0xff]);
          }
          await Deno.writeFile(path, wrong);
          const result = await readValues(path).catch((error) => error);
          if (Array.isArray(result)) continue;
          checkError(result, path);
          numRefused++;
        }
        assert(numRefused > 0, "40 files with wrong bytes were all read");
      })
    ));
}

/** Of so many bytes one is made wrong, each of them in the whole run. */
const STEP = fewOr(4, 1);

for (const compression of ["zstd", "lz4"] as const) {
  Deno.test(`readIpc() finds every wrong bit of compressed columns (${compression})`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.arrow`;
      const words = Array.from({ length: 20 }, (_, i) => i % 7 === 0 ? null : `word ${i % 5}`);
      await writeAll(writeIpc(path, { compression }), [wordsBatch(words)]);
      const bytes = await Deno.readFile(path);
      const batch = messagesIn(bytes).find(({ message }) => message.isRecordBatch())!;
      const { buffers } = batch.message.header() as {
        buffers: { offset: number; length: number }[];
      };
      const random = new SeededRandom(firstSeed());
      let numRefused = 0;
      for (const { offset, length } of buffers) {
        for (let at = random.below(STEP); at < length; at += STEP) {
          const wrong = bytes.slice();
          wrong[batch.body + offset + at]! ^= 1 << random.below(8);
          await Deno.writeFile(path, wrong);
          // The frame header of zstd has one bit that is unused, and says so.
          const result = await readValues(path).catch((error) => error);
          if (Array.isArray(result)) assertEquals(result, [[...columnsOfWords(words)]]);
          else {
            checkError(result, path);
            numRefused++;
          }
        }
      }
      assert(numRefused > fewOr(30, 100), `${numRefused} refused`);
    }));
}

for (const format of formats) {
  Deno.test(`readIpc() finds a wrong bit wherever it is not of a value, or reads the same (${format})`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/in.arrow`;
      const texts = ["short", null, "longer than twelve bytes", "", "a", "b", "short"];
      const batch = batchOf({
        id: [new Int32(), [1, null, 3, 4, 5, 6, 7]],
        text: [new Utf8(), texts],
        category: [new Dictionary(new Utf8(), new Int32(), 3), texts],
        view: [new Utf8View(), texts],
      });
      await writeAll(writeIpc(path, { format }), [batch, batch]);
      const bytes = await Deno.readFile(path);
      const readNamed = async (path: string) => [
        String(await readIpc(path).schema()),
        await readValues(path),
      ];
      const expected = await readNamed(path);
      const isValue = new Uint8Array(bytes.length);
      for (const [number, { message, start, body }] of messagesIn(bytes).entries()) {
        // Of the schema of a stream there is no other copy: another name is another name.
        if (number === 0 && format === "stream") isValue.fill(1, start, body);
        if (message.isSchema()) continue;
        const header = message.header() as Parts & { readonly data?: Parts };
        for (const { offset, length } of (header.data ?? header).buffers!) {
          isValue.fill(1, body + offset, body + offset + length);
        }
      }
      const random = new SeededRandom(1);
      const drawn = new SeededRandom(firstSeed());
      let numErrors = 0;
      for (let at = 0; at < bytes.length; at++) {
        if (isValue[at] === 1) continue;
        const bits = [0, 1 + random.below(7)];
        if (drawn.below(STEP) > 0) continue;
        for (const bit of bits) {
          const wrong = bytes.slice();
          wrong[at]! ^= 1 << bit;
          await Deno.writeFile(path, wrong);
          const result = await readNamed(path).catch((error) => error);
          if (Array.isArray(result)) {
            assertEquals(result, expected, `byte ${at} of ${bytes.length}, bit ${bit}`);
          } else {
            checkError(result, path);
            numErrors++;
          }
        }
      }
      assert(numErrors > fewOr(200, 1000), `${numErrors} errors`);
    }));
}

interface Parts {
  readonly buffers?: readonly { readonly offset: number; readonly length: number }[];
}

function columnsOfWords(words: readonly (string | null)[]): unknown[][] {
  return [words.map((_, row) => row), [...words]];
}

Deno.test({
  name: "readIpc() names message and byte where a pipe ends",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inFolder(async (folder) => {
      const words = wordsBatch(["a", "é", null]);
      const bytes = encodeArrow(words.schema, [words, words]);
      const huge = bytes.slice();
      // The length of the description of the second message.
      const { start } = messagesIn(bytes)[1]!;
      new DataView(huge.buffer).setInt32(start + 4, 2 ** 30, true);
      const inputs = [
        ...[3, 9, start - 1, start + 30, bytes.length - 9, bytes.length - 7]
          .map((length) => bytes.subarray(0, length)),
        huge,
      ];
      for (const [i, input] of inputs.entries()) {
        const path = `${folder}/pipe${i}`;
        await new Deno.Command("mkfifo", { args: [path] }).output();
        const written = Deno.open(path, { write: true }).then(async (pipe) => {
          await pipe.write(input);
          pipe.close();
        });
        checkError(await readAll(readIpc(path)).catch((error) => error), path);
        await written;
      }
    }),
});

Deno.test("readIpc() asks for no memory that data only claims to need", () =>
  inFolder(async (folder) => {
    const claims = [2 ** 20, 2 ** 30, 2 ** 31 - 1, -1];
    const paths: string[] = [];
    for (const format of formats) {
      for (const compression of ["none", "zstd", "lz4"] as const) {
        const source = `${folder}/in.arrow`;
        await writeAll(writeIpc(source, { format, compression }), [allTypesBatch(9)]);
        const bytes = await Deno.readFile(source);
        const random = new SeededRandom(bytes.length);
        for (let i = 0; i < fewOr(15, 60); i++) {
          const wrong = bytes.slice();
          const at = 4 * random.below(Math.floor(bytes.length / 4));
          new DataView(wrong.buffer).setInt32(at, random.pick(claims), true);
          paths.push(`${folder}/${format}_${compression}_${i}.arrow`);
          await Deno.writeFile(paths.at(-1)!, wrong);
        }
      }
    }
    const script = `${folder}/read.ts`;
    await Deno.writeTextFile(
      script,
      `
      import { readIpc } from "${import.meta.resolve("../../../../support/files/ipc.ts")}";
      const mostMemory = () =>
        Number(/VmHWM:\\s+(\\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))?.[1] ?? 0) / 1024;
      const before = mostMemory();
      const { sourceBatches } = await import("${
        import.meta.resolve("../../../../support/pipelines/source_batches.ts")
      }");
      for (const path of JSON.parse(Deno.args[0])) {
        try {
          for await (const _ of sourceBatches(readIpc(path)));
        } catch (error) {
          if (error.name !== "FileError") throw error;
        }
        gc();
      }
      console.log(mostMemory() - before);`,
    );
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        "--v8-flags=--expose-gc",
        `--config=${configPath}`,
        script,
        JSON.stringify(paths),
      ],
    }).output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
    const mebibytes = Number(new TextDecoder().decode(stdout));
    assert(mebibytes < 200, `${mebibytes} MiB more for files of 10 KB`);
  }));

const configPath = new URL("../../../../../deno.json", import.meta.url).pathname;

Deno.test("a dictionary, its field and its footer that lack a part are refused in our own words", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    const city = vectorFromArray(["Rome", "Oslo", "Rome"], new Dictionary(new Utf8(), new Int32()));
    await writeAll(writeIpc(path), new Table({ city }).batches);
    const bytes = await Deno.readFile(path);
    let numMissing = 0;
    for (let at = 8; at < bytes.length; at++) {
      for (const byte of someOf([0, 255], 1)) {
        const wrong = bytes.slice();
        wrong[at] = byte;
        await Deno.writeFile(path, wrong);
        const result = await readValues(path).catch((error) => error);
        if (Array.isArray(result)) continue;
        checkError(result, path);
        if (result.message.includes("a part that it refers to is missing")) numMissing++;
      }
    }
    assert(numMissing > 0);
  }));
