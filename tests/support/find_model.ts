/**
 * What the operations that look for text give, over JavaScript strings and written for clarity.
 *
 * @module
 */

/** Each of them on a text and its arguments; null stands for an argument that is left out. */
export const findModel = {
  find(text: string, target: string, start: number | null = null): number {
    const chars = [...text];
    const from = start === null ? 0 : start < 0 ? Math.max(0, chars.length + start) : start;
    const rest = chars.slice(from).join("");
    if (from > chars.length || !rest.includes(target)) return -1;
    return from + [...rest.slice(0, rest.indexOf(target))].length;
  },
  rfind(text: string, target: string): number {
    const at = text.lastIndexOf(target);
    return at < 0 ? -1 : [...text.slice(0, at)].length;
  },
  count(text: string, target: string): number {
    return target === "" ? [...text].length + 1 : text.split(target).length - 1;
  },
  like(text: string, pattern: string, escape: string | null = null): boolean {
    return likeChars([...text], [...pattern], escape);
  },
};

/** LIKE by its definition, with every way that a % can go. */
function likeChars(text: string[], pattern: string[], escape: string | null): boolean {
  const [char, ...others] = pattern;
  const [first, ...rest] = text;
  if (char === undefined) return text.length === 0;
  if (char === escape) {
    return others.length > 0 && first === others[0] && likeChars(rest, others.slice(1), escape);
  }
  if (char === "%") {
    return likeChars(text, others, escape) ||
      (first !== undefined && likeChars(rest, pattern, escape));
  }
  return first !== undefined && (char === "_" || char === first) && likeChars(rest, others, escape);
}
