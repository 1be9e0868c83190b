/** The program of a thread of a device in which a test has planted something (`planted_threads.ts`). */

// It takes its first message after this module has run.
import "../../gpu/webgpu/remote/device_main.ts";
import { fillNewBuffers } from "./fill_new_buffers.ts";
import { takeForHardware } from "./hardware.ts";
import type { PlantedThread } from "./planted_threads.ts";
import { plantFault, refuseToOpen } from "./wrong_adapter.ts";

const planted = new URL(import.meta.url).searchParams.get("planted")!;
const { name, fault, refusesToOpen, blockedUntil, numMessages = Infinity }: PlantedThread = JSON
  .parse(planted);

fillNewBuffers();
if (fault !== undefined) plantFault(fault);
if (refusesToOpen) refuseToOpen();
if (name !== undefined) takeForHardware(name);
if (blockedUntil !== undefined) blockUntil(blockedUntil);
let numLeft = numMessages;
addEventListener("message", () => {
  if (--numLeft < 0) throw new Error("planted");
});

/** Blocks this thread at each wait until there is a file, as a device does that is busy. */
function blockUntil(path: string): void {
  const { mapAsync } = GPUBuffer.prototype;
  const isThere = () => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  };
  GPUBuffer.prototype.mapAsync = async function (this: GPUBuffer, ...args) {
    await mapAsync.apply(this, args);
    const word = new Int32Array(new SharedArrayBuffer(4));
    for (let naps = 0; naps < 60_000 && !isThere(); naps++) Atomics.wait(word, 0, 0, 1);
  };
}
