/** `sluice rechunk run`: what it makes, and how it ends. zarrita and Python judge the items. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import FileSystemStore from "@zarrita/storage/fs";
import { FileSystemStore as Store } from "@zarrita/storage";
import * as zarr from "zarrita";
import { RechunkPace } from "../../../../cli/rechunk/rechunk_progress.ts";
import { StoreLock } from "../../../../cli/rechunk/store_lock.ts";
import { namesIn } from "../../../support/processes/bad_commands.ts";
import { inFolder } from "../../../support/files/folder.ts";
import { pythonTest } from "../../../support/judges/python.ts";
import { pythonKnows, zarrOfPython } from "../../../support/judges/python_zarr.ts";
import { randomZarr } from "../../../support/random/random_zarr.ts";
import { rechunked } from "../../../support/zarr/rechunk_here.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { checkoutPath, sluice } from "../../../support/processes/sluice.ts";
import { fewOr, someOf } from "../../../support/random/test_size.ts";

pythonTest("the items of any array are those of before, as Python reads and wrote them", () => {
  const draws = new Draws(["sharding_indexed", "gzip", "crc32c", "transpose", "F", "big"]);
  const parts = ["group", "array", "2 axes", "version 2"];
  const all = new Draws([...draws.missing, ...parts]);
  return forSeeds(fewOr(2, 20), async (random) => {
    const drawn = randomZarr(random, all);
    const { metadata, shape, items, kinds } = drawn;
    if (shape.length === 0 || !pythonKnows(kinds)) return;
    const isGroup = random.chance(0.5);
    all.add(isGroup ? "group" : "array");
    if (shape.length === 2) all.add("2 axes");
    if (metadata.format === 2) all.add("version 2");
    await inFolder(async (folder) => {
      const [input, output] = [`${folder}/in.zarr`, `${folder}/out.zarr`];
      const [from, to] = isGroup ? [`${input}/a`, `${output}/a`] : [input, output];
      await zarrOfPython([{ path: from, metadata: metadata.array, items }]);
      if (isGroup) {
        await Deno.writeTextFile(`${input}/zarr.json`, '{"zarr_format":3,"node_type":"group"}');
      }
      const chunk = shape.map(() => random.chance(0.2) ? -1 : 1 + random.below(9));
      await rechunked(input, output, chunk.join(), 4_000_000);
      assertEquals(namesIn(folder), ["in.zarr", "out.zarr"]);
      const [found] = await zarrOfPython([{ path: to }]);
      assertEquals(found, items, metadata.array);
    });
  }, all);
});

/** What the test knows of a group, which it writes by zarrita. */
const shape = [60, 8, 12];
const items = Float32Array.from({ length: 60 * 8 * 12 }, (_, at) => at % 1000 / 8);
const little = { name: "bytes", configuration: { endian: "little" } };

const zstd = { name: "zstd", configuration: { level: 1 } };

/** A group of an array of three axes, and one for each of its axes. */
async function writeAir(path: string, codecs = [little, zstd]): Promise<void> {
  const root = zarr.root(new Store(path));
  await zarr.create(root, { attributes: { title: "air" } });
  const air = await zarr.create(root.resolve("air"), {
    dtype: "float32",
    shape,
    chunkShape: [7, 8, 12],
    dimensionNames: ["time", "lat", "lon"],
    attributes: { units: "K" },
    codecs,
    fillValue: 1,
  });
  await zarr.set(air, null, { data: items, shape, stride: [96, 12, 1] });
  for (const [axis, name] of ["time", "lat", "lon"].entries()) {
    const length = shape[axis]!;
    const array = await zarr.create(root.resolve(name), {
      dtype: "int32",
      shape: [length],
      chunkShape: [5],
      dimensionNames: [name],
      codecs: [little],
    });
    const data = Int32Array.from({ length }, (_, at) => at);
    await zarr.set(array, null, { data, shape: [length], stride: [1] });
  }
}

async function readAir(path: string) {
  const root = zarr.root(new FileSystemStore(path));
  const air = await zarr.open(root.resolve("air"), { kind: "array" });
  const { data, stride } = await zarr.get(air as zarr.Array<"float32">);
  assertEquals(stride, [96, 12, 1]);
  return {
    chunks: air.chunks,
    dtype: air.dtype,
    attrs: air.attrs,
    data,
    names: air.dimensionNames,
  };
}

