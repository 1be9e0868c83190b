/**
 * The parts of the library that print the values and types of columns, in one module.
 *
 * @module
 */

export { uuidTextOf } from "../../streams/data/extension_type.ts";
export { fieldTypeName } from "../../streams/data/field_type_name.ts";
export { inZone } from "../../streams/text/time_zones.ts";
export { typeName } from "../../streams/types/type_name.ts";
