import { assertEquals } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import {
  at,
  type BatchStream,
  createEngine,
  expr,
  filter,
  fromBatches,
  head,
  type Operator,
  read,
  regroup,
  slice,
  StepError,
  tail,
  take,
  withColumns,
  write,
} from "../../../../mod.ts";
import { pythonTest } from "../../../support/judges/python.ts";
import {
  type Bounds,
  type PythonStep,
  type SliceCase,
  slicesOfPython,
} from "../../../support/judges/python_slices.ts";
import { Draws, firstSeed, SeededRandom } from "../../../support/random/seeded_random.ts";
import {
  allTypesBatch,
  inFolder,
  rowsOf,
  wordsBatch,
} from "../../../support/values/streams_samples.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const engines = [true, false].map((fuse) => createEngine({ device: "cpu", threads: 1, fuse }));
const hold = { hold: true };

/** One operator, and the same in Python; none for what keeps all rows. */
interface Written {
  readonly text: string;
  readonly operator: Operator;
  readonly python?: PythonStep;
}

function randomBounds(random: SeededRandom, numRows: number): Bounds {
  const bound = () => random.chance(0.3) ? null : random.below(3 * numRows + 4) - 2 * numRows - 2;
  return [bound(), bound(), random.pick([null, 1, 1, 2, 3, 8, -1, -1, -2, -5])];
}

/** Texts as the command line has them. */
function textOf(part: number | Bounds): string {
  if (typeof part === "number") return String(part);
  return part.map((bound) => bound ?? "").join(":");
}

/** In the last step rows may be missing: what no later step asks for need not be found out. */
function randomStep(
  random: SeededRandom,
  numRows: number,
  isLast: boolean,
  draws: Draws,
): Written {
  const kind = random.pick([
    "slice",
    "slice",
    "head",
    "tail",
    "at",
    "take",
    "text",
    "same",
    "filter",
  ]);
  draws.add(kind);
  // Steps before have left rows out: so few rows are there in any case.
  const least = isLast ? numRows : 0;
  const position = () => random.below(2 * least) - least;
  switch (kind) {
    case "slice": {
      const bounds = randomBounds(random, numRows);
      return { text: textOf(bounds), operator: slice(...bounds, hold), python: { slice: bounds } };
    }
    case "head": {
      const count = random.below(numRows + 3);
      const python = { slice: [null, count, null] } as const;
      return { text: `head ${count}`, operator: head(count), python };
    }
    case "tail": {
      const count = random.below(numRows + 3);
      const python = { slice: [count === 0 ? 0 : -count, count === 0 ? 0 : null, null] } as const;
      return { text: `tail ${count}`, operator: tail(count), python };
    }
    case "at": {
      if (least === 0) {
        return { text: "all", operator: slice(), python: { slice: [null, null, null] } };
      }
      const row = position();
      return { text: `at ${row}`, operator: at(row), python: { take: [row] } };
    }
    case "same":
      return { text: "with", operator: withColumns({ id: expr("id") }) };
    case "filter": {
      const operator = filter(expr("id != 1 && id != 4 && id != 20"));
      return { text: "filter", operator, python: { without: [1, 4, 20] } };
    }
    default: {
      const part = () =>
        least > 0 && random.chance(0.6) ? position() : randomBounds(random, numRows);
      const take_ = Array.from({ length: random.below(6) }, part);
      const text = take_.map(textOf).join();
      const python = { take: take_ };
      if (kind === "text" && take_.length > 0) {
        return { text: `take "${text}"`, operator: take(text, hold), python };
      }
      const parts = take_.map((part) => {
        if (typeof part === "number") return part;
        const [start, stop, step] = part;
        return { start, stop, step };
      });
      return { text: `take ${text}`, operator: take(parts, hold), python };
    }
  }
}

/** Batches of names: some without rows, some that are slices of larger ones. */
function randomBatches(random: SeededRandom, draws: Draws): RecordBatch[] {
  const names = ["Åsa", "", "Łódź", null, "Nguyễn Văn Nam", "𝄞", "Anna", "O'Brien"];
  let next = 0;
  return Array.from({ length: 1 + random.below(7) }, () => {
    const size = random.pick([0, 1, 1, 3, 12]);
    const [before, behind] = random.chance(0.4) ? [random.below(9), random.below(30)] : [0, 0];
    if (size === 0) draws.add("empty batch");
    if (before > 0) draws.add("sliced batch");
    const words = Array.from({ length: before + size + behind }, () => random.pick(names));
    const batch = wordsBatch(words, next - before).slice(before, before + size);
    next += size;
    return batch;
  });
}

