/**
 * What taking the first rows as a table needs of the library, in one module.
 *
 * @module
 */

export { head } from "../../ops/slice/slice.ts";
export { toTable } from "../../streams/source/memory.ts";
