/**
 * The modules that print some rows, in one module.
 *
 * @module
 */

export { head, toTable } from "../library/rows.ts";
export { formatTable } from "./table.ts";
