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

/** The operations that give three columns: before, the delimiter, after. */
export const partsModel = {
  partition(text: string, delimiter: string): readonly string[] | null {
    if (delimiter === "") return null;
    const at = text.indexOf(delimiter);
    return at < 0 ? [text, "", ""] : cutAt(text, at, delimiter);
  },
  rpartition(text: string, delimiter: string): readonly string[] | null {
    if (delimiter === "") return null;
    const at = text.lastIndexOf(delimiter);
    return at < 0 ? ["", "", text] : cutAt(text, at, delimiter);
  },
};

function cutAt(text: string, at: number, delimiter: string): readonly string[] {
  return [text.slice(0, at), delimiter, text.slice(at + delimiter.length)];
}
