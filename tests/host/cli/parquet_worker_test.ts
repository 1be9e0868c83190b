import { assert, assertEquals } from "@std/assert";
import * as arrow from "apache-arrow";
import { writeParquet } from "../../../streams/formats/parquet/parquet.ts";
import { largeFileBytes } from "../../../streams/formats/parquet/worker/large_file.ts";
import { checkoutPath, inFolder, sluice, sluiceCommand } from "../../support/processes/sluice.ts";
import { batchOf, writeAll } from "../../support/values/streams_samples.ts";
import { someOf } from "../../support/random/test_size.ts";

const numRows = 400_000;

/** The bytes of a file that is large enough for a worker, made once. */
let largeFile: Uint8Array | undefined;

/** A folder with two such files. */
function withFiles(use: (folder: string) => Promise<void>): Promise<void> {
  return inFolder({ "few.csv": "id,name\n5,Éva\n399999,Bo\n" }, async (folder) => {
    if (largeFile === undefined) {
      const ids = Int32Array.from({ length: numRows }, (_, row) => row);
      const batch = batchOf({
        id: [new arrow.Int32(), [...ids]],
        value: [new arrow.Float64(), [...Float64Array.from(ids, (id) => Math.sin(id))]],
        word: [new arrow.Utf8(), Array.from(ids, (id) => id % 7 === 0 ? null : `Zürich ${id}`)],
      });
      const path = `${folder}/a.parquet`;
      await writeAll(writeParquet(path, { compression: "none", rowGroupRows: 50_000 }), [batch]);
      largeFile = Deno.readFileSync(path);
      assert(largeFile.length > largeFileBytes);
    }
    for (const name of ["a.parquet", "b.parquet"]) {
      Deno.writeFileSync(`${folder}/${name}`, largeFile);
    }
    await use(folder);
  });
}

const preload = checkoutPath("tests/support/processes/count_workers.ts");

/** Runs a command and gives the workers that it started, its status and what else it printed. */
async function counted(words: readonly string[], cwd: string, threads = "2") {
  const env = { SLUICE_THREADS: threads };
  const { status, err } = await sluice(words, { cwd, env, preload });
  const [, before, count] = /^(.*)decoding workers: (\d+)\n$/s.exec(err) ?? [];
  return { status, err: before, numWorkers: Number(count) };
}

const isAlone = navigator.hardwareConcurrency < 2;

Deno.test({
  name: "a command has a large Parquet file decoded by a worker, with the same bytes",
  ignore: isAlone,
  fn: () =>
    withFiles(async (cwd) => {
      const cases: readonly (readonly [string[], number])[] = [
        [["read", "a.parquet", "then", "with", "u = word.upper()"], 1],
        [["read", "a.parquet", "then", "join", "few.csv", "--on", "id"], 1],
        [["read", "a.parquet", "then", "join", "b.parquet", "--on", "id"], 1],
        [["read", "a.parquet", "b.parquet", "then", "filter", "id > 399990"], 1],
        [["read", "a.parquet", "--columns", "word,id", "then", "slice", "100000:"], 1],
        [["read", "a.parquet", "then", "slice", "::-1"], 0],
        [["read", "a.parquet", "then", "head", "10"], 0],
      ];
      for (const [words, numWorkers] of someOf(cases, 3)) {
        const all = (name: string) => [...words, "then", "write", name];
        const helped = await counted(all("2.arrow"), cwd);
        assertEquals([words, helped], [words, { status: 0, err: "", numWorkers }]);
        const alone = await counted(all("1.arrow"), cwd, "1");
        assertEquals(alone, { status: 0, err: "", numWorkers: 0 });
        const [two, one] = ["2.arrow", "1.arrow"].map((name) =>
          Deno.readFileSync(`${cwd}/${name}`)
        );
        assert(
          two!.length === one!.length && two!.every((byte, at) => byte === one![at]),
          words[3],
        );
      }
    }),
});