const wanted = {
  chunks: [60, 2, 5],
  dtype: "float32" as const,
  attrs: { units: "K" },
  data: items,
  names: ["time", "lat", "lon"],
};
const air = ["rechunk", "run", "in.zarr", "out.zarr", "--to", "time=-1,lat=2,lon=5"];

/** All files below a folder with their bytes. */
function filesIn(folder: string, path = ""): [path: string, bytes: Uint8Array][] {
  return [...Deno.readDirSync(`${folder}/${path}`)].flatMap(({ name, isDirectory }) => {
    const below = `${path}${name}`;
    const bytes = () => Deno.readFileSync(`${folder}/${below}`);
    return isDirectory ? filesIn(folder, `${below}/`) : [[below, bytes()] as [string, Uint8Array]];
  }).sort(([one], [two]) => one < two ? -1 : 1);
}

Deno.test("a group is rechunked by names of dimensions, and all else stays as it was", () =>
  inFolder({}, async (cwd) => {
    await writeAir(`${cwd}/in.zarr`);
    const before = filesIn(`${cwd}/in.zarr`);
    const run = await sluice([...air, "--max-mem", "4MB", "--stages", "2"], { cwd });
    assertEquals([run.status, run.out, run.err], [0, "", ""]);
    assertEquals(namesIn(cwd), ["in.zarr", "out.zarr"]);
    assertEquals(await readAir(`${cwd}/out.zarr`), wanted);
    assertEquals(filesIn(`${cwd}/in.zarr`), before);
    const isOther = ([path]: [string, Uint8Array]) => !/^(air|zarr\.json$)/.test(path);
    const after = filesIn(`${cwd}/out.zarr`);
    assertEquals(after.filter(isOther), before.filter(isOther));
    const root = JSON.parse(await Deno.readTextFile(`${cwd}/out.zarr/zarr.json`));
    assertEquals(root.attributes, { title: "air" });
  }));

Deno.test("--to as a list is for all arrays with as many axes, and shorter axes are whole", () =>
  inFolder({}, async (cwd) => {
    await writeAir(`${cwd}/in.zarr`);
    const words = ["rechunk", "run", "in.zarr", "out.zarr", "--to", "30", "--max-mem", "4MB"];
    assertEquals((await sluice(words, { cwd })).err, "");
    const root = zarr.root(new FileSystemStore(`${cwd}/out.zarr`));
    const chunks = [];
    for (const name of ["time", "lat", "lon", "air"]) {
      const array = await zarr.open(root.resolve(name), { kind: "array" });
      chunks.push(array.chunks);
      if (name === "air") continue;
      const { data } = await zarr.get(array as zarr.Array<"int32">);
      assertEquals(data, Int32Array.from({ length: array.shape[0]! }, (_, at) => at));
    }
    assertEquals(chunks, [[30], [8], [12], [7, 8, 12]]);
  }));

Deno.test("an array without axes is one chunk, which is copied", () =>
  inFolder({}, async (cwd) => {
    const root = zarr.root(new Store(`${cwd}/in.zarr`));
    const options = { shape: [], chunkShape: [], codecs: [little] };
    const one = await zarr.create(root, { dtype: "float32", ...options });
    await zarr.set(one, null, 2.5);
    const run = (to: string) =>
      sluice(["rechunk", "run", "in.zarr", "out.zarr", "--to", to, "--max-mem", "1kB"], { cwd });
    const refused = await run("1");
    assertEquals(
      refused.err,
      "sluice: error: --to 1 has 1 axis, but in.zarr has none: write --to -1\n",
    );
    const { status, err } = await run("-1");
    assertEquals([status, err], [0, ""]);
    const found = await zarr.open(zarr.root(new Store(`${cwd}/out.zarr`)), { kind: "array" });
    assertEquals((await zarr.get(found)) as unknown, 2.5);
  }));

Deno.test("an array of a group is rechunked alone by its path", () =>
  inFolder({}, async (cwd) => {
    await writeAir(`${cwd}/in.zarr`);
    const words = ["rechunk", "run", "in.zarr/air/", "out/", "--to", "60,2,5", "--max-mem", "4MB"];
    await Deno.mkdir(`${cwd}/tmp`);
    const run = await sluice(["--temp", "tmp", ...words], { cwd });
    assertEquals([run.status, run.err], [0, ""]);
    assertEquals([namesIn(cwd), namesIn(`${cwd}/tmp`)], [["in.zarr", "out", "tmp"], []]);
    const array = await zarr.open(zarr.root(new FileSystemStore(`${cwd}/out`)), { kind: "array" });
    assertEquals((await zarr.get(array as zarr.Array<"float32">)).data, items);
  }));

