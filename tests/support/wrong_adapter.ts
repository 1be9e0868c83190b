/**
 * An adapter that computes wrongly: each kernel that is compiled from now on is another one, as if
 * a driver had translated it so. Call it, or preload it into a process
 * (`deno run --preload`), where SLUICE_TEST_FAULT names the fault.
 */

import { takeForHardware } from "./hardware.ts";

/** Faults of translation, by name: what a driver makes of the code of kernels. */
export const FAULTS = {
  /** What GLSL leaves open, and Mesa's GL does. */
  "remainders are unsigned": (code) =>
    code.replace("return a - b * (a / b);", "return i32(u32(a) % u32(b));"),
  "quotients are rounded down": (code) =>
    code.replace("return a / b;", "return a / b - select(0, 1, (a < 0) != (b < 0) && a % b != 0);"),
  "shifts lose a bit of their count": (code) => code.replaceAll("& 31u", "& 15u"),
  "memory is not shared in time": (code) =>
    code.replace("scan_groups[local] = sum;", "scan_groups[local] = 0u;"),
  "a word has one writer": (code) => code.replaceAll("atomicOr(&text[", "atomicStore(&text["),
  "memory of a workgroup has one writer": (code) =>
    code.replaceAll("atomicOr(&odd_rows[", "atomicStore(&odd_rows["),
  "a slot is claimed twice": (code) =>
    code.replaceAll(", row + 1u).exchanged)", ", 0u).exchanged)"),
  "kernels do not compile": () => "no code",
} as const satisfies Record<string, (code: string) => string>;

/** Faults that no test before the work finds. */
export const HIDDEN_FAULTS = {
  "z is a capital A": (code) =>
    code.replace(
      "table[lane] = (word >> ((lane & 3u) * 8u)) & 255u;",
      "table[lane] = select((word >> ((lane & 3u) * 8u)) & 255u, 65u, lane == 122u);",
    ),
} as const satisfies Record<string, (code: string) => string>;

const ALL_FAULTS = { ...FAULTS, ...HIDDEN_FAULTS };

/** The name of the adapter; it says that it is hardware. */
export const WRONG_ADAPTER = "Planted adapter";

/** Plants a fault into the adapter of this process; returns what takes it away. */
export function plantFault(fault: keyof typeof ALL_FAULTS): () => void {
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

const fault = Deno.env.get("SLUICE_TEST_FAULT");
if (fault !== undefined) plantFault(fault as keyof typeof ALL_FAULTS);
