/**
 * What can be the matter with metadata. Messages are clauses about an array: those who know its name
 * make a FileError of it.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import { UnsupportedZarrError } from "../../../../base/errors/data_error.ts";

/** The same error about a part of metadata. */
export function errorOfPart(part: string, cause: unknown): TypeError {
  const problem = `${part} ${(cause as Error).message}`;
  const Kind = isSluiceError(cause, "UnsupportedZarrError") ? UnsupportedZarrError : TypeError;
  return new Kind(problem, { cause });
}
