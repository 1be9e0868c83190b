/** `sluice rechunk` of arrays of text and bytes. Python judges the items. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { createVariable } from "../../../support/zarr/stored_arrays.ts";
import { namesIn } from "../../../support/processes/bad_commands.ts";
import { inFolder } from "../../../support/files/folder.ts";
import { pythonTest } from "../../../support/judges/python.ts";
import { type PythonZarrJob, textsOfPython } from "../../../support/judges/python_zarr.ts";
import { randomTextZarr } from "../../../support/random/random_text_zarr.ts";
import { rechunked } from "../../../support/zarr/rechunk_here.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { checkoutPath, sluice } from "../../../support/processes/sluice.ts";
import { fewOr, someOf } from "../../../support/random/test_size.ts";
import { openTexts, readTexts, textItems, writeTexts } from "../../../support/zarr/zarr_texts.ts";

const encoder = new TextEncoder();

pythonTest(
  "the items of any array of text or bytes are those of before, as Python reads and wrote them",
  () => {
    const draws = new Draws([
      ...["string", "bytes", "vlen-utf8", "vlen-bytes", "F", "transpose", "sharding_indexed"],
      ...["nested", "gzip", "zlib", "crc32c", "fill long", "too little", "2 axes"],
    ]);
    const unknown = new Set(["zstd", "blosc", "lz4", "shuffle"]);
    return forSeeds(fewOr(2, 25), async (random) => {
      const { metadata, kinds, shape, items } = randomTextZarr(random, new Draws([]));
      if (shape.length === 0 || kinds.some((kind) => unknown.has(kind))) return;
      if (!draws.needs([...kinds, ...shape.length === 2 ? ["2 axes"] : [], "too little"])) return;
      await inFolder(async (folder) => {
        const [input, output] = [`${folder}/in.zarr`, `${folder}/out.zarr`];
        const job: PythonZarrJob = { path: input, metadata: metadata.array, items };
        await textsOfPython([job]);
        const chunk = shape.map(() => random.chance(0.2) ? -1 : 1 + random.below(9));
        try {
          await rechunked(input, output, chunk.join(), random.pick([1500, 4_000_000]));
        } catch (error) {
          assertMatch((error as Error).message, /(--max-mem|maxMem) of 1\.5 kB is too little for /);
          return draws.add("too little");
        }
        kinds.forEach((kind) => draws.add(kind));
        if (shape.length === 2) draws.add("2 axes");
        assertEquals(namesIn(folder), ["in.zarr", "out.zarr"]);
        const [found] = await textsOfPython([{ path: output }]);
        assertEquals(found, [...items], metadata.array);
      });
    }, draws);
  },
);

const shape = [60, 8];
const items = Array.from({ length: 480 }, (_, at) => encoder.encode(`città ${at}`.repeat(at % 4)));

/** A group of version 2 with text and numbers along the same axes. */
async function writeCities(path: string): Promise<void> {
  await Deno.mkdir(path);
  await Deno.writeTextFile(`${path}/.zgroup`, '{"zarr_format":2}');
  const common = { zarr_format: 2, compressor: null, order: "C" };
  const array = { ...common, shape, chunks: [7, 8], dtype: "|O", fill_value: "" };
  const names = { ...array, filters: [{ id: "vlen-utf8" }] };
  const metadata = { format: 2, array: JSON.stringify(names), attributes: '{"a":1}' } as const;
  await writeTexts(await createVariable(`${path}/names`, metadata, { chunk: [7, 8] }), items);
  await Deno.mkdir(`${path}/ids`);
  const ids = { ...array, chunks: shape, dtype: "|u1", fill_value: 0, filters: null };
  await Deno.writeTextFile(`${path}/ids/.zarray`, JSON.stringify(ids));
  await Deno.writeFile(`${path}/ids/0.0`, new Uint8Array(480).map((_, at) => at % 100 + 1));
}

const run = ["rechunk", "run", "in.zarr", "out.zarr", "--to", "60,1"];

