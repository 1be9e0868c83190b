/**
 * The error for a pattern that cannot be compiled: a RangeError that names the pattern, the position
 * in it (code points from 0) and the reason.
 */
export function regexError(pattern: string, at: number, reason: string): RangeError {
  const position = [...pattern.slice(0, at)].length;
  return new RangeError(`the pattern /${pattern}/ is refused at position ${position}: ${reason}`);
}