Deno.test("--explain and rechunk plan say what would be done, and write nothing", () =>
  inFolder({}, async (cwd) => {
    await writeAir(`${cwd}/in.zarr`);
    const limits = ["--max-mem", "4MB", "--stages", "1"];
    const { status, out, err } = await sluice([...air, ...limits, "--explain"], { cwd });
    assertEquals([status, err], [0, ""]);
    assertMatch(out, /^in\.zarr\/air: 60,8,12 items of 4 bytes, 23\.0 kB\n/);
    assertStringIncludes(out, "\nstage 1: ");
    assert(out.endsWith("\n\ncopied as they are: lat, lon, time\n"), out);
    const plan = (words: string[]) =>
      sluice(["rechunk", "plan", ...words, "--to", "60,2,5", ...limits], { cwd });
    const text = (await plan(["in.zarr"])).out;
    assertEquals(out.slice(0, text.length), text);
    const one = JSON.parse((await plan(["in.zarr/air", "--json"])).out);
    assertEquals(JSON.parse((await plan(["in.zarr", "--json"])).out), { air: one });
    assertEquals(one.stages.length, 1);
    const drawn = await plan(["in.zarr", "--svg", "air.svg"]);
    assertEquals([drawn.err, namesIn(cwd)], ["", ["air.svg", "in.zarr"]]);
    const svg = await Deno.readTextFile(`${cwd}/air.svg`);
    for (const text of ["in.zarr/air: ", ">time<", ">lat<", ">lon<"]) {
      assertStringIncludes(svg, text);
    }
  }));

Deno.test("--stats says what was read and written", () =>
  inFolder({}, async (cwd) => {
    await writeAir(`${cwd}/in.zarr`);
    const { out, err } = await sluice(["--stats", ...air, "--max-mem", "4MB"], { cwd });
    assertEquals(out, "");
    const labels = err.trimEnd().split("\n").map((line) => line.slice(0, 13).trimEnd());
    const copied = ["copied", "copied", "copied"];
    assertEquals(labels, ["rechunked", ...copied, "written", "elapsed", "peak memory"]);
    assertMatch(err, /^rechunked +in\.zarr\/air, \d+ pass(es)?, [\d.]+ KiB read\n/);
    assertMatch(err, /^written +out\.zarr$/m);
  }));

/** How a run is broken off: after so many files have got their names. */
const breaks: readonly (readonly [signal: string, renames: number, status: number])[] = [
  ["SIGINT", 30, 130],
  ["SIGTERM", 1, 143],
  ["SIGKILL", 3, 137],
  ["SIGKILL", 50, 137],
  ["SIGKILL", 72, 137],
];

for (const [signal, renames, status] of someOf(breaks, 1)) {
  Deno.test(`after ${signal} in the middle (${renames}), --resume gives what one run gives`, () =>
    inFolder({}, async (cwd) => {
      await writeAir(`${cwd}/in.zarr`, [little]);
      const options = ["--max-mem", "6kB", "--stages", "2"];
      await sluice([...air.with(3, "whole.zarr"), ...options], { cwd });
      const broken = await sluice([...air, ...options], {
        cwd,
        preload: checkoutPath("tests/support/processes/interrupt_after.ts"),
        env: { SLUICE_TEST_SIGNAL: signal, SLUICE_TEST_RENAMES: String(renames) },
      });
      assertEquals([broken.status, broken.out], [status, ""], broken.err);
      const goOn = "out.zarr.partial keeps the finished part; continue with --resume";
      assertEquals(broken.err, signal === "SIGKILL" ? "" : `sluice: interrupted; ${goOn}\n`);
      assert(!namesIn(cwd).includes("out.zarr"));
      const again = await sluice([...air, ...options], { cwd });
      assertEquals(
        [again.status, again.err],
        [
          1,
          "sluice: error: out.zarr.partial: is left from an interrupted run; " +
          "continue it with --resume, or remove it\n",
        ],
      );
      const other = await sluice([...air, ...options.with(1, "7kB"), "--resume"], { cwd });
      assertEquals(other.status, 2);
      assertMatch(other.err, /out\.zarr\.partial is from a run with --max-mem 6kB: resume with/);
      // A store of the same name in another folder is another one.
      await writeAir(`${cwd}/elsewhere/in.zarr`, [little]);
      const words = [...air.with(3, `${cwd}/out.zarr`), ...options, "--resume"];
      const moved = await sluice(words, { cwd: `${cwd}/elsewhere` });
      assertEquals(moved.status, 2);
      assertMatch(moved.err, /out\.zarr\.partial is from a run with IN .+\/in\.zarr: resume with/);
      await Deno.remove(`${cwd}/elsewhere`, { recursive: true });
      const resumed = await sluice([...air, ...options, "--resume"], { cwd });
      assertEquals([resumed.status, resumed.err], [0, ""]);
      assertEquals(namesIn(cwd), ["in.zarr", "out.zarr", "whole.zarr"]);
      assertEquals(filesIn(`${cwd}/out.zarr`), filesIn(`${cwd}/whole.zarr`));
      assertEquals(await readAir(`${cwd}/out.zarr`), wanted);
    }));
}

