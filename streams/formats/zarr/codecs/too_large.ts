/** @module */

/** Bytes that would come out of a codec, or are in a file, where fewer are allowed. Its message is a clause. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/** Throws where bytes are more than may come out. */
export function checkDecoded(numBytes: number, mostBytes: number): void {
  if (numBytes > mostBytes) throw decodesTo(mostBytes);
}

/** The error where more bytes than are allowed come out. */
export function decodesTo(mostBytes: number): TooLargeError {
  return new TooLargeError(`decodes to more than ${mostBytes} bytes`);
}