Deno.test({
  name: "a command has a Parquet file encoded by a worker too, with the same bytes",
  ignore: isAlone,
  fn: () =>
    withFiles(async (cwd) => {
      const cases = [
        [["read", "a.parquet", "then", "with", "u = word.upper()"], 2],
        [["read", "a.parquet"], 2],
        [["read", "few.csv"], 0],
        [["read", "a.parquet", "then", "head", "10"], 0],
      ] as const;
      for (const [words, numWorkers] of someOf(cases, 2)) {
        const write = (
          name: string,
        ) => [...words, "then", "write", name, "--compression", "snappy"];
        const helped = await counted(write("2.parquet"), cwd, "4");
        assertEquals([words, helped], [words, { status: 0, err: "", numWorkers }]);
        const alone = await counted(write("1.parquet"), cwd, "1");
        assertEquals(alone, { status: 0, err: "", numWorkers: 0 });
        const [two, one] = ["2.parquet", "1.parquet"].map((name) =>
          Deno.readFileSync(`${cwd}/${name}`)
        );
        assert(
          two!.length === one!.length && two!.every((byte, at) => byte === one![at]),
          words.join(" "),
        );
      }
    }),
});

Deno.test("a row group that cannot be decoded is the same error with a worker, and no file appears", () =>
  withFiles(async (cwd) => {
    const bytes = Deno.readFileSync(`${cwd}/a.parquet`);
    const text = new TextEncoder().encode("Zürich 250009");
    const at = bytes.findIndex((byte, start) =>
      byte === text[0] && text.every((byte, i) => bytes[start + i] === byte)
    );
    // Lengths of texts, which then reach behind the end of their page.
    for (let far = 0; far < 4096; far += 64) bytes.fill(0xff, at + far, at + far + 32);
    Deno.writeFileSync(`${cwd}/a.parquet`, bytes);
    const words = ["read", "a.parquet", "then", "write", "out.arrow"];
    const alone = await counted(words, cwd, "1");
    assertEquals(alone.status, 1);
    assert(/a\.parquet: column word, row group 5\b/.test(alone.err!), alone.err);
    const helped = await counted(words, cwd);
    assertEquals([helped.status, helped.err], [alone.status, alone.err]);
    assertEquals([...Deno.readDirSync(cwd)].filter(({ name }) => name.includes("out")), []);
  }));

Deno.test("a command with a worker ends early where its output is closed, and at an interrupt", () =>
  withFiles(async (cwd) => {
    const words = ["read", "a.parquet", "b.parquet", "then", "write", "-"];
    for (const signal of [undefined, "SIGINT"] as const) {
      const child = sluiceCommand(words, { cwd, env: { SLUICE_THREADS: "2" } }).spawn();
      const reader = child.stdout.getReader();
      assert(!(await reader.read()).done);
      if (signal === undefined) await reader.cancel();
      else child.kill(signal);
      const { code } = await child.status;
      assertEquals([signal, code], [signal, signal === undefined ? 0 : 130]);
      if (signal !== undefined) await reader.cancel();
      assertEquals(await new Response(child.stderr).text(), "");
    }
  }));

Deno.test("a program that reads large files ends by itself, also where it leaves them without a word", () =>
  withFiles(async (cwd) => {
    const mod = new URL("../../../mod.ts", import.meta.url).href;
    Deno.writeTextFileSync(
      `${cwd}/program.ts`,
      `import { createEngine, read } from "${mod}";
      const engine = createEngine({ device: "cpu", threads: 2 });
      let numRows = 0;
      for await (const batch of read("a.parquet", { engine })) numRows += batch.numRows;
      for await (const batch of read("b.parquet", { engine })) { numRows += 1; break; }
      await read("b.parquet", { engine })[Symbol.asyncIterator]().next();
      console.log(numRows);`,
    );
    const { stdout, stderr, code } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "-A", `--config=${checkoutPath("deno.json")}`, "program.ts"],
      cwd,
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assertEquals([code, text(stdout), text(stderr)], [0, `${numRows + 1}\n`, ""]);
  }));
