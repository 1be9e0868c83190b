import { assertEquals } from "@std/assert";
import {
  createEngine,
  expr,
  filter,
  fromBatches,
  head,
  type Operator,
  rename,
  slice,
  StepError,
  tail,
  take,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { randomPick } from "../../../support/pipelines/slice_steps.ts";
import { wordsBatch } from "../../../support/values/streams_samples.ts";

const engine = createEngine({ device: "cpu", threads: 1 });
const strict = () => withColumns({ n: expr("word.toInteger({ strict: true })") });

/** The error of the step that refuses a text. */
async function refusal(
  words: readonly string[],
  from: string,
  operators: readonly Operator[],
): Promise<StepError | undefined> {
  const batches = [wordsBatch(words.slice(0, 4)), wordsBatch(words.slice(4), 4)];
  const source = from === "memory" ? batches : ReadableStream.from(batches);
  const stream = operators.reduce(
    (stream, operator) => stream.pipeThrough(operator),
    fromBatches(source, { engine }),
  );
  try {
    await toTable(stream);
    return undefined;
  } catch (error) {
    if (error instanceof StepError) return error;
    throw error;
  }
}

const draws = new Draws(["memory", "stream", "refused", "not picked"]);

Deno.test("the row of an error is that of the step's input as the plan was written", () =>
  forSeeds(150, async (random) => {
    const broken = random.below(12);
    const words = Array.from({ length: 12 }, (_, row) => row === broken ? "Łódź" : String(row));
    const from = random.pick(["memory", "stream"]);
    let rows = words.map((word, id) => ({ id, word }) as Readonly<Record<string, unknown>>);
    const before = Array.from({ length: random.below(2) }, () => {
      const pick = randomPick(random, rows.length);
      rows = [...pick.of(rows)];
      return pick;
    });
    // The first of several rows that are refused depends on their order.
    const places = rows.flatMap(({ id }, place) => id === broken ? [place] : []);
    if (places.length > 1) return;
    let picked = rows;
    const behind = Array.from({ length: 1 + random.below(2) }, () => {
      const pick = randomPick(random, picked.length);
      picked = [...pick.of(picked)];
      return pick;
    });
    const operators = [
      ...before.map(({ operator }) => operator),
      strict(),
      rename({ id: "key" }),
      ...behind.map(({ operator }) => operator),
    ];
    const text = `${from}: ${[...before, ...behind].map(({ what }) => what).join(" | ")}`;
    draws.add(from);
    const error = await refusal(words, from, operators);
    const isPicked = picked.some(({ id }) => id === broken);
    assertEquals(error !== undefined, isPicked, text);
    draws.add(isPicked ? "refused" : "not picked");
    if (error === undefined) return;
    assertEquals([error.step, error.operator], [before.length + 2, "withColumns"]);
    // Of a stream nobody knows how many rows are left out of its front.
    if (from === "memory" || error.row !== undefined) assertEquals(error.row, places[0], text);
  }, draws));

Deno.test("the row of an error is left out where it is not known", async () => {
  const words = ["1", "2", "3", "4", "5", "x", "7", "8"];
  const some = () => filter(expr("id > 2"));
  const cases: readonly [string, Operator[], row: number | undefined][] = [
    ["memory", [strict(), tail(4)], 5],
    ["memory", [strict(), slice(null, null, -1)], 5],
    ["memory", [strict(), take([7, 5, 0])], 5],
    ["memory", [slice(2), strict(), slice(1, -1)], 3],
    ["memory", [some(), strict(), slice(1, 4)], 2],
    ["memory", [some(), strict(), tail(3)], undefined],
    ["stream", [strict(), slice(3, null, 2)], 5],
    ["stream", [strict(), head(7)], 5],
    ["stream", [strict(), tail(4)], undefined],
    ["stream", [tail(4), strict()], 1],
  ];
  for (const [from, operators, row] of cases) {
    const error = await refusal(words, from, operators);
    assertEquals(error?.row, row, `${from}, ${error}`);
    assertEquals(error?.operator, "withColumns");
  }
});