Deno.test("a group may have text and numbers, and both get other chunks", () =>
  inFolder({}, async (cwd) => {
    await writeCities(`${cwd}/in.zarr`);
    const { status, out, err } = await sluice(["--stats", ...run, "--max-mem", "1MB"], { cwd });
    assertEquals([status, out], [0, ""], err);
    assertMatch(err, /^rechunked +in\.zarr\/ids, 1 pass, .*\nrechunked +in\.zarr\/names, 1 pass, /);
    const names = await openTexts(`${cwd}/out.zarr/names`);
    assertEquals([names.grid.chunk, names.attributes], [[60, 1], { a: 1 }]);
    assertEquals(await readTexts(names), items);
    const column = await Deno.readFile(`${cwd}/out.zarr/ids/0.3`);
    assertEquals(column, new Uint8Array(60).map((_, row) => (8 * row + 3) % 100 + 1));
  }));

Deno.test("empty items are written where the fill value is the 0 of zarr-python, which is no text", () =>
  inFolder({}, async (cwd) => {
    await writeCities(`${cwd}/in.zarr`);
    for (const fill of ["0", "null", '""']) {
      const path = `${cwd}/in.zarr/names/.zarray`;
      const text = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, text.replace(/"fill_value": ?[^,}]+/, `"fill_value":${fill}`));
      const { status, err } = await sluice([...run, "--max-mem", "1MB"], { cwd });
      assertEquals(status, 0, err);
      // Two of the columns have nothing but empty items.
      const chunks = namesIn(`${cwd}/out.zarr/names`).filter((name) => /^\d/.test(name));
      assertEquals(chunks.length, fill === '""' ? 6 : 8, fill);
      await Deno.remove(`${cwd}/out.zarr`, { recursive: true });
    }
  }));

Deno.test("plan says what would be done with text, and how large items are", () =>
  inFolder({}, async (cwd) => {
    await writeCities(`${cwd}/in.zarr`);
    const words = ["rechunk", "plan", "in.zarr/names", "--to", "60,1", "--max-mem", "20kB"];
    const { status, out } = await sluice(words, { cwd });
    assertEquals(status, 0);
    // Items have 0 to 3 times 7 to 9 bytes of text, and 4 that say how many.
    assertStringIncludes(out, "in.zarr/names: 60,8 items of text, about 18 bytes each, 8.6 kB\n");
    assertStringIncludes(out, "chunks of 7,8 (1.0 kB) become chunks of 60,1 (1.1 kB)\n");
    assertMatch(
      out,
      /\nsizes are those of some chunks: boxes whose items do not fit .* are divided\n$/,
    );
    const json = JSON.parse((await sluice([...words, "--json"], { cwd })).out);
    assertEquals([json.stages, json.itemsize, json.writes, json.direct[0]], [[], 18, 8, 60]);
    const both = await sluice(["rechunk", "plan", "in.zarr", ...words.slice(3), "--json"], { cwd });
    assertEquals(Object.keys(JSON.parse(both.out)), ["ids", "names"]);
    const little = await sluice([...words.slice(0, -1), "1kB"], { cwd });
    assertEquals([little.status, little.out], [2, ""]);
    assertMatch(
      little.err,
      /^sluice: error: in\.zarr\/names: --max-mem of 1\.0 kB is too little for/,
    );
    assertEquals(namesIn(cwd), ["in.zarr"]);
  }));

