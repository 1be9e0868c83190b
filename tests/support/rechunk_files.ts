/** Arrays of Zarr in files that a test rechunks, and the process that does it. */

import { createZarrArray } from "../../streams/zarr/create_zarr_array.ts";
import type { RechunkJob } from "./rechunk_job.ts";

/** Codecs of Zarr 3 by how tests call them. */
const CODECS = {
  plain: [],
  gzip: [{ name: "gzip", configuration: { level: 1 } }],
  zstd: [{ name: "zstd", configuration: { level: 1, checksum: false } }],
  blosc: [{
    name: "blosc",
    configuration: { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 4, blocksize: 0 },
  }],
} as const;

/** An array of float32 with `numChunks` of some shape along the first axis. */
export interface StackedArray {
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
    codecs: [{ name: "bytes", configuration: { endian: "little" } }, ...CODECS[codec]],
    attributes: {},
  };
  const like = { format: 3, array: JSON.stringify(metadata) } as const;
  const array = await createZarrArray(path, like, { chunk });
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
