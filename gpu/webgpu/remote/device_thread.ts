/**
 * Opens a device on a thread of its own. Deno blocks a thread that waits for its device until all that
 * was submitted is done; so the thread that reads, computes and writes leaves the waits to another one.
 *
 * @module
 */

import { DeviceError } from "../../errors.ts";
import type { OpenedGpu } from "../device/open_gpu.ts";
import { quietly } from "../device/quiet_drivers.ts";
import type { DeviceCall, FromDeviceThread, ToDeviceThread } from "./calls.ts";
import { type DeviceThread, RemoteGpu } from "./remote_gpu.ts";

/** Where the program of the thread lies. */
export const deviceProgram: URL = new URL("./device_main.ts", import.meta.url);

/** Milliseconds that the end of a program waits for a device that is busy. */
const CLOSING_MS = 2000;

/** A worker of Node: other than one of a window it need not keep the process alive. */
type NodeWorker = InstanceType<typeof import("node:worker_threads").Worker>;

/**
 * Opens a device, as `openGpu` does, on a thread with that program. Undefined where no such thread can
 * start. Rejects with a DeviceError.
 */
export async function openRemoteGpu(
  program: URL,
  { software }: { readonly software: boolean },
): Promise<OpenedGpu | null | undefined> {
  const worker = startWorker(program);
  if (worker === undefined) return undefined;
  const opening = Promise.withResolvers<OpenedGpu | null | undefined>();
  const thread = new WorkerThread(worker);
  let gpu: RemoteGpu | undefined;
  const lose = (message: string) => {
    gpu?.lose(message);
    opening.resolve(undefined);
  };
  worker.on("message", (message: FromDeviceThread) => {
    switch (message.kind) {
      case "opened":
        gpu = new RemoteGpu(thread, message);
        closeAtEnd(gpu, thread.ended);
        opening.resolve({ gpu, adapter: message.adapter });
        break;
      case "none":
        opening.resolve(null);
        break;
      case "unopened":
        opening.reject(new DeviceError(message.message));
        break;
      case "lost":
        lose(message.message);
        break;
      default:
        gpu?.take(message);
    }
  });
  worker.on("error", (error) => lose(`its thread failed: ${error}`));
  worker.on("messageerror", () => lose("its thread sent what cannot be read"));
  worker.on("exit", () => lose("its thread ended"));
  try {
    return await quietly(() => {
      thread.open(software);
      return opening.promise;
    });
  } finally {
    if (gpu === undefined) await thread.end();
    else thread.keepAlive(false);
  }
}

/**
 * Closes a device when the program has nothing more to do: when its event loop was done twice, and the
 * device was not used in between, since the program may go on when it learns that.
 */
function closeAtEnd(gpu: RemoteGpu, ended: Promise<void>): void {
  let numAsked = -1;
  const onDone = (event: { preventDefault(): void }) => {
    if (gpu.numAsked === numAsked) void gpu.destroy();
    else event.preventDefault();
    numAsked = gpu.numAsked;
  };
  addEventListener("beforeunload", onDone);
  ended.then(() => removeEventListener("beforeunload", onDone));
}

class WorkerThread implements DeviceThread {
  readonly #worker: NodeWorker;
  readonly #ended = Promise.withResolvers<void>();
  /** Not 0 when the thread has closed its device. */
  readonly #closed = new Int32Array(new SharedArrayBuffer(4));
  /** Then the process waits for it. */
  #isEnding = false;

  constructor(worker: NodeWorker) {
    this.#worker = worker;
    worker.on("error", () => this.#ended.resolve());
    worker.on("exit", () => this.#ended.resolve());
    const close = () => this.#closeNow();
    addEventListener("unload", close);
    this.ended.then(() => removeEventListener("unload", close));
  }

  /** Fulfilled when it has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Lets the thread open a device. */
  open(software: boolean): void {
    this.#send({ kind: "open", software, closed: this.#closed.buffer });
  }

  post(calls: readonly DeviceCall[], transfer: ArrayBuffer[]): void {
    this.#send({ kind: "calls", calls }, transfer);
  }

  keepAlive(isWaitedFor: boolean): void {
    if (isWaitedFor || this.#isEnding) this.#worker.ref();
    else this.#worker.unref();
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    this.keepAlive(true);
    this.#send({ kind: "close" });
    await this.ended;
  }

  /** Closes the device of a program that exits: drivers do not bear to be used meanwhile. */
  #closeNow(): void {
    this.#send({ kind: "close" });
    Atomics.wait(this.#closed, 0, 0, CLOSING_MS);
  }

  #send(message: ToDeviceThread, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }
}

/** Starts a worker; undefined where there is nothing to start one with. */
function startWorker(program: URL): NodeWorker | undefined {
  try {
    const { Worker } = globalThis.process.getBuiltinModule("node:worker_threads");
    // Else it copies the environment, for which it asks.
    return new Worker(importable(program), { env: {} });
  } catch {
    return undefined;
  }
}

/** A worker of Node takes programs only from files, or as they are written in a URL. */
function importable(program: URL): URL {
  if (program.protocol === "file:") return program;
  const code = `import ${JSON.stringify(program.href)};`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
