/**
 * The program of a thread that has a device.
 *
 * @module
 */

import { DeviceError } from "../../errors.ts";
import { LIMITS, openGpu } from "../device/open_gpu.ts";
import type { FromDeviceThread, OpenedAnswer, ToDeviceThread } from "./calls.ts";
import { Player } from "./player.ts";

/** What a worker can call, which the types of a window do not have. */
const scope = globalThis as unknown as {
  postMessage(message: FromDeviceThread, transfer?: ArrayBuffer[]): void;
  close(): void;
};

let player: Player | undefined;
let closed = new Int32Array(new SharedArrayBuffer(4));

// What nobody catches would be printed.
addEventListener("error", (event) => fail(event, (event as ErrorEvent).error));
addEventListener("unhandledrejection", (event) => {
  fail(event, (event as PromiseRejectionEvent).reason);
});

addEventListener("message", (event) => {
  const { data } = event as MessageEvent<ToDeviceThread>;
  if (data.kind === "open") {
    closed = new Int32Array(data.closed);
    void open(data.software);
  } else if (data.kind === "close") void close();
  else for (const call of data.calls) player?.play(call);
});

async function open(software: boolean): Promise<void> {
  try {
    scope.postMessage(await openDevice(software) ?? { kind: "none" });
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    scope.postMessage({ kind: "unopened", message: error.message });
  }
}

async function close(): Promise<void> {
  await player?.close();
  Atomics.store(closed, 0, 1);
  Atomics.notify(closed, 0);
  scope.close();
}

function fail(event: Event, error: unknown): void {
  event.preventDefault();
  scope.postMessage({ kind: "lost", message: `its thread failed: ${error}` });
}

async function openDevice(software: boolean): Promise<OpenedAnswer | null> {
  const opened = await openGpu({ software });
  if (opened === null) return null;
  const { gpu, adapter } = opened;
  player = new Player(gpu, (message, transfer = []) => scope.postMessage(message, transfer));
  gpu.lost.then(({ message }) => scope.postMessage({ kind: "lost", message }));
  gpu.addEventListener("uncapturederror", (event) => {
    event.preventDefault();
    const { message } = (event as GPUUncapturedErrorEvent).error;
    scope.postMessage({ kind: "error", message });
  });
  const limits = Object.fromEntries(LIMITS.map((name) => [name, gpu.limits[name]]));
  return {
    kind: "opened",
    adapter,
    features: [...gpu.features],
    limits: limits as unknown as OpenedAnswer["limits"],
  };
}
