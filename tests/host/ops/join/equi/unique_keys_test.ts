/** `validate` of joins: the first key that comes again is told, in whichever batch it lies. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { Field, Float64, Int32, Int64, type RecordBatch, Utf8 } from "apache-arrow";
import { createEngine, fromBatches, join, StepError, toTable } from "../../../../../mod.ts";
import { batchOfColumns, columnOfValues } from "../../../../support/values/arrow_columns.ts";
import { closing } from "../../../../support/running/closing.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";

/** Types of keys, each with its value of a number, and how an error shows that. */
const KEYS = {
  int32: {
    type: new Int32(),
    value: (key: number) => key - 7,
    shown: (key: number) => `${key - 7}`,
  },
  int64: {
    type: new Int64(),
    value: (key: number) => BigInt(key) << 33n,
    shown: (key: number) => `${BigInt(key) << 33n}`,
  },
  float64: {
    type: new Float64(),
    value: (key: number) => key + 0.25,
    shown: (key: number) => `${key + 0.25}`,
  },
  text: {
    type: new Utf8(),
    value: (key: number) => `Łódź, ulica ${key}`,
    shown: (key: number) => JSON.stringify(`Łódź, ulica ${key}`),
  },
} as const;

type KeyName = keyof typeof KEYS;

/** Rows with keys by number, null for none, in batches; `part` is a second key, the same everywhere. */
function side(
  random: SeededRandom,
  name: KeyName,
  keys: readonly (number | null)[],
): { readonly batches: readonly RecordBatch[]; readonly starts: readonly number[] } {
  const { type, value } = KEYS[name];
  const fields = [new Field("key", type, true), new Field("part", new Utf8(), true)];
  const starts = [0];
  const batches: RecordBatch[] = [];
  do {
    const start = starts.at(-1)!;
    const own = keys.slice(start, start + 1 + random.below(9));
    const columns = [own.map((key) => key === null ? null : value(key)), own.map(() => "one")];
    batches.push(batchOfColumns(
      fields,
      columns.map((values, at) => columnOfValues(random, fields[at]!.type, values)),
    ));
    starts.push(start + own.length);
  } while (starts.at(-1)! < keys.length);
  return { batches, starts };
}

Deno.test("validate tells the first key that comes again, of either side, in whichever batch", () => {
  const draws = new Draws([
    ...Object.keys(KEYS).flatMap((name) =>
      ["left", "right"].map((of) => `${name} again on the ${of}`)
    ),
    ...["again in another batch", "again in the same batch", "a null again", "nulls that are none"],
    ...["never again", "two keys"],
  ]);
  return forSeeds(150, async (random) => {
    const name = random.pick(Object.keys(KEYS) as KeyName[]);
    const numRows = random.below(50);
    const keys: (number | null)[] = Array.from({ length: numRows }, (_, row) => row * 3 % 101);
    // Now and then a key comes again, and some are null.
    for (let count = random.below(3); count > 0 && numRows > 1; count--) {
      keys[random.below(numRows)] = keys[random.below(numRows)]!;
    }
    if (random.chance(0.4)) {
      for (let count = random.below(4); count > 0 && numRows > 0; count--) {
        keys[random.below(numRows)] = null;
      }
    }
    const nullsEqual = random.chance(0.5);
    const seen = new Map<number | null, number>();
    let row = -1;
    for (const [at, key] of keys.entries()) {
      if (key === null && !nullsEqual) continue;
      if (seen.has(key)) {
        row = at;
        break;
      }
      seen.set(key, at);
    }
    const of = random.pick(["left", "right"] as const);
    const validated = side(random, name, keys);
    const other = side(random, name, [1, 5, null, 12]);
    const [left, right] = of === "left" ? [validated, other] : [other, validated];
    const isTwo = random.chance(0.4);
    await using engine = closing(
      createEngine({ device: "cpu", threads: 1, fuse: random.chance(0.5) }),
    );
    const joined = fromBatches(left.batches, { engine }).pipeThrough(
      join(fromBatches(right.batches, { engine }), {
        on: isTwo ? ["key", "part"] : "key",
        how: random.pick(["inner", "left", "right", "full", "semi", "anti", "right-semi"] as const),
        nullsEqual,
        validate: random.chance(0.3) ? "1:1" : of === "left" ? "1:m" : "m:1",
        engine,
      }),
    );
    const error: unknown = await toTable(joined).then(() => undefined, (error) => error);
    if (row < 0) {
      assertEquals(error, undefined);
      draws.add("never again");
      if (keys.filter((key) => key === null).length > 1) draws.add("nulls that are none");
      return;
    }
    assert(error instanceof StepError && error.cause instanceof RangeError, String(error));
    const key = keys[row]!;
    const shown = key === null ? "null" : KEYS[name].shown(key);
    const told = `key = ${shown}${isTwo ? ', part = "one"' : ""} occurs again in its row ${row}`;
    const { message } = error as Error;
    assertEquals(
      message,
      `step 2, join: Keys of the ${
        of === "left" ? "stream" : "build side"
      } are not unique: ${told}`,
    );
    assertMatch(message, /^[^\n]+$/);
    const batchOf = (row: number) => validated.starts.findLastIndex((start) => start <= row);
    const isSame = batchOf(seen.get(key)!) === batchOf(row);
    draws.add(`again in ${isSame ? "the same" : "another"} batch`);
    draws.add(`${name} again on the ${of}`);
    if (key === null) draws.add("a null again");
    if (isTwo) draws.add("two keys");
  }, draws);
});
