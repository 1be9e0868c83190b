import { assert, assertEquals } from "@std/assert";
import { neededText } from "../../../../ops/regex/needed_text.ts";
import { parseRegex } from "../../../../ops/regex/parse_regex.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";

const neededOf = (pattern: string, flags = "u") => neededText(parseRegex(pattern, flags).term);

Deno.test("the text that every match needs is the longest that is easily seen", () => {
  const needed: Readonly<Record<string, string>> = {
    "[aeiou]n [A-M]": "n ",
    "([a-z]+) ([A-Z])": " ",
    "(\\d+)-(\\d+)": "-",
    "ab(c)d": "abcd",
    "a\\bb": "ab",
    "x(?:abc)+y": "abc",
    "a?bc*de{2,3}": "b",
    "(?:one)": "one",
    "one|two": "",
    "(?:one|two) three": " three",
    "[a-z]*": "",
    "é🙂.": "é🙂",
    "^abc.*d": "",
    "(^abc).*d": "",
    "a$": "a",
    "": "",
  };
  for (const [pattern, text] of Object.entries(needed)) {
    assertEquals(neededOf(pattern), text, pattern);
  }
  assertEquals(neededOf("ab", "iu"), "");
  assertEquals(neededOf("a(?:-)b", "iu"), "-");
  assertEquals(neededOf("\\ud83dx", ""), "");
  assertEquals([...neededOf("🙂".repeat(40))].length, 16);
});

function randomPattern(random: SeededRandom, depth: number): string {
  const part = (): string => {
    if (depth > 0 && random.chance(0.4)) {
      const inner = randomPattern(random, depth - 1);
      return random.chance(0.5) ? `(${inner})` : `(?:${inner}|${randomPattern(random, depth - 1)})`;
    }
    return random.pick(["a", "b", "é", "[ab]", ".", "\\b", "ab", "$"]);
  };
  const parts = Array.from({ length: 1 + random.below(4) }, () => {
    const one = part();
    const canRepeat = /^(?:\(.*\)|\[ab\]|.)$/u.test(one) && one !== "$";
    return canRepeat ? one + random.pick(["", "", "", "?", "*", "+", "{2}"]) : one;
  });
  return parts.join("");
}

Deno.test("every match holds the text that is needed", () => {
  let numNeeded = 0;
  return forSeeds(300, (random) => {
    const pattern = randomPattern(random, 2);
    const needed = neededOf(pattern);
    if (needed !== "") numNeeded++;
    for (let i = 0; i < 20; i++) {
      const text = Array.from({ length: random.below(9) }, () => random.pick(["a", "b", "é", " "]));
      const match = new RegExp(pattern, "u").exec(text.join(""));
      if (match !== null) assert(match[0].includes(needed), `${pattern} in ${text.join("")}`);
    }
  }).then(() => assert(Deno.env.has("SLUICE_SEED") || numNeeded > 0));
});
