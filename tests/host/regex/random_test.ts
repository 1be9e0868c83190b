import { assert, assertEquals } from "@std/assert";
import { PlainRegex } from "../../support/regex_matcher.ts";
import { judgeable, randomRegex, randomSubject } from "../../support/random_regex.ts";
import { forSeeds, type SeededRandom } from "../../support/seeded_random.ts";

/**
 * `m` is not drawn together with a carriage return, and `u` not with words beyond ASCII: there we
 * differ from JavaScript on purpose.
 */
function compare(random: SeededRandom, refused: string[]): void {
  const ascii = random.chance(0.5);
  const shape = { depth: 3, ascii };
  const pattern = randomRegex(random, shape);
  const flags = ["i", "m", "s", ...(ascii && !random.chance(0.5) ? ["u"] : [])]
    .filter(() => random.chance(0.4)).join("");
  const oracle = new RegExp(pattern, flags + "g");
  let regex: PlainRegex;
  try {
    regex = new PlainRegex(pattern, flags);
  } catch (error) {
    if (!/states|more than/.test((error as Error).message)) throw error;
    return void refused.push(pattern);
  }
  const at = new RegExp(`^(?:${pattern})`, flags.replace("m", ""));
  for (let i = 0; i < 8; i++) {
    const text = judgeable(pattern, randomSubject(random, shape));
    const what = `/${pattern}/${flags} on ${JSON.stringify(text)}`;
    const expected = [...text.matchAll(oracle)].map((match) => ({
      start: match.index,
      stop: match.index + match[0].length,
      groups: match.slice(1),
    }));
    assertEquals(regex.matchAll(text), expected, what);
    assertEquals(regex.test(text), expected.length > 0, what);
    if (!flags.includes("m")) assertEquals(regex.testStart(text), at.test(text), what);
  }
}

Deno.test("random patterns match the same parts and groups of random texts as JavaScript's", async () => {
  const refused: string[] = [];
  await forSeeds(1_000, (random) => compare(random, refused));
  assert(refused.length < 30, `${refused.length} need too many states: ${refused[0]}`);
});