Deno.test("a result that another process builds is left to it, until that ends", () =>
  inFolder({}, async (cwd) => {
    await writeAir(`${cwd}/in.zarr`, [little]);
    const run = [...air, "--max-mem", "6kB", "--stages", "2"];
    const broken = await sluice(run, {
      cwd,
      preload: checkoutPath("tests/support/processes/interrupt_after.ts"),
      env: { SLUICE_TEST_SIGNAL: "SIGKILL", SLUICE_TEST_RENAMES: "20" },
    });
    assertEquals(broken.status, 137);
    const partial = `${cwd}/out.zarr.partial`;
    const left = filesIn(cwd);
    {
      using _lock = StoreLock.take(partial);
      for (const words of [run, [...run, "--resume"]]) {
        const { status, err } = await sluice(words, { cwd });
        const problem = "is being written by another run: wait until it ends";
        assertEquals([status, err], [1, `sluice: error: out.zarr.partial: ${problem}\n`]);
      }
    }
    assertEquals(filesIn(cwd), left);
    assertEquals((await sluice([...run, "--resume"], { cwd })).err, "");
    assertEquals(await readAir(`${cwd}/out.zarr`), wanted);
    assertEquals(namesIn(`${cwd}/out.zarr`), ["air", "lat", "lon", "time", "zarr.json"]);
  }));

/** As `writeAir`, with a codec of which nobody knows. */
async function writeOdd(path: string): Promise<void> {
  await writeAir(path, [little]);
  const text = await Deno.readTextFile(`${path}/air/zarr.json`);
  await Deno.writeTextFile(
    `${path}/air/zarr.json`,
    text.replace(/"name": ?"bytes"/, '"name":"pcodec"'),
  );
}

Deno.test("an array whose codecs are not supported stays as it is, with a warning", () =>
  inFolder({}, async (cwd) => {
    await writeOdd(`${cwd}/in.zarr`);
    const words = ["rechunk", "run", "in.zarr", "out.zarr", "--to", "30", "--max-mem", "4MB"];
    const { status, err } = await sluice(words, { cwd });
    const line = "in.zarr/air: its codec pcodec is not supported; it stays as it is";
    assertEquals([status, err], [0, `sluice: warning: ${line}\n`]);
    assertEquals(filesIn(`${cwd}/out.zarr/air`), filesIn(`${cwd}/in.zarr/air`));
  }));

Deno.test("arrays that only consolidated metadata has are named by run, plan and read", () =>
  inFolder({}, async (cwd) => {
    await writeAir(`${cwd}/in.zarr`);
    const path = `${cwd}/in.zarr/zarr.json`;
    const held = { metadata: { wind: { node_type: "array" } } };
    const root = { ...JSON.parse(Deno.readTextFileSync(path)), consolidated_metadata: held };
    Deno.writeTextFileSync(path, JSON.stringify(root));
    const told = 'its consolidated metadata names "wind", which the store does not contain';
    const limits = ["--to", "30", "--max-mem", "4MB"];
    const run = await sluice(["rechunk", "run", "in.zarr", "out.zarr", ...limits], { cwd });
    assertEquals([run.status, run.err], [0, `sluice: warning: in.zarr: ${told}\n`]);
    const plan = await sluice(["rechunk", "plan", "in.zarr", ...limits], { cwd });
    assertEquals([plan.status, plan.err], [0, `sluice: warning: in.zarr: ${told}\n`]);
    const read = await sluice(["read", "in.zarr"], { cwd });
    assertEquals(read.status, 1);
    assertMatch(
      read.err,
      new RegExp(`in\\.zarr: is a group, but only one array can be read: .+; ${told}\n$`),
    );
  }));

