/**
 * Runs that go on after the machine ended: what had a name but was not on the disk comes back as zeros, as
 * some file systems have it.
 */

import { assertEquals } from "@std/assert";
import { runRechunk } from "../../../../../ops/rechunk/move/run_rechunk.ts";
import { planArrays } from "../../../../../ops/rechunk/plan/plan_arrays.ts";
import { isFixed } from "../../../../../streams/formats/zarr/items/array.ts";
import {
  createArray,
  type NewArray,
} from "../../../../../streams/formats/zarr/store/create_array.ts";
import { openZarr } from "../../../../../streams/formats/zarr/store/open_zarr.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { readItems, writeItems } from "../../../../support/zarr/zarr_items.ts";
import { readTexts, writeTexts } from "../../../../support/zarr/zarr_texts.ts";

/** A disk that loses what was not brought to it. */
class LossyDisk implements Disposable {
  readonly #rename = Deno.renameSync;
  readonly #open = Deno.openSync;
  readonly #sync = Deno.FsFile.prototype.sync;
  readonly #synced = new Set<string>();
  /** Files that have their names, and whether their bytes were on the disk before. */
  readonly #named = new Map<string, boolean>();

  constructor() {
    const paths = new WeakMap<Deno.FsFile, string>();
    Deno.openSync = (path, options) => {
      const file = this.#open(path, options);
      paths.set(file, String(path));
      if (options?.write === true) this.#synced.delete(String(path));
      return file;
    };
    const [sync, synced] = [this.#sync, this.#synced];
    Deno.FsFile.prototype.sync = async function () {
      await sync.call(this);
      synced.add(paths.get(this)!);
    };
    Deno.renameSync = (from, to) => {
      this.#rename(from, to);
      this.#named.set(String(to), this.#synced.has(String(from)));
      if (this.#synced.delete(String(from))) this.#synced.add(String(to));
    };
  }

  /** Ends the machine. Returns how many chunks were lost. */
  end(): number {
    let numLost = 0;
    for (const [path, isOnDisk] of this.#named) {
      if (isOnDisk || this.#synced.has(path) || !/\/c[./][\d./]+$/.test(path)) continue;
      try {
        const { size } = Deno.statSync(path);
        Deno.writeFileSync(path, new Uint8Array(size));
        numLost++;
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
    return numLost;
  }

  [Symbol.dispose](): void {
    Deno.renameSync = this.#rename;
    Deno.openSync = this.#open;
    Deno.FsFile.prototype.sync = this.#sync;
  }
}

class Ended extends Error {}

const shape = [24, 30];

function metadataOf(type: "int32" | "string", chunk: readonly number[]) {
  const codecs = type === "string"
    ? [{ name: "vlen-utf8" }]
    : [{ name: "bytes", configuration: { endian: "little" } }];
  const document = {
    ...{ zarr_format: 3, node_type: "array", shape, data_type: type, codecs, attributes: {} },
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: type === "string" ? "" : 0,
  };
  return { format: 3, array: JSON.stringify(document) } as const;
}

/** Writes an array without zeros, so that a chunk of zeros is never right. */
async function writeSource(path: string, type: "int32" | "string"): Promise<void> {
  const writer = await createArray(path, metadataOf(type, [3, 10]), { chunk: [3, 10] });
  const numbers = Array.from({ length: 24 * 30 }, (_, at) => at + 1);
  if (isFixed(writer)) {
    await writeItems(writer, new Uint8Array(Int32Array.from(numbers).buffer));
  } else {
    await writeTexts(writer, numbers.map((number) => new TextEncoder().encode(`item ${number}`)));
  }
}

async function opened(path: string) {
  const node = await openZarr(path);
  if (node.kind !== "array") throw new Error(`${path} is no array`);
  return node.array;
}

async function itemsAt(path: string): Promise<unknown> {
  const array = await opened(path);
  return isFixed(array) ? await readItems(array) : await readTexts(array);
}

for (const type of ["int32", "string"] as const) {
  Deno.test(`no chunk that the end of the machine lost is taken for a whole one: ${type}`, () => {
    const draws = new Draws(["in the first pass", "in the last pass", "stages", "no stages"]);
    return forSeeds(20, (random) =>
      inFolder({}, async (folder) => {
        const [from, to, temp] = ["in", "out", "temp"].map((name) => `${folder}/${name}`);
        await writeSource(from!, type);
        const source = await opened(from!);
        const changes: NewArray = { chunk: [8, 4] };
        const create = () => createArray(to!, source.metadata, changes, { isDurable: true });
        const stages = random.pick([0, 1]);
        const limits = { maxMem: 40_000, stages };
        draws.add(stages === 0 ? "no stages" : "stages");
        const planned = await planArrays({ source, target: await create(), ...limits });
        const run = {
          source,
          ...planned,
          maxMem: 40_000,
          temp: temp!,
          isDurable: true,
          threads: 1,
        };
        let left = random.below(60);
        {
          using disk = new LossyDisk();
          const onProgress = ({ stage, numStages }: { stage: number; numStages: number }) => {
            if (left-- !== 0) return;
            draws.add(stage === numStages ? "in the last pass" : "in the first pass");
            throw new Ended();
          };
          await runRechunk({ ...run, target: await create(), onProgress }).catch((error) => {
            if (!(error instanceof Ended)) throw error;
          });
          assertEquals(disk.end(), 0);
        }
        await runRechunk({ ...run, target: await create(), resume: true });
        assertEquals(await itemsAt(to!), await itemsAt(from!));
      }), draws);
  });
}
