/**
 * Errors that the value of an option causes, or that another value would avoid.
 *
 * @module
 */

import { libraryText, type OptionText } from "./option_text.ts";

/** A violated limit of an option, or work that Sluice refuses unless an option allows it. */
export class OptionError extends RangeError {
  override readonly name = "OptionError";
  /** The message with its options as data. */
  readonly text: OptionText;

  constructor(text: OptionText, options?: ErrorOptions) {
    super(libraryText(text), options);
    this.text = text;
  }
}

/** No plan of a rechunk keeps to its limits, although each chunk alone does. */
export class NoBoxError extends RangeError {
  override readonly name = "NoBoxError";
  /** The message with its options as data. */
  readonly text: OptionText;

  constructor(text: OptionText, options?: ErrorOptions) {
    super(libraryText(text), options);
    this.text = text;
  }
}

/** Two columns of a file have the same name. */
export class SameNameError extends TypeError {
  override readonly name = "SameNameError";
  /** The message with its options as data. */
  readonly text: OptionText;

  constructor(text: OptionText) {
    super(libraryText(text));
    this.text = text;
  }
}
