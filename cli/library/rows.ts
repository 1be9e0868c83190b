/**
 * The parts of the library that take the first rows as a table, in one module.
 *
 * @module
 */

export { head } from "../../ops/slice/slice.ts";
export { toTable } from "../../streams/source/memory.ts";
