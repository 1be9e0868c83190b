/**
 * The most bytes that one `repeat` appends to a text: those of the longest string that V8 makes. A
 * text that is longer could not be read as a string, and a count of a thousand million is a mistake
 * that is better told before memory is asked for.
 */
export const MAX_REPEATED_BYTES: number = 2 ** 29 - 24;
