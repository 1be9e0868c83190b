/**
 * The small modules of the library that define the words of a command. They load with the command line; the
 * rest of the library does not.
 *
 * @module
 */

export {
  defaultJoinHow,
  isJoinHow,
  type JoinHow,
  joinHows,
  joinKinds,
} from "../../gpu/join_kind.ts";
export { parseBounds, parseRows } from "../../ops/slice/parse_rows.ts";
export { isDescriptor, isStdin, isStdout } from "../../streams/bytes/standard_streams.ts";
export { formatNames, formatOf, formats, formatSuffixes } from "../../streams/files/formats.ts";
export { castsOf, castType, splitTypes } from "../../streams/formats/given_types.ts";
