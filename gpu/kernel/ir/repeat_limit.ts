/**
 * The most bytes that the text of a row may have where something is repeated: those of the longest
 * string that V8 makes. A longer text could not be read as a string, and a count of a thousand
 * million is a mistake that is better told before memory is asked for.
 */
export const MAX_REPEATED_BYTES: number = 2 ** 29 - 24;
