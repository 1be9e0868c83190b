/**
 * What errors of damaged Arrow data say.
 *
 * @module
 */

import { assertInstanceOf, assertMatch } from "@std/assert";
import { FileError } from "../../streams/errors.ts";

/** What an error says of data that breaks off or is not what it says. */
const namesPlace =
  /^truncated or corrupt Arrow data (in message \d+ at byte \d+|at byte \d+): \S[^\n]*[^.]$/;
/** Too little is left to see what it is, two names became one, or it says that it is something else. */
const namesNoPlace =
  /^(is empty, not Arrow data|is not Arrow data|two columns have the name.*|[^\n]*, which is not supported yet)$/s;

/** Checks that an error names the file, and the message and the byte where they can be known. */
export function checkError(error: unknown, path: string): void {
  assertInstanceOf(error, FileError);
  const problem = (error as FileError).message.slice(path.length + 2);
  if (!namesNoPlace.test(problem)) assertMatch(problem, namesPlace);
}
