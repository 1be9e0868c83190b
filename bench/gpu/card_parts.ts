/**
 * The parts of the measurement of a card, the most important ones first, with their time limits.
 *
 * @module
 */

import { measureBoxes } from "../boxes.ts";
import { columnBytes, type HostColumn, releaseColumn } from "../../gpu/column/column.ts";
import { inspectColumn } from "../../gpu/column/utf8.ts";
import { createHostBackend } from "../../gpu/host/backend.ts";
import type { WebGpuBackend } from "../../gpu/webgpu/backend.ts";
import { requestAdapter } from "../../gpu/webgpu/device/open_gpu.ts";
import { selfTest } from "../../gpu/webgpu/trial/self_test.ts";
import { areAsciiOnDevice } from "../../gpu/webgpu/evaluate/ascii_text.ts";
import { countLongRows } from "../../gpu/webgpu/memory/long_rows.ts";
import { memoryBudget } from "../../gpu/webgpu/memory/card_memory.ts";
import type { WebGpuColumn } from "../../gpu/webgpu/memory/device_column.ts";
import { uploadColumn } from "../../gpu/webgpu/transfer/upload.ts";
import { type Card, timesOf } from "./card.ts";
import { measureCompiles } from "./compiles.ts";
import { measureInFlight } from "./in_flight.ts";
import { measureLatency } from "./latency.ts";
import { kindsColumn, namesColumn } from "./made_columns.ts";
import { measureScans } from "./scans.ts";
import { measureTransfers, measureWaits } from "./transfers.ts";
import { measureVariants } from "./variants.ts";
import { expression, join, redactWork, releaseResult, type Work, workPlans } from "./works.ts";

/** A part. */
interface CardPart {
  readonly seconds: number;
  /** Whether it needs no device. */
  readonly isOnHost?: boolean;
  measure(card: Card): Promise<void>;
}

const MILLION = 1_000_000;
/** The bytes of the largest copy in parts with little time. */
const FEW_BYTES = 256e6;

/** The parts by name, in the order of measurement. */
export const CARD_PARTS: Readonly<Record<string, CardPart>> = {
  adapter: { seconds: 20, measure: describeDevice },
  latency: {
    seconds: 20,
    async measure(card) {
      await measureLatency(card, await card.open({ profile: false }));
    },
  },
  redact: { seconds: 45, measure: measureRedact },
  batches: { seconds: 20, measure: measureBatches },
  joins: { seconds: 45, measure: measureJoins },
  kernels: { seconds: 60, measure: measureKernels },
  link: { seconds: 30, measure: measureLink },
  // The first part fills the cache of the driver, the second finds it filled.
  "compile, cold": { seconds: 15, measure: measureCompilation },
  "compile, warm": { seconds: 15, measure: measureCompilation },
  "host costs": { seconds: 15, measure: measureHostCosts },
  "host, all threads": { seconds: 30, isOnHost: true, measure: (card) => measureHost(card) },
  lanes: { seconds: 30, measure: measureLanes },
  variants: {
    seconds: 25,
    async measure(card) {
      const gpu = await card.open({ profile: true });
      const numRows = card.scaled(5 * MILLION);
      const columns = { name: namesColumn(numRows), kind: kindsColumn(numRows) };
      await measureVariants(card, gpu, columns, (made) => uploadAll(gpu.backend, made));
    },
  },
  "in flight": {
    seconds: 30,
    async measure(card) {
      const gpu = await card.open({ profile: false });
      await card.step("redact, host to host", () => measureInFlight(gpu));
    },
  },
  boxes: {
    seconds: 20,
    async measure(card) {
      for await (const speeds of measureBoxes(3, card.scaled(2 ** 26))) {
        card.note({ speeds });
        if (card.isLate) return;
      }
    },
  },
  "host, two threads": { seconds: 30, isOnHost: true, measure: (card) => measureHost(card, 2) },
};

/** The test files that run first: about code that software adapters test least. */
export const FIRST_TESTS: readonly string[] = [
  ...["tiled_pass", "tiled_gather", "lanes"].map((name) => `strategies/${name}`),
  ...["join/build_index", "join/join_keys", "dispatch/commands", "strategies/long_rows"],
  ...["gather/filter", "evaluate/ascii_text", "strategies/sure_text", "lower/look"],
  ...["join/results", "boxes/copy_boxes", "memory/buffer_pool"],
];

async function describeDevice(card: Card): Promise<void> {
  await card.step("adapter", async () => {
    const adapter = (await requestAdapter())!;
    const { vendor, architecture, device, description, subgroupMinSize, subgroupMaxSize } =
      adapter.info;
    const limits: Record<string, number> = {};
    for (const name in adapter.limits) {
      limits[name] = adapter.limits[name as keyof GPUSupportedLimits] as number;
    }
    card.note({ limits, features: [...adapter.features].sort() });
    return { vendor, architecture, device, description, subgroupMinSize, subgroupMaxSize };
  });
  const { context } = await card.open({ profile: false });
  await card.timed("self-test", 3, () => selfTest(context.device));
  await card.timed("memory asked for", 1, () => memoryBudget(context.device));
  card.note({ bindingBytes: context.device.maxBindingBytes, budget: context.pool.budgetBytes });
}