Deno.test("a run whose memory was too little goes on with more", () =>
  inFolder({}, async (cwd) => {
    await writeCities(`${cwd}/in.zarr`);
    // The last column is much larger than what is seen before.
    const uneven = items.map((item, at) => at % 8 === 7 ? encoder.encode("x".repeat(at)) : item);
    const source = await openTexts(`${cwd}/in.zarr/names`);
    await writeTexts(
      await createVariable(`${cwd}/in.zarr/names`, source.metadata, { chunk: [7, 8] }),
      uneven,
    );
    const failed = await sluice([...run, "--max-mem", "30kB"], { cwd });
    assertEquals(failed.status, 1);
    const [, needed] = failed.err.match(
      /^sluice: error: --max-mem of 30\.0 kB is too little for the new chunk at \[0, 7\] of out\.zarr\.partial\/store\/names: raise it to at least ([\d.]+ k?B); out\.zarr\.partial keeps the finished part; continue with --resume\n$/,
    ) ?? [];
    assert(needed !== undefined, failed.err);
    // Two of the seven before it have nothing but the fill value.
    const kept = "out.zarr.partial/store/names";
    assertEquals(namesIn(`${cwd}/${kept}`).filter((name) => /^\d/.test(name)).length, 5);
    const resumed = await sluice([...run, "--max-mem", needed!, "--resume"], { cwd });
    assertEquals([resumed.status, resumed.err], [0, ""]);
    assertEquals(await readTexts(await openTexts(`${cwd}/out.zarr/names`)), uneven);

    // A plan with stores in between is one for its memory.
    const staged = ["rechunk", "run", "in.zarr", "b.zarr", "--to", "60,1", "--stages", "1"];
    const { status, err } = await sluice([...staged, "--max-mem", "30kB"], { cwd });
    assertEquals(status, 1);
    assertMatch(
      err,
      /: raise it to at least [\d.]+ k?B; remove b\.zarr\.partial to begin again with more\n$/,
    );
    await Deno.remove(`${cwd}/b.zarr.partial`, { recursive: true });
  }));

Deno.test("after SIGKILL in the middle of text, --resume gives what one run gives", () =>
  inFolder({}, async (cwd) => {
    await writeCities(`${cwd}/in.zarr`);
    const options = ["--max-mem", "12kB"];
    await sluice([...run.with(3, "whole.zarr"), ...options], { cwd });
    for (const renames of someOf(["12", "3"], 1)) {
      const broken = await sluice([...run, ...options, ...renames === "3" ? ["--resume"] : []], {
        cwd,
        preload: checkoutPath("tests/support/processes/interrupt_after.ts"),
        env: { SLUICE_TEST_SIGNAL: "SIGKILL", SLUICE_TEST_RENAMES: renames },
      });
      assertEquals(broken.status, 137, broken.err);
    }
    const resumed = await sluice([...run, ...options, "--resume"], { cwd });
    assertEquals([resumed.status, resumed.err], [0, ""]);
    assertEquals(namesIn(cwd), ["in.zarr", "out.zarr", "whole.zarr"]);
    assertEquals(namesIn(`${cwd}/out.zarr/names`), namesIn(`${cwd}/whole.zarr/names`));
    assertEquals(await readTexts(await openTexts(`${cwd}/out.zarr/names`)), items);
  }));

Deno.test("as a step, text gets other chunks between read and write", () =>
  inFolder({}, async (cwd) => {
    await writeCities(`${cwd}/in.zarr`);
    const words = "read in.zarr/names then rechunk --to 60,1 --max-mem 40kB then write out.zarr";
    const { status, err } = await sluice(words.split(" "), { cwd });
    assertEquals([status, err], [0, ""]);
    const names = await openTexts(`${cwd}/out.zarr`);
    assertEquals([names.grid.chunk, names.attributes], [[60, 1], { a: 1 }]);
    assertEquals(await readTexts(names), items);
  }));

/** A chunk of one item of so many bytes, all of them 0, in a few kilobytes. */
function inflating(kind: "gzip" | "zstd", numBytes: number): Uint8Array {
  const item = new Uint8Array(8 + numBytes);
  new DataView(item.buffer).setUint32(0, 1, true);
  new DataView(item.buffer).setUint32(4, numBytes, true);
  return kind === "gzip" ? gzipSync(item, { level: 1 }) : zstdCompressSync(item);
}

