/** Arrays of Zarr in files that a test rechunks, and the process that does it. */

import { createFixed } from "./stored_arrays.ts";
import type { RechunkJob } from "./rechunk_job.ts";

/** The settings of blosc. */
const blosc = (cname: string) => ({
  name: "blosc",
  configuration: { cname, clevel: 3, shuffle: "shuffle", typesize: 4, blocksize: 0 },
});

/** Codecs of Zarr 3 by how tests call them. */
const CODECS = {
  plain: [],
  gzip: [{ name: "gzip", configuration: { level: 1 } }],
  zstd: [{ name: "zstd", configuration: { level: 1, checksum: false } }],
  blosc: [blosc("lz4")],
  "blosc with zstd": [blosc("zstd")],
  lz4: [{ name: "numcodecs.lz4", configuration: { acceleration: 1 } }],
  /** Chunks are shards of chunks of a quarter. */
  sharding: [],
} as const;

/** The names of the codecs that an array may have. */
export const codecNames: readonly (keyof typeof CODECS)[] = Object.keys(
  CODECS,
) as (keyof typeof CODECS)[];

const little = { name: "bytes", configuration: { endian: "little" } };

/** An array of float32 with `numChunks` of some shape along the first axis. */
interface StackedArray {
  readonly chunk: readonly number[];
  readonly numChunks: number;
  readonly codec: keyof typeof CODECS;
}

/** Writes one chunk of numbers, and links the others to it: only the first takes room on a disk. */
export async function writeStack(
  path: string,
  { chunk, numChunks, codec }: StackedArray,
): Promise<Float32Array<ArrayBuffer>> {
  const [length, ...rest] = chunk as [number, ...number[]];
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [length * numChunks, ...rest],
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunk } },
    chunk_key_encoding: { name: "default", configuration: { separator: "." } },
    fill_value: 0,
    codecs: codec === "sharding" ? [sharding(chunk)] : [little, ...CODECS[codec]],
    attributes: {},
  };
  const like = { format: 3, array: JSON.stringify(metadata) } as const;
  const parts = codec === "sharding" ? { chunk: quarter(chunk), shard: chunk } : { chunk };
  const array = await createFixed(path, like, parts);
  const items = new Float32Array(chunk.reduce((items, length) => items * length, 1));
  for (let at = 0; at < items.length; at++) items[at] = Math.imul(at, 2_654_435_761) >>> 20;
  const first = rest.map(() => 0);
  await array.writeChunk([0, ...first], new Uint8Array(items.buffer));
  for (let at = 1; at < numChunks; at++) {
    Deno.linkSync(
      `${path}/${["c", 0, ...first].join(".")}`,
      `${path}/${["c", at, ...first].join(".")}`,
    );
  }
  return items;
}

function sharding(chunk: readonly number[]) {
  const index_codecs = [little, { name: "crc32c" }];
  const codecs = [little, ...CODECS.zstd];
  const configuration = { chunk_shape: quarter(chunk), codecs, index_codecs };
  return { name: "sharding_indexed", configuration };
}

function quarter(chunk: readonly number[]): number[] {
  return chunk.map((length, axis) => axis === chunk.length - 1 ? length / 4 : length);
}

/** Runs `rechunk_job.ts`. */
export async function runJob(
  job: RechunkJob,
): Promise<{ peakBytes: number; signal: string | null }> {
  const args = ["run", "-q", "-A", "--no-check", "--lock=deno.dev.lock", "--frozen"];
  const script = new URL("rechunk_job.ts", import.meta.url).pathname;
  const { stdout, stderr, signal, code } = await new Deno.Command(Deno.execPath(), {
    args: [...args, script, JSON.stringify(job)],
  }).output();
  if (code !== 0 && signal === null) throw new Error(new TextDecoder().decode(stderr));
  return { peakBytes: Number(new TextDecoder().decode(stdout)), signal };
}
