/**
 * A run of the fuzzer: starts processes that run cases, watches them, and tells what came of it.
 */

import { fileURLToPath } from "node:url";
import { TextLineStream } from "@std/streams";
import type { Message } from "./child.ts";
import { keepCase } from "./assert_case.ts";
import { decodeCase } from "./fuzz_case.ts";
import { Tally } from "./tally.ts";
import { peersHere } from "./zarr_files.ts";

/** How long to run, and on what. */
interface FuzzOptions {
  readonly seed: number;
  readonly minutes: number;
  /** Processes at once. */
  readonly jobs: number;
  /** The name of the adapter; undefined where there is none. */
  readonly adapter: string | undefined;
}

/** The share of cases that run on a device too. */
const DEVICE_SHARE = 0.15;
/** Numbers of cases between those of one process and of the next. */
const CASES_PER_JOB = 2 ** 24;
/** Milliseconds without a sign of life after which a process hangs. */
const SILENT_MS = 90_000;
/** Cases from which on what was never drawn is a failure: the rarest is drawn once in three hundred. */
const FULL_CASES = 6000;
const CHILD = fileURLToPath(new URL("child.ts", import.meta.url));

/** Runs cases, and counts. */
export class FuzzRun {
  readonly #options: FuzzOptions;
  readonly #tally = new Tally();
  readonly #kept = new Set<string>();
  #passed = 0;
  #unsuited = 0;
  #failed = 0;

  /** Nothing is started. */
  constructor(options: FuzzOptions) {
    this.#options = options;
  }

  /** Runs random cases; gives the number of failures. */
  async fuzz(): Promise<number> {
    const { seed, minutes, jobs, adapter } = this.#options;
    console.log(`Seed ${seed}, ${minutes} minutes, ${jobs} processes, ${adapter ?? "no adapter"}`);
    const start = performance.now();
    const end = start + minutes * 60_000;
    await Promise.all(
      Array.from({ length: jobs }, (_, job) => this.#runJob(job * CASES_PER_JOB, end)),
    );
    const seconds = (performance.now() - start) / 1000;
    const numCases = this.#passed + this.#unsuited + this.#failed;
    for (const line of this.#tally.lines()) console.log(line);
    const never = this.#tally.never(adapter !== undefined, peersHere());
    if (never.length > 0) console.log(`Never drawn: ${never.join(", ")}`);
    if (numCases >= FULL_CASES) this.#failed += never.length;
    console.log(
      `Seed ${seed}: ${numCases} cases in ${seconds.toFixed(0)} s, ` +
        `${(numCases / seconds).toFixed(1)} a second, ${this.#unsuited} of them not judged`,
    );
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    return this.#failed;
  }

  /** Runs the case of a file; gives the number of failures. */
  async replay(path: string): Promise<number> {
    await this.#watch(["replay", path], (message) => {
      if ("drawn" in message) this.#passed += message.passed;
      if (!("found" in message)) return;
      console.log(`FAILED ${message.found.message}`);
      this.#failed++;
    });
    if (this.#passed + this.#failed === 0) this.#failed++;
    console.log(`${this.#passed} passed, ${this.#failed} failed`);
    return this.#failed;
  }

  async #runJob(first: number, end: number): Promise<void> {
    const { seed, adapter } = this.#options;
    const share = adapter === undefined ? 0 : DEVICE_SHARE;
    for (let next = first; performance.now() < end - 1000;) {
      let last = next;
      const left = (end - performance.now()) / 1000;
      const ending = await this.#watch(["run", seed, next, share, left].map(String), (message) => {
        if ("at" in message && message.at >= 0) last = message.at;
        else if ("drawn" in message) this.#count(message);
        else if ("found" in message) this.#keep(message);
      });
      if (ending === undefined) return;
      await this.#keepLost(last, share, ending);
      next = last + 1;
    }
  }

  #count({ drawn, passed, unsuited }: Extract<Message, { drawn: unknown }>): void {
    for (const [name, count] of drawn) this.#tally.add(name, count);
    this.#passed += passed;
    this.#unsuited += unsuited;
  }

  async #keep({ found, json, seconds }: Extract<Message, { found: unknown }>): Promise<void> {
    this.#failed++;
    if (this.#kept.has(json)) return;
    this.#kept.add(json);
    const path = await keepCase(decodeCase(json), found.kind);
    console.log(`FAILED after ${seconds.toFixed(0)} s: ${found.message}`);
    console.log(`    deno task fuzz --replay ${path}`);
  }

  /** Keeps a case in which the process hung or ended, as it is. */
  async #keepLost(index: number, share: number, ending: string): Promise<void> {
    const { seed } = this.#options;
    this.#failed++;
    await this.#watch(["show", seed, index, share].map(String), async (message) => {
      if (!("shown" in message)) return;
      const path = await keepCase({ ...decodeCase(message.shown), about: ending }, ending);
      console.log(`FAILED: ${ending}\n    deno task fuzz --replay ${path}`);
    });
  }

  /** Runs a child and hands on what it says; gives how it ended where that was not by itself. */
  async #watch(
    args: readonly string[],
    heard: (message: Message) => void | Promise<void>,
  ): Promise<string | undefined> {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "-A", "--no-check", "--lock=deno.dev.lock", "--frozen", CHILD, ...args],
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    let ending: string | undefined;
    const kill = () => {
      ending = `hangs for ${SILENT_MS / 1000} s`;
      child.kill("SIGKILL");
    };
    let timer = setTimeout(kill, SILENT_MS);
    const lines: ReadableStream<string> = child.stdout.pipeThrough(new TextDecoderStream())
      .pipeThrough(new TextLineStream());
    for await (const line of lines) {
      clearTimeout(timer);
      timer = setTimeout(kill, SILENT_MS);
      if (line.startsWith("{")) await heard(JSON.parse(line) as Message);
    }
    clearTimeout(timer);
    const { code, signal } = await child.status;
    if (code === 0 || ending !== undefined) return ending;
    return `the process ended with ${signal ?? `status ${code}`}`;
  }
}
