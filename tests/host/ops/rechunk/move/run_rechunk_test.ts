import { assert, assertEquals, assertRejects } from "@std/assert";
import FileSystemStore from "@zarrita/storage/fs";
import * as zarr from "zarrita";
import { boxLimit, excessBytes } from "../../../../../ops/rechunk/plan/fixed_memory.ts";
import { passesOf } from "../../../../../ops/rechunk/plan/fixed_pass.ts";
import { fixedMetadata } from "../../../../../ops/rechunk/store/fixed_metadata.ts";
import type { RechunkProgress, RechunkRun } from "../../../../../ops/rechunk/move/rechunk_run.ts";
import { runRechunk } from "../../../../../ops/rechunk/move/run_rechunk.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { MemoryZarr } from "../../../../support/zarr/memory_zarr.ts";
import { handMadePlan, randomCase } from "../../../../support/zarr/rechunk_cases.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { isFixed } from "../../../../../streams/formats/zarr/items/array.ts";

const MAX_MEM = 1 << 24;

Deno.test("runRechunk() gives every chunk what brute force gives it", () =>
  inFolder((folder) => {
    const draws = new Draws([
      ...["0 stages", "1 stages", "2 stages", "3 stages", "missing chunks", "no items", "no axes"],
    ]);
    return forSeeds(150, async (random) => {
      const { source, target, expected, plan } = randomCase(random, draws);
      const run = { source, target, plan, temp: `${folder}/temp` };
      const isTight = random.chance(0.5) && !source.grid.shape.includes(0);
      await runRechunk({ ...run, maxMem: isTight ? leastMemory(run) : MAX_MEM });
      assertEquals(target.chunks, expected.chunks);
      assertEquals(names(folder), []);
    }, draws);
  }));

Deno.test("runRechunk() writes each chunk once, and tells of every byte read and written", () =>
  inFolder((folder) =>
    forSeeds(50, async (random) => {
      const { source, target, plan } = randomCase(random, new Draws([]));
      const seen: RechunkProgress[] = [];
      const onProgress = (progress: RechunkProgress) => seen.push(progress);
      await runRechunk({
        source,
        target,
        plan,
        temp: `${folder}/temp`,
        maxMem: MAX_MEM,
        onProgress,
      });
      assertEquals(new Set(target.writes).size, target.writes.length);
      const numStages = plan.stages.length + 1;
      const totalBytes = 2 * numStages * source.items().length;
      for (const [at, { stage, bytes, ...rest }] of seen.entries()) {
        assertEquals(rest, { numStages, totalBytes });
        const before = seen[at - 1];
        assert(bytes > (before?.bytes ?? 0), "bytes do not grow");
        assert(
          stage === (before?.stage ?? 1) || stage === before!.stage + 1,
          "stages are left out",
        );
      }
      assertEquals(seen.at(-1)?.bytes ?? 0, totalBytes);
    })
  ));

Deno.test("runRechunk() touches no file where a plan has no stages, and no folder is given", async () => {
  const { source, target } = smallArrays();
  await runRechunk({ source, target, plan: handMadePlan([], [6, 4]), maxMem: MAX_MEM });
  assertEquals(target.items(), source.items());
});

Deno.test("runRechunk() reads each chunk once where boxes are made of whole ones", async () => {
  const { source, target } = smallArrays();
  await runRechunk({ source, target, plan: handMadePlan([], [6, 4]), maxMem: MAX_MEM });
  assertEquals(source.reads, ["0,0", "1,0", "2,0"]);
});

Deno.test("runRechunk() reads a chunk once that two boxes along one axis share", async () => {
  const { source } = smallArrays();
  const target = new MemoryZarr({ shape: [6, 4], chunk: [3, 1] });
  await runRechunk({ source, target, plan: handMadePlan([], [3, 4]), maxMem: MAX_MEM });
  assertEquals(source.reads, ["0,0", "1,0", "2,0"]);
  assertEquals(target.items(), source.items());
});

Deno.test("what is missing stays missing, in stores and in the target", () =>
  inFolder(async (folder) => {
    const temp = `${folder}/temp`;
    const { source } = smallArrays();
    source.chunks.delete("1,0");
    const target = new MemoryZarr({ shape: [6, 4], chunk: [2, 2] });
    let files: string[] = [];
    const onProgress = ({ stage }: RechunkProgress) => {
      if (stage === 2 && files.length === 0) files = names(`${temp}/store-1`);
    };
    const plan = handMadePlan([[[2, 4], [1, 4], [6, 4]]]);
    await runRechunk({ source, target, plan, temp, maxMem: MAX_MEM, onProgress });
    assertEquals(files, ["c.0.0", "c.1.0", "c.4.0", "c.5.0", "zarr.json"]);
    assertEquals(target.writes, ["0,0", "0,1", "2,0", "2,1"]);
    assertEquals(target.items(), source.items());
  }));

