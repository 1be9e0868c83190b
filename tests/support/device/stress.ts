/**
 * Every kernel over many rows, again and again: all rounds must return the rows of the host. A missing
 * barrier, or a plain store where neighbours share a word, is right nearly always, and on a software
 * adapter, which runs the invocations of a workgroup in turn, sometimes always. So rows are many, end
 * within words, and the same work is done many times, some of it at once. docs/gpu.md says which
 * planted faults were seen where.
 */

import { Buffer } from "node:buffer";
import type { Backend } from "../../../gpu/backend.ts";
import { type Column, type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import { concatColumns } from "../../../gpu/column/concat.ts";
import type { WebGpuBackend } from "../../../gpu/webgpu/backend.ts";
import { uploadColumn } from "../../../gpu/webgpu/transfer/upload.ts";
import { loadCityNames } from "../values/city_names.ts";
import { columnDigest } from "../values/column_digest.ts";
import { SeededRandom } from "../random/seeded_random.ts";
import { randomColumns, type StressColumn, stressWorks, type Work } from "./stress_works.ts";

/** Rows of one batch, at most: more blocks than one dimension of a dispatch has workgroups. */
const BATCH_ROWS = 2 ** 24 + 13;

/** Rounds that are in flight at a time. */
const TOGETHER = 4;

/** Where the work is done. */
interface StressBackends {
  readonly host: Backend;
  readonly device: WebGpuBackend;
  /** A device on which columns lie in several windows. */
  readonly windowed: WebGpuBackend;
  /** The first device, where text is made in one pass; null where that cannot be. */
  readonly tiled: WebGpuBackend | null;
  /** The first device, where rows have several lanes. */
  readonly laned: WebGpuBackend;
}

/** How much of it. */
interface StressOptions {
  readonly rows: number;
  readonly rounds: number;
  readonly seed: number;
  /** Part of the names of the works that are done; all by default. */
  readonly only?: string;
  /** Minutes in which all works are done, in fewer rounds if need be; no limit by default. */
  readonly minutes?: number;
}

/** What came of a stress test. */
interface StressResult {
  /** Works, each with the rounds in which it gave other rows than the host. */
  readonly wrong: readonly { readonly name: string; readonly rounds: number }[];
  /** Works that the device left to the host, so that nothing was tested. */
  readonly onHost: readonly string[];
  readonly numRuns: number;
  /** The rounds of the work that had the fewest of them, for want of time. */
  readonly fewestRounds: number;
}

/** Does all work over a number of rows, for a number of rounds; `say` receives the progress. */
export async function runStress(
  backends: StressBackends,
  options: StressOptions,
  say: (line: string) => void = () => {},
): Promise<StressResult> {
  const stress = new Stress(backends, options, say);
  await stress.run();
  return stress.result();
}

/** A work, and where it is done. */
interface Placed {
  readonly name: string;
  readonly work: Work;
  readonly device: WebGpuBackend;
}

/** What one run gave. */
interface Outcome {
  readonly columns: readonly HostColumn[];
  readonly numRows: number;
  readonly isOnHost: boolean;
}

class Stress {
  readonly #backends: StressBackends;
  readonly #options: StressOptions;
  readonly #say: (line: string) => void;
  readonly #random: SeededRandom;
  readonly #wrong = new Map<string, number>();
  readonly #onHost = new Set<string>();
  readonly #deadlineMs: number;
  #numRuns = 0;
  #fewestRounds = Infinity;

  constructor(
    backends: StressBackends,
    options: StressOptions,
    say: (line: string) => void,
  ) {
    this.#backends = backends;
    this.#options = options;
    this.#say = say;
    this.#random = new SeededRandom(options.seed);
    this.#deadlineMs = performance.now() + 60_000 * (options.minutes ?? Infinity);
  }

  result(): StressResult {
    return {
      wrong: [...this.#wrong].map(([name, rounds]) => ({ name, rounds })),
      onHost: [...this.#onHost],
      numRuns: this.#numRuns,
      fewestRounds: this.#fewestRounds,
    };
  }

  async run(): Promise<void> {
    const { rows, only = "" } = this.#options;
    const { device, windowed, tiled, laned } = this.#backends;
    const cities = await loadCityNames();
    const placed = stressWorks(this.#random, cities, rows).flatMap((work): Placed[] => [
      { name: work.name, work, device },
      ...work.inWindows ? [{ name: `${work.name} in windows`, work, device: windowed }] : [],
      ...work.inOnePass && tiled ? [{ name: `${work.name} in one pass`, work, device: tiled }] : [],
      ...work.inLanes ? [{ name: `${work.name} in lanes`, work, device: laned }] : [],
    ]).filter(({ name }) => name.includes(only));
    const starts: number[] = [];
    for (let start = 0; start < rows; start += BATCH_ROWS) starts.push(start);
    let left = placed.length * starts.length;
    for (const start of starts) {
      const columns = randomColumns(this.#random, cities, Math.min(BATCH_ROWS, rows - start));
      for (const each of placed) await this.#work(each, columns, left--);
      this.#say(`${Math.min(rows, start + BATCH_ROWS)} rows done`);
    }
  }

  /** All rounds of one work; `numLeft` works share the time that is left. */
  async #work(
    { name, work, device }: Placed,
    all: Readonly<Record<StressColumn, HostColumn>>,
    numLeft: number,
  ): Promise<void> {
    const start = performance.now();
    const stopMs = start + (this.#deadlineMs - start) / numLeft;
    const inputs = work.reads.map((name) => all[name]);
    const expected = digestOf(await outcomeOf(this.#backends.host, work, inputs));
    const columns = await uploadAll(device, inputs, work.reads);
    let sound: Outcome | null = null;
    let round = 0;
    try {
      while (round < this.#options.rounds && (round === 0 || performance.now() < stopMs)) {
        const count = Math.min(TOGETHER, this.#options.rounds - round);
        const outcomes = await Promise.allSettled(
          Array.from({ length: count }, () => outcomeOf(device, work, columns)),
        );
        device.context.device.check();
        for (const settled of outcomes) {
          if (settled.status === "rejected") {
            this.#note(name, round, `${settled.reason}`);
            continue;
          }
          const outcome = settled.value;
          if (outcome.isOnHost) this.#onHost.add(name);
          if (sound !== null && isSame(outcome, sound)) continue;
          if (digestOf(outcome) === expected) sound = outcome;
          else this.#note(name, round);
        }
        round += count;
      }
    } finally {
      columns.forEach(releaseColumn);
    }
    this.#numRuns += round;
    this.#fewestRounds = Math.min(this.#fewestRounds, round);
    this.#say(`${name}: ${round} rounds, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }

  #note(name: string, round: number, what: string = "other rows than the host's"): void {
    this.#wrong.set(name, (this.#wrong.get(name) ?? 0) + 1);
    this.#say(`WRONG: ${name}, about round ${round}: ${what}`);
  }
}

/** The columns on the device, where they stay for all rounds. */
async function uploadAll(
  { context }: WebGpuBackend,
  columns: readonly HostColumn[],
  names: readonly StressColumn[],
): Promise<Column[]> {
  const uploaded: Column[] = [];
  for (const [k, column] of columns.entries()) {
    const label = names[k]!;
    const made = await uploadColumn(context, column, { label, ascii: label === "label" });
    if (made === null) throw new Error(`A row of ${label} does not fit a window`);
    uploaded.push(made);
  }
  return uploaded;
}

/** All rows of the results of a work, wherever a backend cuts them. */
async function outcomeOf(
  backend: Backend,
  work: Work,
  columns: readonly Column[],
): Promise<Outcome> {
  const parts: (readonly HostColumn[])[] = [];
  let [numRows, isOnHost] = [0, false];
  for await (const result of work.run(backend, columns)) {
    isOnHost ||= result.columns.some(({ place }) => place === "host");
    numRows += result.numRows;
    parts.push(await backend.download(result.columns));
    result.columns.forEach(releaseColumn);
  }
  // Build-only rows of a join have other columns.
  const alike = Map.groupBy(parts, (part) => JSON.stringify(part.map(({ type }) => type)));
  const made = [...alike.values()].flatMap((parts) =>
    parts[0]!.map((_, k) => concatColumns(parts.map((part) => part[k]!)))
  );
  return { columns: made, numRows, isOnHost };
}

function digestOf({ columns, numRows }: Outcome): string {
  return [numRows, ...columns.map(columnDigest)].join();
}

/** Whether all bytes are the same, also below nulls: then rows are, and no digest is needed. */
function isSame(one: Outcome, other: Outcome): boolean {
  return one.numRows === other.numRows &&
    one.columns.every((column, k) => hasSameBytes(column, other.columns[k]!));
}

function hasSameBytes(one: HostColumn, other: HostColumn): boolean {
  const isEqual = (a: ArrayBufferView | null, b: ArrayBufferView | null) =>
    a === null || b === null ? a === b : Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
  return one.length === other.length && isEqual(one.data, other.data) &&
    isEqual(one.validity, other.validity) && isEqual(one.offsets, other.offsets) &&
    one.children.every((child, k) => hasSameBytes(child, other.children[k]!));
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
