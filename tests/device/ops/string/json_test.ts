/** Values at paths of JSON text, on the device. */

import { assertEquals } from "@std/assert";
import { agreed } from "../../../support/kernels/agreed.ts";
import { contextTest } from "../../../support/device/device_kernels.ts";
import { col, printExpr } from "../../../../ops/expr/expr.ts";
import { printJsonPath } from "../../../../ops/string/json/json_path.ts";
import { randomJson, randomPath, valueAtPath } from "../../../support/random/random_json.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { stringColumn } from "../../../support/values/host_columns.ts";

contextTest("at() finds on the device what random JSON text was made of", async (context) => {
  await forSeeds(2, async (random) => {
    const roots = Array.from({ length: 70 }, () => randomJson(random, 4));
    const path = randomPath(random, roots[0]!);
    const text = printExpr(col("text").at(printJsonPath(path)));
    // Every seventh text is spoilt.
    const texts = roots.map(({ text }, row) => row % 7 === 6 ? `${text}}` : text);
    const wanted = roots.map((root, row) => row % 7 === 6 ? null : valueAtPath(root, path));
    const [values] = await agreed(context, [text], { text: stringColumn(texts) });
    assertEquals(values, wanted, text);
    // Kernels for ASCII skip the bytes of a string at once.
    await agreed(context, [text], { text: stringColumn(texts.map(escaped)) });
  });
});

contextTest("at() reads on a device what blanks precede in another row", async (context) => {
  // The rows leave the loop over blanks in different rounds, and then read the byte that ended it.
  const texts = ['[{"":[]}]', '[{""\r:{}},{}]', '[{"é"   :1}]'];
  const [values] = await agreed(context, ['text.at("[0]")'], { text: stringColumn(texts) });
  assertEquals(values, ['{"":[]}', '{""\r:{}}', '{"é"   :1}']);
});

/** The same JSON in ASCII. */
function escaped(text: string): string {
  return text.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