Deno.test("a store in between is an array that zarrita reads", () =>
  inFolder(async (folder) => {
    const { source, target } = smallArrays();
    const temp = `${folder}/temp`;
    const plan = handMadePlan([[[2, 4], [2, 1], [6, 1]]]);
    let copied = false;
    const onProgress = ({ stage }: RechunkProgress) => {
      if (stage < 2 || copied) return;
      copied = true;
      Deno.mkdirSync(`${folder}/copy`);
      for (const name of names(`${temp}/store-1`)) {
        Deno.copyFileSync(`${temp}/store-1/${name}`, `${folder}/copy/${name}`);
      }
    };
    await runRechunk({ source, target, plan, temp, maxMem: MAX_MEM, onProgress });
    const location = zarr.root(new FileSystemStore(`${folder}/copy`));
    const array = await zarr.open.v3(location, { kind: "array" });
    assertEquals([array.shape, array.chunks, array.dtype], [[6, 4], [2, 1], "float32"]);
    const { data } = await zarr.get(array as zarr.Array<"float32">);
    assertEquals(new Uint8Array(data.buffer), source.items());
  }));

const FILLS = [
  ["bool", [1], true],
  ["int8", [0xff], -1],
  ["uint16", [0xff, 0xff], 65_535],
  ["int32", [0, 0, 0, 0x80], -(2 ** 31)],
  ["uint64", [1, 2, 0, 0, 0, 0, 0, 0], 513],
  ["float32", [0, 0, 0xc0, 0x7f], "NaN"],
  ["float64", [0, 0, 0, 0, 0, 0, 0xf0, 0xff], "-Infinity"],
  ["float64", [0, 0, 0, 0, 0, 0, 0xf0, 0x3f], 1],
  ["numpy.datetime64", [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]],
] as const;

Deno.test("a store in between names types that all readers know, and others by their bits", () => {
  for (const [dataType, bytes, fill] of FILLS) {
    const array = new MemoryZarr({
      shape: [1],
      chunk: [1],
      dataType,
      fill: Uint8Array.from(bytes),
    });
    const { data_type, fill_value } = JSON.parse(fixedMetadata(array.grid, array));
    assertEquals(fill_value, fill);
    assertEquals(data_type, dataType === "numpy.datetime64" ? "r64" : dataType);
  }
});

Deno.test("runRechunk() refuses plans that do not fit", async () => {
  const { source, target } = smallArrays();
  const refused = async (
    plan: ReturnType<typeof handMadePlan>,
    message: string,
    maxMem = MAX_MEM,
    goal = target,
  ) => {
    const run = runRechunk({ source, target: goal, plan, maxMem, temp: "never" });
    assertEquals((await assertRejects(() => run, RangeError)).message, message);
  };
  await refused(handMadePlan([], [4, 3]), "Boxes of 4,3 items are not made of whole chunks of 6,1");
  await refused(handMadePlan([], [6]), "A box of 6 items does not fit an array of 2 axes");
  await refused(handMadePlan([], [6, 0]), "A box of 6,0 items does not fit an array of 2 axes");
  await refused(handMadePlan([]), "The plan has neither stages nor a box to go directly");
  await refused(
    handMadePlan([], [6, 4]),
    "in.zarr: the plan takes 124 B of memory, but maxMem is 123 B",
    123,
  );
  const other = new MemoryZarr({ shape: [6, 5], chunk: [6, 1], name: "out.zarr" });
  await refused(
    handMadePlan([], [6, 4]),
    "out.zarr: has another shape, type or fill value than in.zarr",
    MAX_MEM,
    other,
  );
  assertEquals(source.reads, []);
});

/** Rows of 4 items to columns of 6. */
function smallArrays(): { source: MemoryZarr; target: MemoryZarr } {
  const items = new Uint8Array(Float32Array.from({ length: 24 }, (_, at) => at + 1).buffer);
  return {
    source: MemoryZarr.of({ shape: [6, 4], chunk: [2, 4], name: "in.zarr" }, items),
    target: new MemoryZarr({ shape: [6, 4], chunk: [6, 1], name: "out.zarr" }),
  };
}

/** The least memory in which a plan runs. */
function leastMemory(
  { source, target, plan }: Pick<RechunkRun, "source" | "target" | "plan">,
): number {
  if (!isFixed(source) || !isFixed(target)) throw new Error("its items have a variable size");
  const { itemBytes } = source;
  const ends = { source: source.grid, target: target.writeGrid, itemBytes };
  const limits = { source, target, maxMem: 1 };
  return 1 + excessBytes(passesOf(plan, ends, boxLimit(limits)), limits);
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}
