/**
 * The parts of the library that a pipeline with an expression needs, in one module.
 *
 * @module
 */

export { parseExpr } from "../../ops/expr/parse.ts";
export { filter } from "../../ops/rows/filter.ts";
export { withColumns } from "../../ops/rows/with_columns.ts";
export { builtInOperations as operations } from "../../ops/expr/built_in_operations.ts";
