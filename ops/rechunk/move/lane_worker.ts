/**
 * A worker of a run, seen from the main thread.
 *
 * @module
 */

import type { LaneAnswer, LaneResult, LaneSetup } from "./lane_messages.ts";
import type { Phase } from "./phase.ts";

const program = new URL("lane_main.ts", import.meta.url);
/** What the program imports lies below. */
const root = new URL("../../../", import.meta.url);

/**
 * Whether workers can be started without a question and without noise: their program is a file of its
 * own, which may not be read, and which a bundle that others made does not have.
 */
export function canStartWorkers(): boolean {
  const { permissions } = globalThis.Deno ?? {};
  if (permissions === undefined) return false;
  if (program.protocol !== "file:") {
    return permissions.querySync({ name: "import" }).state === "granted";
  }
  if (permissions.querySync({ name: "read", path: root }).state !== "granted") return false;
  try {
    return Deno.statSync(program).isFile;
  } catch {
    return false;
  }
}

/** Starts with its setup; it may take phases when it is ready. */
export class LaneWorker {
  /** Its number. */
  readonly lane: number;
  readonly #worker: Worker;
  /** Fulfilled when it can take phases, or never will. */
  readonly settled: Promise<void>;
  #settled!: () => void;
  #answer: ((result: LaneResult | undefined) => void) | undefined;
  #isReady = false;
  #isGone = false;

  constructor(setup: LaneSetup) {
    this.lane = setup.lane;
    this.settled = new Promise((resolve) => this.#settled = resolve);
    this.#worker = new Worker(program, { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<LaneAnswer>) => {
      if (data.kind === "failed") this.end();
      else if (data.kind === "ready") {
        this.#isReady = true;
        this.#settled();
      } else this.#resolve(data);
    });
    this.#worker.addEventListener("error", (event) => {
      // The work is done without it.
      event.preventDefault();
      this.end();
    });
    this.#worker.postMessage(setup);
  }

  get isReady(): boolean {
    return this.#isReady && !this.#isGone;
  }

  /** Whether it failed, or was ended. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Lets it move chunks of a phase until none is left. Undefined if it fails on the way. */
  move(phase: Phase): Promise<LaneResult | undefined> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#worker.postMessage(phase);
    });
  }

  /** Ends it. */
  end(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#worker.terminate();
    this.#settled();
    this.#resolve(undefined);
  }

  #resolve(result: LaneResult | undefined): void {
    this.#answer?.(result);
    this.#answer = undefined;
  }
}
