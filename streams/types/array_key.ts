/**
 * The key of metadata that marks fields of chunks of arrays.
 *
 * @module
 */

/** The metadata of a field that says of which array its chunks are. */
export const arrayKey = "sluice.array";