Deno.test("folders of this machine may be named by their URLs", () =>
  inFolder(async (cwd) => {
    await writeAir(`${cwd}/in.zarr`);
    await Deno.mkdir(`${cwd}/temp`);
    const [input, output, temp] = ["in.zarr/air", "out%20.zarr/", "temp"].map((name) =>
      `file://${cwd}/${name}`
    );
    const limits = ["--to", "60,2,3", "--max-mem", "4MB"];
    const words = ["rechunk", "run", input!, output!, ...limits, "--temp", temp!];
    const { status, err } = await sluice(words);
    assertEquals([status, err], [0, ""]);
    assertEquals(namesIn(cwd), ["in.zarr", "out .zarr", "temp"]);
    const read = ["read", output!, "then", "rechunk", "--to", "7,8,12", ...limits.slice(2)];
    const write = ["--temp", temp!, "then", "write", `file://${cwd}/back.zarr`];
    assertEquals((await sluice([...read, ...write])).err, "");
    const { data } = await zarr.get(
      await zarr.open(new Store(`${cwd}/back.zarr`), { kind: "array" }),
    );
    assertEquals(data, items);
  }));

/** Words behind `rechunk run`, the status, and the one line. */
const mistakes: readonly (readonly [words: string, status: number, line: RegExp])[] = [
  ["", 2, /^Too few arguments; usage: rechunk run IN\.zarr OUT\.zarr --to A,B --max-mem SIZE$/],
  ["in.zarr --to 1 --max-mem 1MB", 2, /^Too few arguments; usage: /],
  ["in.zarr out.zarr x --to 1 --max-mem 1MB", 2, /^Unexpected argument "x"; usage: /],
  ["in.zarr out.zarr", 2, /^rechunk needs --to, /],
  ["in.zarr out.zarr --to 1,1,1", 2, /^rechunk needs --max-mem, /],
  [
    "in.zarr out.zarr --to 1,1,1 --max-mem 1MB --stages 17",
    2,
    /^--stages is 17: a plan has at most 16$/,
  ],
  ["in.zarr out.zarr --to 1,1,1 --max-mem 1MB --resum", 2, /--resum; did you mean --resume\?$/],
  [
    "in.zarr out.zarr --to 1,1 --max-mem 1MB",
    2,
    /has 2 axes, but no array of in\.zarr does: air has 3,/,
  ],
  [
    "in.zarr/lat out.zarr --to 1,1 --max-mem 1MB",
    2,
    /^--to 1,1 has 2 axes, but in\.zarr\/lat has 1$/,
  ],
  ["in.zarr out.zarr --to tiem=1 --max-mem 1MB", 2, /no dimension tiem; did you mean time\?$/],
  ["in.zarr out.zarr --to q=1 --max-mem 1MB", 2, /no dimension q; there are time, lat, lon$/],
  ["in.zarr/lat out.zarr --to lat=1,lon=2 --max-mem 1MB", 2, /has no dimension lon/],
  ["in.zarr out.zarr --to 9,9,9 --max-mem 2kB", 2, /^in\.zarr\/air: .*--max-mem.*raise it to at/],
  ["no.zarr out.zarr --to 1 --max-mem 1MB", 1, /^no\.zarr: no such file$/],
  ["file out.zarr --to 1 --max-mem 1MB", 1, /^file: is a file, not a folder with a Zarr/],
  [". out.zarr --to 1 --max-mem 1MB", 2, /^out\.zarr is in \., which is read: write beside it$/],
  ["empty out.zarr --to 1 --max-mem 1MB", 1, /^empty: is not a Zarr array or group: /],
  ["in.zarr in.zarr --to 1,1,1 --max-mem 1MB", 2, /^in\.zarr and in\.zarr are the same/],
  ["in.zarr ./in.zarr/ --to 1,1,1 --max-mem 1MB", 2, /^in\.zarr and \.\/in\.zarr are the same/],
  ["in.zarr in.zarr/out --to 1,1,1 --max-mem 1MB", 2, /^in\.zarr\/out is in in\.zarr, which is/],
  ["in.zarr empty --to 1,1,1 --max-mem 1MB", 1, /^empty: exists already, and is not replaced/],
  ["in.zarr no/out.zarr --to 1,1,1 --max-mem 1MB", 1, /^no\/out\.zarr: .* does not exist$/],
  ["in.zarr file/out --to 1,1,1 --max-mem 1MB", 1, /^file\/out: /],
  [
    "in.zarr out --to 1,1,1 --max-mem 1MB --temp in.zarr/air",
    2,
    /^--temp in\.zarr\/air is in in\.zarr, which is read$/,
  ],
  [
    "in.zarr out --to 1,1,1 --max-mem 1MB --temp no",
    1,
    /^no: is not a folder that --temp can use$/,
  ],
  ["https://a.b/c?key=1 out --to 1 --max-mem 1MB", 2, /^rechunk reads and writes folders of this/],
  ["in.zarr file://far/out --to 1,1,1 --max-mem 1MB", 2, /of this machine, not file:\/\/far\/out$/],
  ["odd/air out --to 1,1,1 --max-mem 1MB", 1, /^odd\/air: its codec pcodec is not supported$/],
  [
    "odd out --to 1,1,1 --max-mem 1MB",
    2,
    /^--to 1,1,1 has 3 axes, but no array of odd does: lat has 1, .*; odd\/air: its codec pcodec is not/,
  ],
  [
    "maxMem.zarr out --to 1,1,1 --max-mem 1kB",
    2,
    /^maxMem\.zarr\/air: --max-mem of 1\.0 kB is too little .*: raise it to at least [\d.]+ MB$/,
  ],
];

