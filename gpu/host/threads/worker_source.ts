/** @module */

import type { CallingConvention } from "../../kernel/emit/host/calling_convention.ts";
import { utf8Module } from "../../column/utf8_functions.ts";
import { sharedFunctions, sharedSource } from "../runtime/runtime.ts";
import { base64Of } from "./base64.ts";
import { layout } from "./layout.ts";
import { workerMain } from "./worker_main.ts";

/** The parameters of kernels that a worker can fill: what the part gives, and what it calls. */
export const workerParameters: ReadonlySet<CallingConvention["fixed"][number]> = new Set([
  "$rows",
  "$result",
  "$offsets",
  "$validity",
  "$grow",
  ...sharedFunctions,
]);

/**
 * The program of a worker: functions of this library by their source, so that there is no module
 * to load, which would need a permission and would be lost in a bundle.
 */
export function workerSource(): string {
  return `"use strict";
const helpers = ${sharedSource()};
onmessage = ({ data }) => {
  (${workerMain})(data, ${JSON.stringify(layout)}, helpers, "${base64Of(utf8Module(true))}");
  close();
};
`;
}
