import { assertEquals, assertRejects } from "@std/assert";
import { Int32, type RecordBatch, Utf8 } from "apache-arrow";
import {
  createEngine,
  fromBatches,
  join,
  type JoinOptions,
  select,
  StepError,
  toTable,
} from "../../../../../mod.ts";
import { type JoinHow, joinHows } from "../../../../../gpu/join_kind.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { batchOf, rowsOf } from "../../../../support/values/streams_samples.ts";

/** Names that meet, and that the suffix makes of each other. */
const alphabet = ["a", "a_right", "a_right_right"];
const forms = [...joinHows, "as of", "where"] as const;

/** One row, with a key and a time of that name; each text says which column it is of. */
function sideOf(side: string, names: readonly string[]): RecordBatch {
  return batchOf(Object.fromEntries(
    names.map((name) => [
      name,
      name === "k" ? [new Int32(), [7]] : [new Utf8(), [`${name} of the ${side}`]],
    ]),
  ));
}

function optionsOf(form: typeof forms[number]): JoinOptions {
  if (form === "as of") return { asOf: "k" };
  if (form === "where") return { where: "k == right.k" };
  return form === "cross" ? { how: form } : { on: "k", how: form };
}

const ofLeft: readonly JoinHow[] = ["semi", "anti"];
const ofRight: readonly JoinHow[] = ["right-semi", "right-anti"];

/**
 * The columns by name, as docs/joins.md says: those of the stream, then those of the build side, which
 * get the suffix where the stream has the name. Undefined where two have one name then.
 */
function expectedNames(
  form: typeof forms[number],
  left: readonly string[],
  right: readonly string[],
): Map<string, string> | undefined {
  const own = left.map((name) => [name, `${name} of the stream`] as const);
  const built = right.map((name) => [name, `${name} of the build side`] as const);
  if (ofLeft.some((how) => how === form)) return new Map(own);
  if (ofRight.some((how) => how === form)) return new Map(built);
  // A key comes out once; a cross join and a condition have none.
  const hasKey = form !== "cross" && form !== "where";
  const added = built.filter(([name]) => !(hasKey && name === "k"))
    .map(([name, text]) => [left.includes(name) ? `${name}_right` : name, text] as const);
  const all = [...own, ...added];
  const names = new Map(all);
  return names.size === all.length ? names : undefined;
}

function shuffled(random: SeededRandom, names: readonly string[]): string[] {
  const rest = [...names];
  return names.map(() => rest.splice(random.below(rest.length), 1)[0]!);
}

Deno.test("names that clash: every form of join gives the same columns, or the same refusal, in any order of columns", async () => {
  const draws = new Draws([
    ...["a clash", "no clash", "a suffix", "two suffixes", "a selection"],
    ...forms.map((form) => `a clash of ${form}`).filter((name) => !/semi|anti/.test(name)),
  ]);
  await forSeeds(250, async (random) => {
    const some = () => shuffled(random, [...alphabet.filter(() => random.chance(0.6)), "k"]);
    const [left, right] = [some(), some()];
    const form = random.pick(forms);
    const engine = createEngine({ device: "cpu", fuse: random.chance(0.8) });
    const expected = expectedNames(form, left, right);
    const joined = () =>
      fromBatches(sideOf("stream", left), { engine })
        .pipeThrough(join(fromBatches(sideOf("build side", right), { engine }), optionsOf(form)));
    if (expected === undefined) {
      draws.add("a clash");
      draws.add(`a clash of ${form}`);
      const error = await assertRejects(() => toTable(joined()), StepError);
      const names =
        /^step 2, join: Columns (\d+) and (\d+) would have the same name, "(a[_a-z]*|k[_a-z]*)"; give another suffix, or take columns of the build side without \w+$/;
      assertEquals(names.test(error.message), true, error.message);
      return;
    }
    draws.add("no clash");
    const wanted = random.chance(0.5)
      ? shuffled(random, [...expected.keys()]).slice(0, 1 + random.below(expected.size))
      : undefined;
    if (wanted !== undefined) draws.add("a selection");
    const stream = wanted === undefined ? joined() : joined().pipeThrough(select(...wanted));
    const table = await toTable(stream);
    assertEquals(table.schema.names, wanted ?? [...expected.keys()]);
    for (const name of table.schema.names as string[]) {
      if (name === "a_right" && left.includes("a") && !left.includes(name)) draws.add("a suffix");
      if (name === "a_right_right" && left.includes("a_right")) draws.add("two suffixes");
    }
    const isEmpty = form === "anti" || form === "right-anti";
    const row = Object.fromEntries(
      (table.schema.names as string[]).map((name) => [
        name,
        /^k(_right)?$/.test(name) ? 7 : expected.get(name),
      ]),
    );
    assertEquals(rowsOf(table.batches), isEmpty ? [] : [row]);
  }, draws);
});