Deno.test("mistakes are one line each, with their status, and nothing is written", () =>
  inFolder({ file: "no Zarr" }, async (cwd) => {
    await writeAir(`${cwd}/in.zarr`);
    await Deno.mkdir(`${cwd}/empty`);
    await writeOdd(`${cwd}/odd`);
    await writeAir(`${cwd}/maxMem.zarr`);
    const before = filesIn(cwd);
    for (const [words, status, line] of someOf(mistakes, 5)) {
      const all = ["rechunk", "run", ...words.split(" ").filter((word) => word !== "")];
      const result = await sluice(all, { cwd });
      assertEquals([words, result.status, result.out], [words, status, ""], result.err);
      assertMatch(/^sluice: error: (.*)\n$/.exec(result.err)?.[1] ?? `lines: ${result.err}`, line);
    }
    assertEquals(namesIn(cwd), ["empty", "file", "in.zarr", "maxMem.zarr", "odd"]);
    assertEquals(filesIn(cwd), before);
  }));

Deno.test("a number of threads that is none is a mistake, before anything is made", () =>
  inFolder(async (folder) => {
    await writeAir(`${folder}/in.zarr`);
    const words = ["rechunk", "run", "in.zarr", "out.zarr", "--to", "-1,1,1", "--max-mem", "4MB"];
    const { status, err } = await sluice(words, { cwd: folder, env: { SLUICE_THREADS: "abc" } });
    const message = 'SLUICE_THREADS is a number of threads from 1 on, not "abc"';
    assertEquals([status, err], [2, `sluice: error: ${message}\n`]);
    assertEquals(namesIn(folder), ["in.zarr"]);
  }));

Deno.test("a damaged chunk ends the run by its name, and says how to go on", () =>
  inFolder({}, async (cwd) => {
    await writeAir(`${cwd}/in.zarr`);
    const chunk = `${cwd}/in.zarr/air/c/3/0/0`;
    const good = await Deno.readFile(chunk);
    await Deno.writeFile(chunk, good.slice(0, 20));
    const words = [...air, "--max-mem", "4MB"];
    const { status, out, err } = await sluice(words, { cwd });
    assertEquals([status, out], [1, ""]);
    assertMatch(
      err,
      /^sluice: error: in\.zarr\/air\/c\/3\/0\/0: .*; out\.zarr\.partial keeps .*--resume.*\n$/,
    );
    await Deno.writeFile(chunk, good);
    assertEquals((await sluice([...words, "--resume"], { cwd })).err, "");
    assertEquals(await readAir(`${cwd}/out.zarr`), wanted);
  }));

