/**
 * What can be the matter with metadata. Messages are clauses about an array: those who know its name
 * make a FileError of it.
 *
 * @module
 */

/** What Zarr allows and is not supported here; the message is a clause. */
export class UnsupportedError extends TypeError {
  override readonly name = "UnsupportedError";
}

/** The same error about a part of metadata. */
export function errorOfPart(part: string, cause: unknown): TypeError {
  const problem = `${part} ${(cause as Error).message}`;
  const Kind = cause instanceof UnsupportedError ? UnsupportedError : TypeError;
  return new Kind(problem, { cause });
}
