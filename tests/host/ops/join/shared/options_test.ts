/** Wrong options of joins: one plain line at once, that names the option, whatever is given. */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { createEngine, expr, fromBatches, join, type JoinOptions } from "../../../../../mod.ts";
import { wordsBatch } from "../../../../support/values/streams_samples.ts";

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

/** The same of as-of joins, and of joins by a condition. */
const WRONG_AS_OF: typeof WRONG = {
  asOf: [null, 5, true, [], {}, { id: 5 }, { a: "b", c: "d" }, expr("id")],
  by: [null, 5, true, expr("id"), [5], [null], [["id"]], [["id", "id", "id"]], { id: 5 }],
  how: [null, 5, "", "full", "right", "cross", "__proto__"],
  direction: [null, 1, "", "up", "Backward", ["nearest"]],
  tolerance: [null, -1, NaN, "", "s", "2 s s", "1e", true, {}],
  suffix: [null, 5, {}],
  keepKeys: [null, 1, "true"],
};
const WRONG_WHERE: typeof WRONG = {
  where: [null, 5, true, [], {}, () => true],
  how: [null, 5, "", "full", "right", "cross", "__proto__"],
  suffix: [null, 5, {}],
};

const FORMS = [
  ["a join", { on: "id" }, WRONG],
  ["an as-of join", { asOf: "id" }, WRONG_AS_OF],
  ["a join by a condition", { where: "id < right.id" }, WRONG_WHERE],
] as const;

for (
  const [form, base, name, values] of FORMS.flatMap(([form, base, wrong]) =>
    Object.entries(wrong).map(([name, values]) => [form, base, name, values] as const)
  )
) {
  Deno.test(`${form} refuses what is no ${name} at once, in one line that names it`, () => {
    for (const value of values) {
      const build = fromBatches(wordsBatch(["a"]), { engine });
      const options = { ...base, [name]: value, engine } as unknown as JoinOptions;
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
        new RegExp(`\\b${name}\\b|^(A|An as-of|A key of a|The condition of a) join`).test(
          error.message,
        ) ||
          name === "on",
        told,
      );
      // What was refused has not taken the build side over.
      assertEquals(build.locked, false, told);
    }
  });
}

Deno.test("a form of a join refuses the options of the others", () => {
  const own = FORMS.map(([, base, wrong]) => ({ base, names: Object.keys(wrong) }));
  const forms = [...own, { base: { how: "cross" }, names: ["order", "asOf", "where"] }];
  const values: Readonly<Record<string, unknown>> = {
    ...{ on: "id", nullsEqual: true, promote: "exact", validate: "m:m", order: "probe" },
    ...{ keepKeys: true, asOf: "id", by: "id", direction: "forward", tolerance: 1 },
    where: "id < right.id",
  };
  for (const { base, names } of forms) {
    for (const [name, value] of Object.entries(values)) {
      if (names.includes(name)) continue;
      const build = fromBatches(wordsBatch(["a"]), { engine });
      const options = { ...base, [name]: value, engine } as unknown as JoinOptions;
      const error = assertThrows(() => join(build, options), TypeError, undefined, name);
      assertMatch(
        error.message,
        /^A(n as-of)? (cross )?join (by (keys|a condition) )?(has no|has one|takes one of the) /,
      );
      assertEquals(build.locked, false);
    }
  }
});

Deno.test("an option that no join has is refused with the nearest name", () => {
  const cases = [
    [{ on: "id", hwo: "left" }, "A join by keys has no option hwo; did you mean how?"],
    [
      { on: "id", nullEqual: true },
      "A join by keys has no option nullEqual; did you mean nullsEqual?",
    ],
    [{ how: "cross", rows: 5 }, "A cross join has no option rows"],
    [
      { asOf: "id", tolerence: 1 },
      "An as-of join has no option tolerence; did you mean tolerance?",
    ],
    [
      { where: "id < right.id", sufix: "_b" },
      "A join by a condition has no option sufix; did you mean suffix?",
    ],
  ] as const;
  for (const [options, message] of cases) {
    const build = fromBatches(wordsBatch(["a"]), { engine });
    const error = assertThrows(() => join(build, options as unknown as JoinOptions), TypeError);
    assertEquals(error.message, message);
    assertEquals(build.locked, false);
  }
});

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
