/**
 * What the operations that take a part of a text give, over arrays of code points.
 *
 * @module
 */

/** Each of them on a text and its arguments. */
export const partModel = {
  left(text: string, count: number): string {
    const chars = [...text];
    return chars.slice(0, Math.max(0, count < 0 ? chars.length + count : count)).join("");
  },
  right(text: string, count: number): string {
    const chars = [...text];
    return chars.slice(Math.max(0, count < 0 ? -count : chars.length - count)).join("");
  },
  get: (text: string, index: number): string => [...text].at(index) ?? "",
  removePrefix(text: string, prefix: string): string {
    return text.startsWith(prefix) ? text.slice(prefix.length) : text;
  },
  removeSuffix(text: string, suffix: string): string {
    return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text;
  },
};
