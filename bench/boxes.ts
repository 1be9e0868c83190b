/**
 * Measures copies of boxes by the length of their contiguous runs: splits an array into chunks and combines
 * these again, on the host and on a device.
 *
 * @module
 */

import { type BoxCopy, denseStrides } from "../gpu/column/boxes/box_copy.ts";
import type { ColumnType, HostColumn } from "../gpu/column/column.ts";
import { releaseColumn } from "../gpu/column/column.ts";
import type { BoxesRequest } from "../gpu/column/boxes/box_columns.ts";
import { createHostBackend } from "../gpu/host/backend.ts";
import { BoxCopier } from "../gpu/host/boxes/box_copier.ts";
import { createWebGpuBackend, type WebGpuBackend } from "../gpu/webgpu/backend.ts";
import { uploadColumn } from "../gpu/webgpu/transfer/upload.ts";
import { quietDrivers } from "../scripts/quiet_drivers.ts";
import { median } from "./support/measure.ts";

/** Bytes of the array; fewer on a software device, which is slow at short runs. */
const TOTAL_BYTES = 64 << 20;
const SOFTWARE_BYTES = 8 << 20;
/** Chunks next to each other in a line of the array. */
const LINE_CHUNKS = 16;
/** Copies on a device for each wait. */
const COPIES_OF_WAIT = 8;

/** Bytes of a run and of an item; 15 is no number of whole words. */
const RUNS: readonly (readonly [runBytes: number, itemBytes: number])[] = [
  ...([[1, 1], [4, 4], [15, 3], [16, 4], [48, 4], [480, 4], [1_920, 4], [7_680, 4]] as const),
];

/** A job and its speeds. */
interface BoxSpeeds {
  readonly job: string;
  /** Gigabytes copied per second, by contender. */
  readonly speeds: Readonly<Record<string, number>>;
}

/**
 * Measures all contenders for each length of runs, over an array of at most `mostBytes`. Uses the same kinds of
 * devices as `openDevices`.
 */
export async function* measureBoxes(
  numRounds: number,
  mostBytes = TOTAL_BYTES,
): AsyncGenerator<BoxSpeeds, void, void> {
  quietDrivers();
  const software = Deno.env.get("SLUICE_BENCH_SOFTWARE") === "1";
  const device = await createWebGpuBackend({ software });
  const isSlow = device?.context.device.adapter.software === true;
  const totalBytes = Math.min(mostBytes, isSlow ? SOFTWARE_BYTES : TOTAL_BYTES);
  for (const [runBytes, itemBytes] of RUNS) {
    for (const isSplit of [true, false]) {
      const job = `${isSplit ? "split to" : "combine of"} runs of ${runBytes} bytes`;
      const copies = new Copies(totalBytes, runBytes, itemBytes, isSplit);
      const speeds: Record<string, number> = {
        "host, arrays": await speedOf(numRounds, () => onHost(copies)),
        "host, WebAssembly": await speedOf(numRounds, inWebAssembly(copies)),
      };
      if (device !== null) Object.assign(speeds, await deviceSpeeds(device, copies, numRounds));
      yield { job, speeds };
    }
  }
  device?.close();
}

/** The copies of one job. */
class Copies {
  readonly boxes: readonly BoxCopy[];
  readonly column: HostColumn;
  readonly numBytes: number;

  constructor(totalBytes: number, runBytes: number, itemBytes: number, isSplit: boolean) {
    const numLines = Math.floor(totalBytes / runBytes / LINE_CHUNKS);
    this.numBytes = numLines * runBytes * LINE_CHUNKS;
    const shape = [numLines, runBytes / itemBytes];
    const lineStrides = [runBytes * LINE_CHUNKS, itemBytes];
    this.boxes = Array.from({ length: LINE_CHUNKS }, (_, chunk): BoxCopy => {
      const line = { offset: chunk * runBytes, strides: lineStrides };
      const dense = {
        offset: chunk * numLines * runBytes,
        strides: denseStrides(shape, itemBytes),
      };
      const [from, to] = isSplit ? [line, dense] : [dense, line];
      return { itemBytes, shape, from, to };
    });
    const data = new Uint8Array(this.numBytes);
    for (let at = 0; at < data.length; at++) data[at] = at;
    const type: ColumnType = { kind: "fixed", byteWidth: itemBytes };
    const length = data.length / itemBytes;
    const bare = { place: "host", nullCount: 0, validity: null, offsets: null } as const;
    this.column = { ...bare, type, length, data, children: [] };
  }

  request(column: BoxesRequest["sources"][number]["column"] = this.column): BoxesRequest {
    const { type, length } = this.column;
    const fill = new Uint8Array(this.numBytes / length);
    return { type, numRows: length, rowItems: 1, fill, sources: [{ column, boxes: this.boxes }] };
  }
}

const host = createHostBackend({ threads: 1 });

async function onHost(copies: Copies): Promise<number> {
  await host.copyBoxes(copies.request());
  return copies.numBytes;
}

/** Returns a copy in WebAssembly. Both sides lie in one memory, as in a rechunk. */
function inWebAssembly({ boxes, column, numBytes }: Copies): () => number {
  const pages = Math.ceil(2 * numBytes / 65_536) + 1;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  new Uint8Array(memory.buffer).set(column.data);
  const copier = new BoxCopier(memory);
  return () => {
    for (const box of boxes) {
      copier.copy({ ...box, to: { ...box.to, offset: box.to.offset + numBytes } });
    }
    return numBytes;
  };
}

async function deviceSpeeds(
  device: WebGpuBackend,
  copies: Copies,
  numRounds: number,
): Promise<Record<string, number>> {
  const { context, description } = device;
  const { numBytes } = copies;
  const upload = async () => (await uploadColumn(context, copies.column, { label: "bench" }))!;
  const source = await upload();
  const resident = async () => {
    for (let copy = 0; copy < COPIES_OF_WAIT; copy++) {
      releaseColumn(await device.copyBoxes(copies.request(source)));
    }
    await context.device.reads.idle();
    return COPIES_OF_WAIT * numBytes;
  };
  const transferred = async () => {
    const uploaded = await upload();
    const made = await device.copyBoxes(copies.request(uploaded));
    await device.download([made]);
    [uploaded, made].forEach(releaseColumn);
    return numBytes;
  };
  const speeds = {
    [description]: await speedOf(numRounds, resident),
    "with transfers": await speedOf(numRounds, transferred),
  };
  source.release();
  return speeds;
}

/** Returns gigabytes per second: the median of `numRuns` runs, after two that do not count. */
async function speedOf(
  numRuns: number,
  copy: () => number | Promise<number>,
): Promise<number> {
  const speeds: number[] = [];
  for (let run = -2; run < numRuns; run++) {
    const start = performance.now();
    const numBytes = await copy();
    if (run >= 0) speeds.push(numBytes / 1e6 / (performance.now() - start));
  }
  return median(speeds);
}
