/** Text that was taken for ASCII, unseen, is not: it has to be computed in another way. */
export class NotAsciiError extends Error {
  override readonly name = "NotAsciiError";
}
