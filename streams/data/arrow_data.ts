/**
 * The entry point of this folder: schemas, types and buffers of Arrow, without reading or writing
 * Arrow files.
 *
 * @module
 */

export { checkSameColumns, decodeSchema, sameType } from "./schema.ts";
export { withKnownTypes } from "./known_types.ts";
export { mapType } from "./schema_fixes.ts";
export { SmallBatches, type TogetherLimits } from "./small_batches.ts";
export { packBits } from "./bits.ts";
export { type Layout, layoutOf, valueBytes } from "./layout.ts";
