/**
 * What row functions ask of the host, since no device has it: methods of a view and of a sink. Each is
 * a `hostCall` in the code of a kernel, and a function of `gpu/host/runtime/` with `$` before its name.
 *
 * @module
 */

/** A function that only the host has. */
export type HostFunction = "toFloat" | "toNarrowFloat" | "putFloat" | "copyNormal";

/** Why a kernel runs on the host that calls each of them. */
export const HOST_FUNCTIONS: Readonly<Record<HostFunction, string>> = {
  toFloat: "it reads or writes floating-point numbers",
  toNarrowFloat: "it reads or writes floating-point numbers",
  putFloat: "it reads or writes floating-point numbers",
  copyNormal: "it writes a normal form of Unicode",
};

/** Whether only the host has the method of a view or of a sink. */
export function isHostFunction(name: string): name is HostFunction {
  return Object.hasOwn(HOST_FUNCTIONS, name);
}
