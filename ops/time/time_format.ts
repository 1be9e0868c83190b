/**
 * Formats of dates and times: text with directives such as `%Y`, like those of `strptime`.
 *
 * @module
 */

/** A piece of a format: a code point that stands for itself, or the letter of a directive. */
type FormatPiece =
  | { readonly char: number }
  | { readonly directive: string; readonly at: number };

/** Directives that stand for several others. */
const SHORTHANDS: Readonly<Record<string, string>> = { F: "%Y-%m-%d", T: "%H:%M:%S" };
const DIRECTIVES = "YymbBdjHIpMSfzZaAeGVuUkls";

/** Directives that only write. */
const WRITTEN = "eGVuUkls";

/** Groups of directives that set the same field. A format may have only one of each group. */
const RIVALS = ["Yy", "mbBj", "dj", "HI", "aA"];

/** Splits a format. Throws a RangeError for an unknown directive, with its position. */
export function piecesOf(format: string): FormatPiece[] {
  const pieces: FormatPiece[] = [];
  const chars = [...format];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    if (char !== "%") {
      pieces.push({ char: char.codePointAt(0) ?? 0 });
      continue;
    }
    const directive = chars[++at] ?? "";
    const shorthand = SHORTHANDS[directive];
    if (directive === "%") pieces.push({ char: 0x25 });
    else if (shorthand !== undefined) {
      for (const piece of piecesOf(shorthand)) {
        pieces.push("char" in piece ? piece : { ...piece, at: at - 1 });
      }
    } else if (directive !== "" && DIRECTIVES.includes(directive)) {
      pieces.push({ directive, at: at - 1 });
    } else {
      throw new RangeError(`the directive %${directive} at position ${at - 1} is not known`);
    }
  }
  return pieces;
}

/** Returns the problem with a format for writing; undefined if there is none. */
export function problemOfWriting(format: unknown): string | undefined {
  if (typeof format !== "string") return "the format must be text";
  return problemOf(() => void piecesOf(format));
}

/**
 * Returns the problem with a format for reading, which must determine one day; undefined if
 * there is none.
 */
export function problemOfReading(format: unknown): string | undefined {
  if (format === undefined) return undefined;
  if (typeof format !== "string") return "the format must be text";
  return problemOf(() => {
    const letters = new Set<string>();
    for (const piece of piecesOf(format)) {
      if ("char" in piece) continue;
      const { directive, at } = piece;
      if (WRITTEN.includes(directive)) {
        throw new RangeError(`the directive %${directive} at position ${at} is only for writing`);
      }
      if (letters.has(directive)) {
        throw new RangeError(`the directive %${directive} at position ${at} appears twice`);
      }
      const rivals = RIVALS.filter((group) => group.includes(directive)).join("");
      const rival = [...rivals].find((letter) => letters.has(letter));
      if (rival !== undefined) {
        throw new RangeError(`the directive %${directive} at position ${at} rivals %${rival}`);
      }
      letters.add(directive);
    }
    const has = (group: string) => [...group].some((letter) => letters.has(letter));
    if (!has("Yy")) throw new RangeError("the format has no year");
    if (!has("j") && !(has("mbB") && has("d"))) throw new RangeError("the format has no day");
    if (has("I") !== has("p")) throw new RangeError("%I and %p go together in a format");
  });
}

function problemOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
