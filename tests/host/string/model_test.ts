import { assertEquals } from "@std/assert";
import { askPython, type PythonCase, pythonTest } from "../../support/python.ts";
import { ARGUMENTS, randomText, TEXTS } from "../../support/random_text.ts";
import { regexModel } from "../../support/regex_model.ts";
import { forSeeds } from "../../support/seeded_random.ts";
import { textModel } from "../../support/text_model.ts";

pythonTest("the model agrees with Python", async () => {
  const cases: PythonCase[] = [];
  await forSeeds(300, (random) => {
    for (const name of Object.keys(textModel)) {
      // The regular expressions of the model are JavaScript's own.
      if (name in regexModel) continue;
      const args = ARGUMENTS[name]?.(random) ?? [];
      if (args[0] === "" && name === "replace") continue;
      for (const text of [randomText(random, 8), random.pick(TEXTS)]) {
        cases.push({ op: name, text, args });
      }
    }
  });
  const answers = await askPython(cases);
  for (const [index, { op, text, args }] of cases.entries()) {
    const expected = textModel[op]!(text, ...args);
    assertEquals(answers[index], expected, `${op} of ${JSON.stringify([text, ...args])}`);
  }
});
