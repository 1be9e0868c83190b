/** The operations that return lists, over arrays of code points. */

import { murmur3 } from "./murmur3.ts";

type Parts = readonly string[] | null;

/** The result of `join` for a list: null items are left out, or something stands for them. */
export function joinModel(
  list: readonly (string | null)[],
  separator: string,
  nulls: string | null,
): string {
  return list.flatMap((item) => item ?? nulls ?? []).join(separator);
}

/** As `textModel`. */
export const listModel = {
  split(text: string, delimiter: string | null = null, limit: number | null = null): Parts {
    if (delimiter === "") return null;
    const most = limit === null || limit < 0 ? Infinity : limit;
    if (delimiter === null) return words([...text], most).map((word) => word.join(""));
    const parts = text.split(delimiter);
    if (parts.length <= most + 1) return parts;
    return [...parts.slice(0, most), parts.slice(most).join(delimiter)];
  },

  /** The result of `split` for the reversed text. */
  rsplit(text: string, delimiter: string | null = null, limit: number | null = null): Parts {
    const parts = listModel.split(backward(text), delimiter && backward(delimiter), limit);
    return parts && parts.map(backward).reverse();
  },

  ngrams(text: string, size: number): Parts {
    const chars = [...text];
    return chars.slice(size - 1).map((_, start) => chars.slice(start, start + size).join(""));
  },

  minhash(text: string, hashes: number, width: number | null = null, seed: number | null = null) {
    const runs = listModel.ngrams(text, width ?? 4) ?? [];
    const grams = (runs.length > 0 ? runs : [text]).map((run) => new TextEncoder().encode(run));
    return Array.from({ length: hashes }, (_, i) => {
      if (text === "") return 0;
      return Math.min(...grams.map((gram) => murmur3(gram, ((seed ?? 0) + i) % 2 ** 32)));
    });
  },
};

/** The runs of characters other than white space; after a number of cuts the rest is one run. */
function words(chars: readonly string[], most: number): (readonly string[])[] {
  const start = chars.findIndex((char) => !isSpace(char));
  if (start < 0) return [];
  const rest = chars.slice(start);
  const stop = rest.findIndex(isSpace);
  if (most === 0 || stop < 0) return [rest];
  return [rest.slice(0, stop), ...words(rest.slice(stop), most - 1)];
}

function backward(text: string): string {
  return [...text].reverse().join("");
}

/** Unicode's white space and the separators U+001C to U+001F, as Python has it. */
export function isSpace(char: string): boolean {
  return /\p{White_Space}/u.test(char) || (char >= "\u{1c}" && char <= "\u{1f}");
}
