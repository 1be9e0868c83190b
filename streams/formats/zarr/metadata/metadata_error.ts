/**
 * Errors in metadata. Their messages are clauses about an array; the code that knows its name turns them
 * into a FileError.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";

/** Returns the same error, about a part of the metadata. */
export function errorOfPart(part: string, cause: unknown): TypeError {
  const problem = `${part} ${(cause as Error).message}`;
  const Kind = isSluiceError(cause, "UnsupportedZarrError") ? UnsupportedZarrError : TypeError;
  return new Kind(problem, { cause });
}
