/** What tests plant into the threads of devices: these have adapters, and prototypes, of their own. */

import type { Fault } from "./faults.ts";

/** What such a thread has. */
export interface PlantedThread {
  /** What the adapter calls itself; then it is hardware. */
  readonly name?: string;
  readonly fault?: Fault;
  readonly refusesToOpen?: boolean;
  /** Each wait takes until there is such a file; meanwhile the thread is blocked. */
  readonly blockedUntil?: string;
  /** After so many messages the thread fails. */
  readonly numMessages?: number;
}

/** The program of a thread of a device in which something is planted. Its new buffers have random bytes. */
export function plantedProgram(planted: PlantedThread = {}): URL {
  const program = new URL("./planted_thread.ts", import.meta.url);
  program.searchParams.set("planted", JSON.stringify(planted));
  return program;
}

/**
 * Plants something into all threads of devices that start from now on, beside what a test plants into
 * one of them; returns what takes it away.
 */
export function plantThreads(planted: PlantedThread): () => void {
  // What an `import` gives is not what the product gets.
  const threads = process.getBuiltinModule("node:worker_threads");
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(program: URL) {
      const others = plantedInto(program);
      super(others === undefined ? program : plantedProgram({ ...planted, ...others }));
    }
  };
  return () => {
    threads.Worker = Worker;
  };
}

/** What is planted into a thread with that program; undefined where it is not one of a device. */
function plantedInto({ pathname, searchParams }: URL): PlantedThread | undefined {
  if (pathname.endsWith("/device_main.ts")) return {};
  if (!pathname.endsWith("/planted_thread.ts")) return undefined;
  return JSON.parse(searchParams.get("planted")!);
}