async function measureRedact(card: Card): Promise<void> {
  const gpu = await card.open({ profile: true });
  await card.copies(gpu);
  const rows = [0.6 * MILLION, 5 * MILLION].map((count) => card.scaled(count));
  for (const numRows of rows) await card.inBothPasses(gpu, redactWork(numRows));
  for await (const scan of measureScans(gpu)) card.note({ scan });
  gpu.context.device.stopProfile();
  for (const numRows of rows) {
    const work = redactWork(numRows);
    await card.timed(`redact of ${numRows} rows, host to host`, 7, () => toHost(gpu.backend, work));
    const columns = await uploadAll(gpu.backend, work.columns);
    await card.timed(`redact of ${numRows} rows on the device`, 15, async () => {
      for await (const result of work.run(gpu.backend, columns)) releaseResult(result);
    });
    columns.forEach(releaseColumn);
  }
}

/** Measures batches from the host and back, one by one and four in flight. */
async function measureBatches(card: Card): Promise<void> {
  const { backend } = await card.open({ profile: false });
  const numBatches = 40;
  for (const numRows of [100, 10_000, 100_000, MILLION]) {
    if (numRows > Math.max(10_000, card.scaled(MILLION))) break;
    const work = redactWork(numRows);
    for (const depth of [1, 4]) {
      await card.step(`batches of ${numRows} rows, ${depth} in flight`, async () => {
        for (let k = 0; k < 5; k++) await toHost(backend, work);
        let left = numBatches;
        const start = performance.now();
        await Promise.all(Array.from({ length: depth }, async () => {
          while (left-- > 0) await toHost(backend, work);
        }));
        return { msEach: (performance.now() - start) / numBatches };
      });
    }
  }
}

async function measureJoins(card: Card): Promise<void> {
  const gpu = await card.open({ profile: true });
  await card.copies(gpu, FEW_BYTES);
  const numRows = card.scaled(10 * MILLION);
  const [million, few] = [card.scaled(MILLION), card.scaled(10_000, 1000)];
  const plans = [
    join(numRows, million, million),
    join(numRows, few, million),
    join(numRows, million, numRows),
    join(numRows, numRows, numRows),
  ];
  for (const plan of plans) await card.work(gpu, plan.make(numRows));
  gpu.context.device.stopProfile();
  for (const plan of plans.slice(0, 2)) {
    await card.timed(
      `${plan.name}, host to host`,
      3,
      () => toHost(gpu.backend, plan.make(numRows)),
    );
  }
}

function textWorks(numRows: number): Work[] {
  const [name, kind] = [namesColumn(numRows), kindsColumn(numRows)];
  return [
    expression("upper", "name.upper()", { name }),
    expression("contains", 'name.contains("an")', { name }),
    expression("splitPart", 'name.splitPart(" ", 1)', { name }),
    expression("chain", 'name.strip().replace("a", "bb").title().pad(24)', { name }),
    expression("regex", 'name.replaceRe("[aeiou]+", "-")', { name }),
    expression("concat", 'name + "," + kind', { name, kind }),
  ];
}

/** Works that have only one strategy, whatever the options. */
const ONE_WAY = ["upper", "contains"];

async function measureKernels(card: Card): Promise<void> {
  const gpu = await card.open({ profile: true });
  await card.copies(gpu, FEW_BYTES);
  for (const work of textWorks(card.scaled(5 * MILLION))) {
    if (ONE_WAY.includes(work.name)) await card.work(gpu, work);
    else await card.inBothPasses(gpu, work);
  }
  for (const { name, numRows, make } of workPlans()) {
    if (/^(filter|gather)/.test(name)) await card.inBothPasses(gpu, make(card.scaled(numRows)));
  }
}

/** Measures transfers; uploads also by chunk size, with and without a submit for each chunk. */
async function measureLink(card: Card): Promise<void> {
  const gpu = await card.open({ profile: false });
  await card.step("waits", () => measureWaits(gpu));
  await card.step("transfers", () => measureTransfers(gpu));
  const { gpu: device } = gpu.context.device;
  const total = card.scaled(2 ** 29, 2 ** 24) & ~3;
  // STORAGE, COPY_SRC, COPY_DST
  const target = device.createBuffer({ label: "link", size: total, usage: 0x80 | 0x0c });
  for (const mib of [1, 4, 8, 16, 32]) {
    const data = new Uint8Array(Math.min(total, mib * 2 ** 20)).fill(7);
    for (const isSubmitted of [false, true]) {
      const how = isSubmitted ? "a submit each" : "one submit";
      await card.step(`up in pieces of ${mib} MiB, ${how}`, async () => {
        const times = await timesOf(3, async () => {
          for (let at = 0; at + data.length <= total; at += data.length) {
            device.queue.writeBuffer(target, at, data);
            if (isSubmitted) device.queue.submit([]);
          }
          device.queue.submit([]);
          await gpu.context.device.settle(device.queue.onSubmittedWorkDone());
        });
        return { gbPerSecond: total / 1e6 / times.medianMs, ...times };
      });
    }
  }
  target.destroy();
  const source = new Uint8Array(card.scaled(2 ** 26, 2 ** 20)).fill(1);
  const warm = source.slice();
  await card.timed(`${source.length} bytes copied to fresh memory`, 5, () => source.slice());
  await card.timed(`${source.length} bytes copied to warm memory`, 5, () => warm.set(source));
}

