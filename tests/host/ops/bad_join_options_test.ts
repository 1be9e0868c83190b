/** Wrong options of joins: one plain line at once, that names the option, whatever is given. */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { createEngine, expr, fromBatches, join, type JoinOptions } from "../../../mod.ts";
import { wordsBatch } from "../../support/streams_samples.ts";

const engine = createEngine({ device: "cpu" });

/** What is no value of each option. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  on: [
    ...[undefined, null, 5, true, [], {}, [[]], [["id"]], [5], [null], expr("id"), () => "id"],
    ...[[["id", "id", "id"]], [["id", 5]], [[null, "id"]], { id: 5 }, { id: ["id"] }],
    ...[[{ id: "id" }], [new Date(0)], new Date(0)],
  ],
  how: [null, 5, "", "outer", "INNER", "left ", "__proto__", "constructor", "toString", ["left"]],
  nullsEqual: [null, 0, 1, "true", "", {}],
  promote: [null, 1, true, "", "lossy", "Exact"],
  validate: [null, 1, "", "1:2", "n:1", "1", "m", "m:", "one_to_one", "1:1 "],
  order: [null, 1, true, "", "left", "build", "NONE"],
  suffix: [null, 5, true, {}],
  keepKeys: [null, 0, 1, "true", "", {}],
};

for (const [name, values] of Object.entries(WRONG)) {
  Deno.test(`a join refuses what is no ${name} at once, in one line that names it`, () => {
    for (const value of values) {
      const build = fromBatches(wordsBatch(["a"]), { engine });
      const options = { on: "id", [name]: value, engine } as unknown as JoinOptions;
      const error = assertThrows(
        () => join(build, options),
        Error,
        undefined,
        `${name}: ${Deno.inspect(value)}`,
      );
      const told = `${name} of ${Deno.inspect(value)}: ${error.name}: ${error.message}`;
      assert(error instanceof TypeError || error instanceof RangeError, told);
      assertMatch(error.message, /^[A-Z"][^\n]{5,200}[^.\n]$/, told);
      // Not what JavaScript says of a mistake in our own code.
      assert(
        !/is not (a function|iterable|an object)|[Cc]annot (read|convert)|Symbol\(/.test(
          error.message,
        ),
        told,
      );
      assert(
        name === "on" || error.message.includes(name) || error.message.startsWith("A join"),
        told,
      );
      // What was refused has not taken the build side over.
      assertEquals(build.locked, false, told);
    }
  });
}

Deno.test("a join takes every right value of its options", () => {
  const right: Readonly<Record<string, readonly unknown[]>> = {
    on: [
      ...["id", ["id"], { id: "id" }, [["id", "id"]], [[expr("id"), "id"]], [["id", expr("id")]]],
      ...[{ id: "id", word: "word" }, ["id", ["word", "word"]], ["id", "word"]],
    ],
    nullsEqual: [true, false, undefined],
    promote: ["exact", "lossless", undefined],
    validate: ["1:1", "1:m", "m:1", "m:m", undefined],
    order: ["probe", "none", undefined],
    suffix: ["_right", "_2", "", undefined],
    keepKeys: [true, false, undefined],
  };
  for (const [name, values] of Object.entries(right)) {
    for (const value of values) {
      const build = fromBatches(wordsBatch(["a"]), { engine });
      join(build, { on: "id", [name]: value, engine } as unknown as JoinOptions);
      assertEquals(build.locked, true);
    }
  }
});
