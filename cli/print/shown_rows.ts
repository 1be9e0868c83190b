/**
 * The modules that print rows, behind one dynamic import.
 *
 * @module
 */

export { head, toTable } from "../library/rows.ts";
export { formatTable } from "./table.ts";
