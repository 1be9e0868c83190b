import { assertEquals } from "@std/assert";
import { foldedSet, platformSet } from "../../../ops/regex/regex_sets.ts";
import { complementOf, rangesOf } from "../../../ops/regex/char_set.ts";

const cased = rangesOf(platformSet("[\\p{CWCM}\\p{CWCF}]"))
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
const text = String.fromCodePoint(...cased);

for (const flags of ["i", "iu"]) {
  Deno.test(`a folded character is what /./${flags} matches, for all that have case`, () => {
    const isUnicode = flags === "iu";
    for (const char of cased.filter((char) => isUnicode || char < 0x10000)) {
      const hex = char.toString(16);
      const source = isUnicode ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
      const matched = [...text.matchAll(new RegExp(source, flags + "g"))]
        .map(([found]) => found.codePointAt(0)!);
      const folded = rangesOf(foldedSet([char, char + 1], isUnicode))
        .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
      assertEquals(folded, matched.sort((a, b) => a - b), `U+${hex}`);
    }
  });
}

Deno.test("no character without case is equal to another", () => {
  const uncased = complementOf(platformSet("[\\p{CWCM}\\p{CWCF}]"));
  assertEquals(foldedSet(uncased, true), uncased);
});
