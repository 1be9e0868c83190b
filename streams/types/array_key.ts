/** @module */

/** The metadata of a field that says of which array its chunks are. */
export const arrayKey = "sluice.array";
