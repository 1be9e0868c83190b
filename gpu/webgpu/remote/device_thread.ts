/**
 * Opens a device on a thread of its own. Deno blocks a thread that waits for its device until all that
 * was submitted is done; so the thread that reads, computes and writes leaves the waits to another one.
 *
 * @module
 */

import { DeviceError } from "../../errors.ts";
import type { OpenedGpu } from "../device/open_gpu.ts";
import type { DeviceCall, FromDeviceThread, ToDeviceThread } from "./calls.ts";
import { type DeviceThread, RemoteGpu } from "./remote_gpu.ts";

/** Where the program of the thread lies. */
export const deviceProgram: URL = new URL("./device_main.ts", import.meta.url);

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
        closeAtEnd(gpu);
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
  thread.send({ kind: "open", software });
  try {
    return await opening.promise;
  } finally {
    if (gpu === undefined) await thread.end();
    else thread.keepAlive(false);
  }
}

/** Gives a device back when the program has nothing more to do; drivers do not bear that it just ends. */
function closeAtEnd(gpu: RemoteGpu): void {
  const close = () => void gpu.destroy();
  addEventListener("beforeunload", close);
  gpu.lost.then(() => removeEventListener("beforeunload", close));
}

class WorkerThread implements DeviceThread {
  readonly #worker: NodeWorker;
  readonly #ended = Promise.withResolvers<void>();
  /** Then the process waits for it. */
  #isEnding = false;

  constructor(worker: NodeWorker) {
    this.#worker = worker;
    worker.on("error", () => this.#ended.resolve());
    worker.on("exit", () => this.#ended.resolve());
  }

  send(message: ToDeviceThread, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  post(calls: readonly DeviceCall[], transfer: ArrayBuffer[]): void {
    this.send({ kind: "calls", calls }, transfer);
  }

  keepAlive(isWaitedFor: boolean): void {
    if (isWaitedFor || this.#isEnding) this.#worker.ref();
    else this.#worker.unref();
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    this.keepAlive(true);
    this.send({ kind: "close" });
    await this.#ended.promise;
  }
}

/** Starts a worker; undefined where there is nothing to start one with. */
function startWorker(program: URL): NodeWorker | undefined {
  try {
    const { Worker } = globalThis.process.getBuiltinModule("node:worker_threads");
    return new Worker(importable(program));
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
