/** The program of a thread of a device in which a test has planted something (`planted_threads.ts`). */

// It takes its first message after this module has run.
import "../../gpu/webgpu/remote/device_main.ts";
import { fillNewBuffers } from "./fill_new_buffers.ts";
import { takeForHardware } from "./hardware.ts";
import type { PlantedThread } from "./planted_threads.ts";
import { plantFault, refuseToOpen } from "./wrong_adapter.ts";

const planted = new URL(import.meta.url).searchParams.get("planted")!;
const { name, fault, refusesToOpen, waitMs = 0, numMessages = Infinity }: PlantedThread = JSON
  .parse(planted);

fillNewBuffers();
if (fault !== undefined) plantFault(fault);
if (refusesToOpen) refuseToOpen();
if (name !== undefined) takeForHardware(name);
if (waitMs > 0) blockLonger(waitMs);
let numLeft = numMessages;
addEventListener("message", () => {
  if (--numLeft < 0) throw new Error("planted");
});

/** Blocks this thread for some time at each wait, as a device does that is busy. */
function blockLonger(ms: number): void {
  const { mapAsync } = GPUBuffer.prototype;
  GPUBuffer.prototype.mapAsync = async function (this: GPUBuffer, ...args) {
    await mapAsync.apply(this, args);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  };
}
