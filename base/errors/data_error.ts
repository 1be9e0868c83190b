/**
 * Errors about the bytes of a file or a stream. Whoever knows the file turns them into a FileError.
 *
 * @module
 */

/**
 * The fault in a part of Arrow data, as one clause in our own words. Whoever knows the place of the
 * part names it. What else is thrown while data is decoded has the words of the runtime, which say
 * nothing to a user.
 */
export class BrokenPartError extends Error {
  override readonly name = "BrokenPartError";
}

/** A truncated or corrupt file or stream. */
export class CorruptArrowError extends Error {
  override readonly name = "CorruptArrowError";
}

/** Valid data of an unsupported kind. */
export class UnsupportedArrowError extends Error {
  override readonly name = "UnsupportedArrowError";

  /** `what` is a clause that describes the data. */
  constructor(what: string) {
    super(`${what}, which is not supported yet`);
  }
}

/** A record that is not valid CSV. */
export class RecordError extends Error {
  override readonly name = "RecordError";
}

/** The bytes are not what they claim to be. */
export class DamagedPageError extends Error {
  override readonly name = "DamagedPageError";
}

/** What can be done about a wrong fact: nothing, or to read the pages as Sluice itself understands them. */
export type PageRemedy = "none" | "plain pages";

/**
 * Pages of a column are not what the metadata, the page index or their own headers say. The message is
 * about the column, and does not name it.
 */
export class PageFactError extends TypeError {
  override readonly name = "PageFactError";
  readonly remedy: PageRemedy;

  constructor(problem: string, remedy: PageRemedy = "none") {
    super(problem);
    this.remedy = remedy;
  }
}

/** A failure in parquet-wasm, either one it reports or a trap. */
export class TrapError extends TypeError {
  override readonly name = "TrapError";
}

/** Bytes that would come out of a codec, or are in a file, where fewer are allowed. Its message is a clause. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/** A document that is nested too deeply to be read. */
export class DeepJsonError extends Error {
  override readonly name = "DeepJsonError";
}

/** What Zarr allows and is not supported here; the message is a clause. */
export class UnsupportedZarrError extends TypeError {
  override readonly name = "UnsupportedZarrError";
}
