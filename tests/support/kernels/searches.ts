/** Searches, counts and comparisons of every kind, and texts in which they find something or nothing. */

import type { ColumnType, HostColumn } from "../../../gpu/column/column.ts";
import type { AgreedColumns } from "./agreed.ts";
import { columnOf, stringColumn } from "../values/host_columns.ts";
import type { SeededRandom } from "../random/seeded_random.ts";

/** Every search, in results of every kind and width. */
export const SEARCHES: readonly string[] = [
  'text.contains("ab")',
  "text.contains(other)",
  "other.contains(text)",
  'text.contains("b") && !other.contains("ba")',
  'text.find("b")',
  'text.find("aaab")',
  'text.find("aaaaaaab")',
  'text.find("aaaaaaaaaaaaaaaaaab")',
  "text.find(other)",
  'text.find("a", 70)',
  'text.rfind("a")',
  'text.rfind("baaa")',
  'text.rfind("baaaaaaaaaaaaaaaaaa")',
  "text.rfind(other)",
  'text.count("aab")',
  "text.count(other)",
  'text.contains("aab") ? i8 : i8 + i8',
  'text.contains("aab") ? i16 : i8',
  'i64 + text.find("b")',
  'text.replace("ab", "<>")',
  'text.replace("aaab", "")',
  'text.replace(other, "-")',
  "text.replace(other, text)",
  'text.splitPart("b", 1)',
  'text.splitPart("b", -1) + other.upper()',
  "text.splitPart(other, 0)",
  'text.split("b")',
  "text.split(other)",
  'text.rsplit("ab", 2)',
  'text.split("b").length()',
  'text.like("%ab%b")',
  "text.length()",
  "text.length() + other.length()",
  "text.strip().length() > 40",
  'text.slice(3, -2).length() + text.find("b")',
  'text.pad(70, "left", "é")',
  "text.splitPart(other, 0).length()",
  'text.containsRe("ba{3,5}b")',
  'text.containsRe("b[^b]*é")',
  'text.containsRe("^(?:aaa)*b?$")',
  'text.matches("a*b.*")',
  'text.replaceRe("ba+b", "-")',
  'text.extract("b(a+)b")',
  'text.countRe("a{7}")',
  "text == twin",
  "twin < text",
  "text.startsWith(twin) || twin.startsWith(text)",
  "text.endsWith(other)",
  'text.endsWith("aaaaaaaaaaaaa")',
  'text.startsWith("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab")',
  'text == twin ? text.replace("b", "c") : twin',
  'text.contains("b") ? other.repeat(3) : text',
  'text.find("b") >= 0 ? text.slice(0, 5).pad(100) : other.replace("a", "bb")',
];

/** Texts of a and b that need many rounds, and short ones, some null. */
function texts(random: SeededRandom, numRows: number, longest: number): (string | null)[] {
  return Array.from({ length: numRows }, () => {
    if (random.chance(0.1)) return null;
    const size = random.below(random.chance(0.3) ? longest : 20);
    const rare = random.pick([2, 10, 300, 1e9]);
    return Array.from({ length: size }, () => random.below(rare) === 0 ? "b" : "a").join("") +
      random.pick(["", "", "é", "b", "aéb€", "😀b".repeat(random.below(90))]);
  });
}

/** Texts that are the same, end sooner or later, or differ somewhere. */
function twins(random: SeededRandom, texts: readonly (string | null)[]): (string | null)[] {
  return texts.map((text) => {
    if (text === null || random.chance(0.1)) return null;
    const at = random.below(text.length + 1);
    return random.pick([text, text.slice(0, at), `${text}a`, `${text.slice(0, at)}c`]) +
      random.pick(["", "", text.slice(at + 1)]);
  });
}

function numbers(type: ColumnType, random: SeededRandom, numRows: number): HostColumn {
  const value = () => random.chance(0.1) ? null : random.below(200) - 100;
  return columnOf(type, Array.from({ length: numRows }, value));
}

/** Columns of `numRows` rows for the searches; the longest text has about `longest` characters. */
export function randomSearched(
  random: SeededRandom,
  { numRows = 520, longest = 1200 } = {},
): AgreedColumns {
  const int = (bits: 8 | 16 | 64) => numbers({ kind: "int", bits, signed: true }, random, numRows);
  const text = texts(random, numRows, longest);
  return {
    text: stringColumn(text),
    twin: stringColumn(twins(random, text)),
    other: stringColumn(texts(random, numRows, random.pick([8, 300]))),
    i8: int(8),
    i16: int(16),
    i64: int(64),
  };
}
