/**
 * Errors about the bytes of a file or a stream. A caller that knows the file turns them into a FileError.
 *
 * @module
 */

import { libraryText, type OptionText } from "./option_text.ts";

/**
 * A fault in a part of Arrow data. The message is one clause, written for users; a caller that knows the
 * place of the part adds it. Any other decoding error has a message of the runtime, which tells users nothing.
 */
export class BrokenPartError extends Error {
  override readonly name = "BrokenPartError";
}

/** A truncated or corrupt file or stream. */
export class CorruptArrowError extends Error {
  override readonly name = "CorruptArrowError";
  /** The message with its options as data. */
  readonly text: OptionText;

  constructor(problem: string | OptionText) {
    const text = typeof problem === "string" ? [problem] : problem;
    super(libraryText(text));
    this.text = text;
  }
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

/** A page of Parquet whose bytes contradict their header. */
export class DamagedPageError extends Error {
  override readonly name = "DamagedPageError";
}

/** The way to read pages with a wrong fact: none, or Sluice's own decoder. */
type PageRemedy = "none" | "plain pages";

/**
 * Pages that contradict the metadata, the page index or their own headers. The message is about their
 * column, which it does not name.
 */
export class PageFactError extends TypeError {
  override readonly name = "PageFactError";
  readonly remedy: PageRemedy;

  constructor(problem: string, remedy: PageRemedy = "none") {
    super(problem);
    this.remedy = remedy;
  }
}

/** A failure in parquet-wasm: a reported error or a trap. */
export class TrapError extends TypeError {
  override readonly name = "TrapError";
}

/** More bytes than allowed, in a file or from a codec. The message is one clause. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/** JSON that is nested too deeply. */
export class DeepJsonError extends Error {
  override readonly name = "DeepJsonError";
}

/** A feature of Zarr that Sluice does not support. The message is one clause. */
export class UnsupportedZarrError extends TypeError {
  override readonly name = "UnsupportedZarrError";
}
