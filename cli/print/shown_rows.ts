/**
 * What printing some rows needs, in one module.
 *
 * @module
 */

export { head, toTable } from "../library/rows.ts";
export { formatTable } from "./table.ts";
