/**
 * What the library knows of schemas, types and buffers of Arrow without reading or writing files of it.
 * `arrow/` is its implementation, as it is that of `arrow.ts`.
 *
 * @module
 */

export { checkSameColumns, decodeSchema, sameType } from "./arrow/schema.ts";
export { withKnownTypes } from "./arrow/known_types.ts";
export { mapType } from "./arrow/schema_fixes.ts";
export { SmallBatches, type TogetherLimits } from "./arrow/small_batches.ts";
export { packBits } from "./arrow/bits.ts";
export { type Layout, layoutOf, valueBytes } from "./arrow/layout.ts";
