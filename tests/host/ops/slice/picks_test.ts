import { assertEquals, assertRejects } from "@std/assert";
import {
  at,
  type BatchStream,
  countRows,
  createEngine,
  expr,
  filter,
  fromBatches,
  head,
  type Operator,
  read,
  slice,
  StepError,
  tail,
  take,
  toTable,
  write,
} from "../../../../mod.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { inFolder, wordsBatch } from "../../../support/values/streams_samples.ts";

const engines = [true, false].map((fuse) => createEngine({ device: "cpu", threads: 1, fuse }));

/** What a slice picks of an array, spelled out. */
function sliced<T>(
  rows: readonly T[],
  start: number | null,
  stop: number | null,
  step: number,
): T[] {
  const order = step > 0 ? [...rows.keys()] : [...rows.keys()].reverse();
  const position = (bound: number) => bound < 0 ? bound + rows.length : bound;
  const inside = order.filter((row) => {
    const [low, high] = step > 0 ? [start, stop] : [stop, start];
    const isBehindLow = low === null || (step > 0 ? row >= position(low) : row > position(low));
    const isBeforeHigh = high === null || (step > 0 ? row < position(high) : row <= position(high));
    return isBehindLow && isBeforeHigh;
  });
  return inside.filter((_, index) => index % Math.abs(step) === 0).map((row) => rows[row]!);
}

interface RandomPick {
  readonly what: string;
  readonly operator: Operator;
  of(rows: readonly number[]): number[];
}

function randomPick(random: SeededRandom, numRows: number): RandomPick {
  const bound = () => random.chance(0.3) ? null : random.below(3 * numRows + 4) - numRows - 2;
  const kind = random.pick(["slice", "head", "tail", "at", "take"]);
  const [start, stop] = [bound(), bound()];
  const step = random.pick([1, 1, 2, 3, 7, -1, -2, -5]);
  if (kind === "slice" || (numRows === 0 && kind !== "head" && kind !== "tail")) {
    return {
      what: `slice ${start}:${stop}:${step}`,
      operator: slice(start, stop, step, { hold: true }),
      of: (rows) => sliced(rows, start, stop, step),
    };
  }
  const count = random.below(numRows + 3);
  if (kind === "head") {
    return { what: `head ${count}`, operator: head(count), of: (rows) => rows.slice(0, count) };
  }
  if (kind === "tail") {
    return {
      what: `tail ${count}`,
      operator: tail(count),
      of: (rows) => count === 0 ? [] : rows.slice(-count),
    };
  }
  const position = () => random.below(2 * numRows) - numRows;
  if (kind === "at") {
    const index = position();
    return { what: `at ${index}`, operator: at(index), of: (rows) => [rows.at(index)!] };
  }
  const positions = Array.from({ length: random.below(5) }, position);
  return {
    what: `take ${positions},${start}:${stop}:${step}`,
    operator: take([...positions, { start, stop, step }], { hold: true }),
    of: (rows) => [...positions.map((row) => rows.at(row)!), ...sliced(rows, start, stop, step)],
  };
}

async function idsOf(stream: BatchStream): Promise<number[]> {
  return [...(await toTable(stream)).getChild("id")?.toArray() ?? []];
}

Deno.test("rows picked from memory and from files are those of an array", () =>
  inFolder((folder) =>
    forSeeds(60, async (random) => {
      const sizes = Array.from({ length: 1 + random.below(5) }, () => random.pick([0, 1, 3, 20]));
      let numRows = 0;
      const batches = sizes.map((size) => {
        const words = Array.from({ length: size }, () => random.pick(["Åsa", "", "Łódź", null]));
        numRows += size;
        return wordsBatch(words, numRows - size);
      });
      const engine = random.pick(engines);
      const from = random.pick(["memory", "stream", "arrow", "arrows", "parquet"]);
      const path = `${folder}/in.${from}`;
      if (!["memory", "stream"].includes(from)) await fromBatches(batches).pipeTo(write(path));
      let stream = from === "memory"
        ? fromBatches(batches, { engine })
        : from === "stream"
        ? fromBatches(ReadableStream.from(batches), { engine })
        : read(path, { engine });
      let rows = Array.from({ length: numRows }, (_, row) => row);
      const steps = [from];
      for (let count = 1 + random.below(3); count > 0; count--) {
        const pick = randomPick(random, rows.length);
        stream = stream.pipeThrough(pick.operator);
        rows = pick.of(rows);
        steps.push(pick.what);
        if (random.chance(0.2)) {
          stream = stream.pipeThrough(filter(expr("id != 1 && id != 4 && id != 20")));
          rows = rows.filter((row) => ![1, 4, 20].includes(row));
          steps.push("filter");
        }
      }
      assertEquals(await idsOf(stream), rows, `${steps.join(" | ")} of ${sizes}`);
    })
  ));

Deno.test("a row that does not exist is an error of its step, in memory and in files", () =>
  inFolder(async (folder) => {
    const batch = wordsBatch(["a", "b", "c", "d", "e"]);
    const path = `${folder}/in.arrow`;
    await fromBatches([batch]).pipeTo(write(path));
    const sources = [
      () => fromBatches([batch]),
      () => fromBatches(ReadableStream.from([batch])),
      () => read(path),
    ];
    for (const open of sources) {
      const error = await assertRejects(
        () => toTable(open().pipeThrough(slice(1)).pipeThrough(at(4))),
        StepError,
      );
      assertEquals(error.message, "step 3, at: There is no row 4: the input has 4 rows");
      assertEquals(error.cause instanceof RangeError, true);
    }
  }));

Deno.test("picks from metadata are counted without a row", async () => {
  const batch = wordsBatch(["a", "b", "c", "d", "e"]);
  const count = (operator: Operator) => countRows(fromBatches([batch]).pipeThrough(operator));
  assertEquals(await count(slice(null, null, -2)), 3);
  assertEquals(await count(take([4, 4, { start: 1, stop: 3 }])), 4);
  await assertRejects(() => count(at(5)), StepError, "step 2, at: There is no row 5");
});
