/**
 * What printing some rows needs, in one module.
 *
 * @module
 */

export { head } from "../../ops/slice/slice.ts";
export { toTable } from "../../streams/source/memory.ts";
export { formatTable } from "../table.ts";