async function measureCompilation(card: Card): Promise<void> {
  const gpu = await card.open({ profile: false });
  await card.step("compiling", () => measureCompiles(gpu));
}

/** Measures the work of the host on a batch on its way to the device, step by step. */
async function measureHostCosts(card: Card): Promise<void> {
  const { backend } = await card.open({ profile: false });
  const { context } = backend;
  const { columns } = redactWork(card.scaled(5 * MILLION));
  // New arrays, since nothing is remembered about their text.
  const unknown = () => columns.map((column) => ({ ...column, data: column.data.subarray(0) }));
  await card.timed("text looked at by the host", 5, () => unknown().map((c) => inspectColumn(c)));
  await card.timed(
    "long rows counted",
    5,
    () => columns.map((column) => countLongRows(column, context.longRowBytes)),
  );
  await card.timed("columns uploaded", 5, async () => {
    const uploaded = await uploadAll(backend, columns);
    context.device.gpu.queue.submit([]);
    await context.device.settle(context.device.gpu.queue.onSubmittedWorkDone());
    uploaded.forEach(releaseColumn);
  });
  const uploaded = await uploadAll(backend, columns);
  await card.timed("text looked at by the device", 5, () => areAsciiOnDevice(context, uploaded));
  await card.timed("columns copied on the device and downloaded", 5, async () => {
    const rows = Int32Array.from({ length: uploaded[0]!.length }, (_, row) => row);
    const made = await backend.gather(uploaded, rows);
    await backend.download(made);
    made.forEach(releaseColumn);
  });
  uploaded.forEach(releaseColumn);
}

/** Measures the same works on the host with a number of threads. */
async function measureHost(card: Card, threads = navigator.hardwareConcurrency): Promise<void> {
  const backend = createHostBackend({ threads });
  const numProbed = card.scaled(10 * MILLION);
  const million = card.scaled(MILLION);
  // Made one by one, since making columns of ten million rows takes a second.
  const works: (() => readonly Work[])[] = [
    () => [redactWork(card.scaled(0.6 * MILLION))],
    () => [redactWork(card.scaled(5 * MILLION))],
    () => [join(numProbed, million, million).make(numProbed)],
    () => [join(numProbed, card.scaled(10_000, 1000), million).make(numProbed)],
    () => textWorks(card.scaled(5 * MILLION)),
    ...workPlans().filter(({ name }) => /^(filter|gather)/.test(name)).map((plan) => () => [
      plan.make(card.scaled(plan.numRows / 4)),
    ]),
  ];
  for (const make of works) {
    if (card.isLate) break;
    for (const work of make()) {
      await card.timed(`${work.name}, ${work.numRows} rows, ${threads} threads`, 5, async () => {
        for await (const result of work.run(backend, work.columns)) releaseResult(result);
      });
    }
  }
  await backend.close();
}

async function measureLanes(card: Card): Promise<void> {
  const gpu = await card.open({ profile: true });
  await card.copies(gpu, FEW_BYTES);
  for (const { name, numRows, hasLanes, make } of workPlans()) {
    if (!name.startsWith("contains")) continue;
    const work = make(card.scaled(numRows));
    if (!hasLanes) await card.work(gpu, work);
    else {
      await card.work(gpu.inLanes("never"), work, " with one lane");
      await card.work(gpu.inLanes("always"), work, " with several lanes");
    }
  }
}

async function uploadAll(
  { context }: WebGpuBackend,
  columns: readonly HostColumn[],
): Promise<WebGpuColumn[]> {
  const uploaded: WebGpuColumn[] = [];
  for (const column of columns) {
    uploaded.push((await uploadColumn(context, column, { label: "bench", ascii: true }))!);
  }
  return uploaded;
}

/** Runs a work over columns of the host, and downloads its results. */
async function toHost(backend: WebGpuBackend, { run, columns }: Work): Promise<void> {
  // New arrays, since nothing is remembered about their text, as for a batch that was just read.
  const unknown = columns.map((column) => ({ ...column, data: column.data.subarray(0) }));
  for await (const result of run(backend, unknown)) {
    const made = await backend.download(result.columns);
    releaseResult(result);
    if (made.every((column) => columnBytes(column) === 0)) throw new Error("rows are missing");
  }
}