const FILES = ["arrow", "arrows", "parquet", "csv", "ndjson"];

pythonTest(
  "slices and lists of rows are those of Python, from all sources, in any batches",
  () =>
    inFolder(async (folder) => {
      const kinds = ["slice", "head", "tail", "at", "take", "text", "same", "filter"];
      const draws = new Draws([...kinds, "empty batch", "sliced batch", "no such row", ...FILES]);
      const given = Deno.env.get("SLUICE_SEED");
      const seed = given === undefined ? firstSeed() : Number(given);
      const random = new SeededRandom(seed);
      const cases = Array.from({ length: fewOr(300, 2000) }, (_, index) => {
        const batches = randomBatches(random, draws);
        const numRows = batches.reduce((sum, batch) => sum + batch.numRows, 0);
        // Text without rows has no types.
        const files = numRows > 0 ? FILES : FILES.slice(0, 3);
        const others = ["memory", "stream", "stream", "stream", "regroup"];
        const from = random.pick([...others, random.pick(files)]);
        draws.add(from);
        const count = 1 + random.below(3);
        const steps = Array.from(
          { length: count },
          (_, step) => randomStep(random, numRows, step === count - 1, draws),
        );
        const text = steps.map(({ text }) => text).join(" then ");
        const label = `SLUICE_SEED=${seed}, case ${index}: ${from} of ${numRows} rows then ${text}`;
        return { batches, rows: numRows, from, steps, label, engine: random.pick(engines) };
      });
      const expected = await slicesOfPython(
        cases.map(({ rows, steps }): SliceCase => ({
          rows,
          steps: steps.flatMap(({ python }) => python ?? []),
        })),
      );
      for (const [index, { batches, from, steps, label, engine }] of cases.entries()) {
        let stream: BatchStream;
        if (from === "memory") stream = fromBatches(batches, { engine });
        else if (FILES.includes(from)) {
          const path = `${folder}/${index}.${from}`;
          await fromBatches(batches).pipeTo(write(path));
          stream = read(path, { engine });
        } else {
          stream = fromBatches(ReadableStream.from(batches), { engine });
          if (from === "regroup") stream = stream.pipeThrough(regroup({ rows: 2 }));
        }
        for (const { operator } of steps) stream = stream.pipeThrough(operator);
        const rows = await rowsOrNone(stream);
        if (rows === null) draws.add("no such row");
        const all = rowsOf(batches).map(({ id, word }) => [Number(id), word]);
        const wanted = expected[index]?.map((row) => all[row]) ?? null;
        // An empty text of CSV is null.
        const plainRows = (list: unknown) =>
          from === "csv" ? JSON.stringify(list)?.replaceAll('""', "null") : JSON.stringify(list);
        assertEquals(plainRows(rows), plainRows(wanted), label);
      }
      assertEquals(draws.missing, []);
    }),
);

/** The rows of a stream; null where one does not exist that it wants. */
async function rowsOrNone(stream: BatchStream): Promise<unknown[] | null> {
  try {
    const batches = await Array.fromAsync(stream);
    return rowsOf(batches).map(({ id, word }) => [Number(id), word]);
  } catch (error) {
    if (error instanceof StepError && error.message.includes("There is no row ")) return null;
    throw error;
  }
}

Deno.test("rows of every type are kept as they are", async () => {
  const batches = [12, 40, 0, 3, 1, 1, 1, 25].map(allTypesBatch);
  const all = rowsOf(batches);
  const from = (row: number) => row < 0 ? all[row + all.length]! : all[row]!;
  const mixed = [70, 3, -1, 3, 12, 11, 82, 0, -83];
  const cases: readonly [Operator, unknown[]][] = [
    [tail(20), all.slice(-20)],
    [tail(29), all.slice(-29)],
    [slice(null, null, -1, hold), all.toReversed()],
    [slice(60, 10, -7), [60, 53, 46, 39, 32, 25, 18, 11].map(from)],
    [slice(2, -30), all.slice(2, -30)],
    [take(mixed), mixed.map(from)],
    [take([{ start: 50 }, { stop: 8 }], hold), [...all.slice(50), ...all.slice(0, 8)]],
  ];
  for (const [operator, expected] of cases) {
    const stream = fromBatches(ReadableStream.from(batches), { engine: engines[0]! });
    assertEquals(rowsOf(await Array.fromAsync(stream.pipeThrough(operator))), expected);
  }
});
