/**
 * An adapter that computes wrongly: each kernel that is compiled from now on is another one, as if
 * a driver had translated it so. Call it, or preload it into a process
 * (`deno run --preload`), where SLUICE_TEST_FAULT names the fault.
 */

import { environmentVariable } from "../../../base/settings/environment.ts";
import { ALL_FAULTS, type Fault } from "./faults.ts";
import { takeForHardware } from "./hardware.ts";

/** The name of the adapter; it claims to be hardware. */
export const WRONG_ADAPTER = "Planted adapter";

/** Plants a fault into the adapter; returns what takes it away. */
export function plantFault(fault: Fault): () => void {
  const { createShaderModule } = GPUDevice.prototype;
  GPUDevice.prototype.createShaderModule = function (this: GPUDevice, descriptor) {
    const code = ALL_FAULTS[fault](descriptor.code);
    return createShaderModule.call(this, { ...descriptor, code });
  };
  const undo = takeForHardware(WRONG_ADAPTER);
  return () => {
    undo();
    GPUDevice.prototype.createShaderModule = createShaderModule;
  };
}

/** Makes an adapter that cannot be opened; returns what mends it. */
export function refuseToOpen(): () => void {
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = () => Promise.reject(new Error("Out of luck"));
  const undo = takeForHardware(WRONG_ADAPTER);
  return () => {
    undo();
    GPUAdapter.prototype.requestDevice = requestDevice;
  };
}

const fault = environmentVariable("SLUICE_TEST_FAULT");
if (fault !== undefined) plantFault(fault as Fault);