Deno.test({
  name: "a chunk that inflates beyond --max-mem is refused by name, before its memory is taken",
  // Only Linux tells the peak of a process.
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder({}, async (cwd) => {
      for (const kind of someOf(["gzip", "zstd"] as const, 1)) {
        const metadata = {
          ...{ zarr_format: 3, node_type: "array", shape: [30], data_type: "string" },
          chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
          chunk_key_encoding: { name: "default", configuration: { separator: "." } },
          ...{ fill_value: "", codecs: [{ name: "vlen-utf8" }, { name: kind, configuration: {} }] },
        };
        Deno.mkdirSync(`${cwd}/${kind}.zarr`);
        Deno.writeTextFileSync(`${cwd}/${kind}.zarr/zarr.json`, JSON.stringify(metadata));
        // The first is seen before a plan is made, the sixth in the middle of the run.
        for (const [at, status] of [[5, 1], [0, 2]] as const) {
          Deno.writeFileSync(`${cwd}/${kind}.zarr/c.${at}`, inflating(kind, 256 << 20));
          const words = ["rechunk", "run", `${kind}.zarr`, `${at}.zarr`, "--to", "30"];
          const preload = checkoutPath("tests/support/processes/print_peak.ts");
          const run = await sluice([...words, "--max-mem", "9MB"], { cwd, preload });
          assertEquals(run.status, status, run.err);
          const problem = `--max-mem of 9.0 MB is too little for its chunk ${kind}.zarr/c.${at}, ` +
            "which decodes to more than ";
          assertStringIncludes(run.err, problem);
          Deno.removeSync(`${cwd}/${kind}.zarr/c.${at}`);
          if (status === 1) Deno.removeSync(`${cwd}/${at}.zarr.partial`, { recursive: true });
          const [, peak] = /^peak bytes (\d+)$/m.exec(run.err)!;
          assert(Number(peak) <= 9e6 + constantBytes, `${peak} bytes`);
        }
      }
    }),
});

/** How many times its memory the process has to read. */
const times = fewOr(10, 20);

/** What a process has besides `--max-mem`, as docs/rechunking.md says. */
const constantBytes = 160 << 20;

Deno.test({
  name:
    "the process keeps to --max-mem and a constant, for many times as many bytes of uneven text",
  // Only Linux tells the peak of a process.
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder({}, async (cwd) => {
      const chunk = [10, 400];
      const half = 10 * times;
      const metadata = {
        ...{ zarr_format: 3, node_type: "array", shape: [200 * times, 400], data_type: "string" },
        chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
        chunk_key_encoding: { name: "default", configuration: { separator: "." } },
        ...{ fill_value: "", attributes: {}, codecs: [{ name: "vlen-utf8" }] },
      };
      const like = { format: 3, array: JSON.stringify(metadata) } as const;
      const writer = await createVariable(`${cwd}/in.zarr`, like, { chunk });
      // Two files for all chunks: small items in the first half, large ones in the second.
      const large = (at: number) => 200 + at % 400;
      for (const [first, length] of [[0, (at: number) => at % 40], [half, large]] as const) {
        const list = Array.from({ length: 4000 }, (_, at) =>
          encoder.encode(`${at}:`.padEnd(length(at), "é")));
        await writer.writeChunk([first, 0], textItems(list));
        for (let at = first + 1; at < first + half; at++) {
          Deno.linkSync(`${cwd}/in.zarr/c.${first}.0`, `${cwd}/in.zarr/c.${at}.0`);
        }
      }
      const maxMem = 16_000_000;
      const sizeOf = (chunk: number) =>
        Deno.statSync(`${cwd}/in.zarr/c.${chunk}.0`).size;
      const dataBytes = half * (sizeOf(0) + sizeOf(half));
      assert(dataBytes >= times * maxMem, `${dataBytes} bytes`);
      const words = ["--stats", "rechunk", "run", "in.zarr", "out.zarr", "--to", "40,50"];
      const { status, err } = await sluice([...words, "--max-mem", String(maxMem)], { cwd });
      assertEquals(status, 0, err);
      const [, peak] = /^peak memory +([\d.]+) MiB$/m.exec(err)!;
      const most = maxMem + constantBytes;
      assert(Number(peak) * 2 ** 20 <= most, `${peak} MiB of ${most / 2 ** 20}`);
      const out = await openTexts(`${cwd}/out.zarr`);
      const { offsets, data } = (await out.readChunk([5 * times - 1, 7]))!;
      const item = (at: number) =>
        new TextDecoder().decode(data.subarray(offsets[at], offsets[at + 1]));
      for (const at of [0, 49, 50, 1999]) {
        const inSource = (Math.floor(at / 50) % 10) * 400 + 350 + at % 50;
        assertEquals(item(at), `${inSource}:`.padEnd(large(inSource), "é"));
      }
    }),
});