/** As docs/rechunking.md says: what a process has besides `--max-mem`, and for each other thread. */
const constantBytes = (96 << 20) + (Math.min(navigator.hardwareConcurrency, 8) - 1) * (24 << 20);

/** How many times its memory the process has to read. */
const times = fewOr(10, 20);

for (const codec of someOf(["plain", "zstd"] as const, 1)) {
  Deno.test({
    name: `the process keeps to --max-mem and a constant, for many times as many bytes: ${codec}`,
    // Only Linux tells the peak of a process.
    ignore: Deno.build.os !== "linux",
    fn: () =>
      inFolder({}, async (cwd) => {
        const length = 32 * times;
        const codecs = codec === "plain" ? [little] : [little, zstd];
        const array = await zarr.create(zarr.root(new Store(`${cwd}/in.zarr`)), {
          dtype: "float32",
          shape: [length, 256, 256],
          chunkShape: [8, 256, 256],
          codecs,
        });
        const data = new Float32Array(8 * 256 * 256);
        for (let chunk = 0; chunk < length / 8; chunk++) {
          for (let at = 0; at < data.length; at++) data[at] = Math.sin(at * (chunk + 1));
          const region = { data, shape: [8, 256, 256], stride: [65536, 256, 1] };
          await zarr.set(array, [zarr.slice(8 * chunk, 8 * chunk + 8), null, null], region);
        }
        const maxMem = 8_300_000;
        assert(length * 256 * 256 * 4 >= times * maxMem);
        const words = [
          "--stats",
          "rechunk",
          "run",
          "in.zarr",
          "out.zarr",
          "--to",
          `${length},16,16`,
        ];
        const { status, err } = await sluice([...words, "--max-mem", String(maxMem)], { cwd });
        assertEquals(status, 0, err);
        const [, peak] = /^peak memory +([\d.]+) MiB$/m.exec(err)!;
        const most = maxMem + constantBytes;
        assert(Number(peak) * 2 ** 20 <= most, `${peak} MiB of ${most / 2 ** 20}`);
        const out = await zarr.open(zarr.root(new FileSystemStore(`${cwd}/out.zarr`)), {
          kind: "array",
        });
        const { data: column } = await zarr.get(out as zarr.Array<"float32">, [null, 3, 5]);
        const place = 3 * 256 + 5;
        const expected = Float32Array.from(
          { length },
          (_, time) => Math.sin((place + 65536 * (time % 8)) * (Math.floor(time / 8) + 1)),
        );
        assertEquals(column, expected);
      }),
  });
}

Deno.test("--progress shows the stage that runs, with its bytes", () =>
  inFolder({}, async (cwd) => {
    await writeAir(`${cwd}/in.zarr`, [little]);
    const words = ["--progress", ...air, "--max-mem", "6kB", "--stages", "2"];
    // Every file takes some time.
    const { status, err } = await sluice(words, {
      cwd,
      preload: checkoutPath("tests/support/processes/interrupt_after.ts"),
      env: { SLUICE_TEST_SIGNAL: "SIGCONT", SLUICE_TEST_RENAMES: "1" },
    });
    const lines = err.trimEnd().split("\n");
    assertEquals([status, lines.length > 0], [0, true]);
    // At the end, what was made is brought to the disk.
    const form =
      /^\d+%, [\d.]+ s, [\d.]+ s left, (air stage [123] of 3, [\d.]+ (B|KiB) of 45\.0 KiB, |.*KiB\/s$)/;
    assertMatch(lines[0]!, /, air stage [123] of 3, /);
    for (const line of lines) assertMatch(line, form);
  }));

Deno.test("the line of progress has the share, the time left, the stage and its bytes", () => {
  const pace = new RechunkPace(8000);
  pace.next(4000);
  pace.add(0);
  const stage = { name: "air", label: "stage 2 of 2", totalBytes: 2000, bytesBefore: 1500 };
  pace.set({ ...stage, bytes: 500 });
  pace.add(1000);
  const line = "75%, 1.0 s, 1.0 s left, air stage 2 of 2, 500 B of 2.0 KiB, 2.0 KiB/s";
  assertEquals(pace.line(1000), line);
  assertEquals(pace.line(1000, 24), "75%, 1.0 s, 1.0 s left");
  pace.next(4000);
  assertEquals(pace.line(1000).split(", ")[0], "100%");
  assertEquals(new RechunkPace(0).line(0), "100%, 0.0 s");
});
