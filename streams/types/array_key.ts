/**
 * The key of metadata that marks fields of chunks of arrays.
 *
 * @module
 */

/** The key of the metadata that names the array of a field of chunks. */
export const arrayKey = "sluice.array";
