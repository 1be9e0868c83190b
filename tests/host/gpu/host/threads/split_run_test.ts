import { assertEquals, assertThrows } from "@std/assert";
import { Bool, Float64, Int32, Int64, Utf8 } from "apache-arrow";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import { OverflowError } from "../../../../../base/errors/value_error.ts";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import type { HostThreads } from "../../../../../gpu/host/threads/host_threads.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import { describeTree } from "../../../../../gpu/kernel/tree/describe_tree.ts";
import type { Program } from "../../../../../gpu/kernel/tree/tree.ts";
import { expectFailedParts } from "../../../../support/failed_parts.ts";
import { columnOf, stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { plainOf } from "../../../../support/models/column_model.ts";
import {
  type Pick,
  RANDOM_TYPES,
  randomNumberTree,
  randomRow,
  randomTestTree,
  randomTextTree,
} from "../../../../support/random/random_trees.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import {
  assertSameColumn,
  evaluateWith,
  onTaken,
  openThreads,
  sabotaged,
  startNobody,
} from "../../../../support/processes/threads.ts";
import { BOOL, INT32, INT64 } from "../../../../support/kernels/trees.ts";
import { closing } from "../../../../support/running/closing.ts";
import { fewOr } from "../../../../support/random/test_size.ts";
import { until } from "../../../../support/running/until.ts";

const EXPRESSIONS = [
  "name.strip()",
  'name.splitPart(" ", 1)',
  'name.replace(" ", " and ")',
  'name.contains("an")',
  'name.containsRe("[aeiou]n?")',
  "name.length()",
  "name.slice(1, -1)",
  "name.repeat(count)",
  "name.pad(24)",
  'name + "," + name.upper()',
  "flag ? name : null",
  "flag ? name.length() : count",
  "fillNull(wide, 3)",
  "wide > 5 ? name : null",
  "fillNull(number, 0.5)",
  "number.toString()",
  "name.toFloat()",
  'name.split(" ")',
  "name.nfd()",
];

const TYPES = {
  name: new Utf8(),
  count: new Int32(),
  wide: new Int64(),
  number: new Float64(),
  flag: new Bool(),
};

function columnsOf(pick: Pick, numRows: number): Record<string, HostColumn> {
  const nulls = pick(2) === 0;
  const words = ["Anna", "an", "", " ", "Ján", "𝄞", "x y z", "42", "-1.5"];
  const valuesOf = <T>(make: (row: number) => T) =>
    Array.from({ length: numRows }, (_, row) => nulls && pick(4) === 0 ? null : make(row));
  const ascii = pick(2) === 0 ? 4 : words.length;
  const text = () => Array.from({ length: pick(4) }, () => words[pick(ascii)]).join(" ");
  return {
    name: stringColumn(valuesOf(text)),
    count: columnOf(INT32, valuesOf(() => pick(7) - 2)),
    wide: columnOf(INT64, valuesOf((row) => BigInt(row) << 33n)),
    number: columnOf({ kind: "float", bits: 64 }, valuesOf(() => pick(100) / 7)),
    flag: columnOf(BOOL, valuesOf(() => pick(2) === 0)),
  };
}

/** Runs random programs with threads and without, and asserts that they give the same bytes. */
function assertSameResults(threads: HostThreads, numSeeds: number): Promise<void> {
  const programs = EXPRESSIONS.map((text) => ({ text, ...compileProgram([text], TYPES) }));
  return forSeeds(numSeeds, (random) => {
    const pick: Pick = (below) => random.below(below);
    const numRows = [16, 17, 100, 1000, 3001][pick(5)] ?? 0;
    const all = columnsOf(pick, numRows);
    for (const { text, program, inputNames } of programs) {
      const columns = inputNames.map((name) => all[name]!);
      const [wanted] = evaluateWith(undefined, program, columns, numRows);
      const [actual] = evaluateWith(threads, program, columns, numRows);
      assertSameRows(actual!, wanted!, `${text}, ${numRows} rows`);
    }
  });
}

/** What lies under nulls is no one's: kernels over whole columns fill it, those over rows do not. */
function assertSameRows(actual: HostColumn, wanted: HostColumn, what: string): void {
  for (const key of ["type", "length", "nullCount"] as const) {
    assertEquals(actual[key], wanted[key], `${what}: ${key}`);
  }
  assertEquals(valuesOf(actual), valuesOf(wanted), what);
}

Deno.test("kernels give the same bytes on threads, and workers do some of it", async () => {
  using threads = closing(await openThreads(3));
  await assertSameResults(threads, fewOr(5, 30));
  await until(
    () => threads.numTheirs > 100,
    "they do",
    () => assertSameResults(threads, fewOr(2, 5)),
  );
});

Deno.test("random trees give the same rows on threads", async () => {
  using threads = closing(await openThreads(2));
  const makers = [randomTextTree, randomNumberTree, randomTestTree];
  await forSeeds(fewOr(20, 60), (random) => {
    const pick: Pick = (below) => random.below(below);
    const tree = makers[pick(3)]!(pick, 1 + pick(4));
    const ascii = pick(2) === 0;
    const nulls = pick(2) === 0;
    const rows = Array.from({ length: 16 + pick(200) }, () => randomRow(pick, ascii, nulls));
    const columns = RANDOM_TYPES.map((type, index) =>
      columnOf(type, rows.map((row) => row[index] ?? null))
    );
    const program: Program = partitionIntoKernels(RANDOM_TYPES, [{ label: "result", tree }]);
    const [wanted] = evaluateWith(undefined, program, columns, rows.length);
    const [actual] = evaluateWith(threads, program, columns, rows.length);
    // A map of characters, which runs here alone, keeps the text below nulls.
    assertEquals(plainOf(actual!), plainOf(wanted!), describeTree(tree));
  });
});

const STRANGE = {
  "are late now and then": sabotaged(onTaken("if (Math.random() < 0.1) nap(2 * Math.random());")),
  "die when they have taken a part": sabotaged(
    onTaken(
      `if (numTaken === ${fewOr(60, 200)}) throw new Error("a worker that dies, for the test");`,
    ),
  ),
  "stand still for ever when they have taken a part": sabotaged(
    onTaken("if (Math.random() < 0.02) for (;;);"),
  ),
  "fail at all they do": sabotaged("TextDecoder.prototype.decode = () => { throw 1; };"),
  "forget what they know": sabotaged(
    "const { set } = Map.prototype;\n" +
      "Map.prototype.set = function (...entry) { this.clear(); return set.apply(this, entry); };",
  ),
  "never do anything": startNobody,
};

for (const [what, start] of Object.entries(STRANGE)) {
  Deno.test(`kernels give the same bytes with workers that ${what}`, async () => {
    using _ = expectFailedParts();
    using threads = closing(await openThreads(3, start));
    await assertSameResults(threads, fewOr(2, 6));
  });
}

Deno.test("a batch is done when workers end in the middle of it", async () => {
  using _ = expectFailedParts();
  using threads = closing(
    await openThreads(
      2,
      sabotaged(onTaken("if (numTaken > 20) { close(); for (;;); }")),
    ),
  );
  await assertSameResults(threads, 3);
});

Deno.test("an error on threads is the one without them, with its row", async () => {
  const { program, inputNames } = compileProgram(["name.repeat(count)"], TYPES);
  const counts = Array.from({ length: 1000 }, (_, row) => row === 777 ? 1_000_000_000 : 1);
  const columns: Record<string, HostColumn> = {
    name: stringColumn(counts.map(() => "abc")),
    count: columnOf(INT32, counts),
  };
  const operands = inputNames.map((name) => columns[name]!);
  using threads = closing(await openThreads(2));
  const wanted = assertThrows(
    () => evaluateWith(undefined, program, operands, counts.length),
    OverflowError,
  );
  const actual = assertThrows(
    () => evaluateWith(threads, program, operands, counts.length),
    OverflowError,
  );
  assertEquals([actual.message, actual.row], [wanted.message, 777]);
});

Deno.test("results that outgrow their slots and their estimate are whole", async () => {
  const { program, inputNames } = compileProgram(["name.repeat(count)"], TYPES);
  const counts = Array.from({ length: 500 }, (_, row) => row % 90 === 7 ? 700_000 : 2);
  const columns: Record<string, HostColumn> = {
    name: stringColumn(counts.map((_, row) => `${row % 10}`)),
    count: columnOf(INT32, counts),
  };
  const operands = inputNames.map((name) => columns[name]!);
  using threads = closing(await openThreads(2));
  const [wanted] = evaluateWith(undefined, program, operands, counts.length);
  for (let round = 0; round < 3; round++) {
    const [actual] = evaluateWith(threads, program, operands, counts.length);
    assertSameColumn(actual!, wanted!, `round ${round}`);
  }
});

Deno.test("a row that is too long in front of one that is not ASCII is no failure of a thread", async () => {
  const { program, inputNames } = compileProgram(["name.repeat(count)"], TYPES);
  const numRows = 1000;
  const rows = Array.from({ length: numRows }, (_, row) => row);
  const columns: Record<string, HostColumn> = {
    name: stringColumn(rows.map((row) => row === numRows - 1 ? "ß" : "Grace Hopper")),
    count: columnOf(INT32, rows.map((row) => row === 3 ? 1_000_000_000 : 1)),
  };
  const operands = inputNames.map((name) => columns[name]!);
  using threads = closing(await openThreads(2));
  const cache = new HostKernels({ minWasmRows: 1, threads });
  const error = assertThrows(() => evaluateOnHost(program, operands, numRows, cache));
  assertEquals((error as OverflowError).row, 3);
  assertEquals(threads.numFailed, 0);
});

Deno.test("what fails on threads and not here is counted, and what does not fit is not", async () => {
  const { program, inputNames } = compileProgram(["name.repeat(count)"], TYPES);
  const columnsFor = (counts: readonly number[]): HostColumn[] => {
    const columns: Record<string, HostColumn> = {
      name: stringColumn(counts.map((_, row) => `${row % 10}`)),
      count: columnOf(INT32, counts),
    };
    return inputNames.map((name) => columns[name]!);
  };
  const grows = Array.from({ length: 500 }, (_, row) => row % 90 === 7 ? 700_000 : 2);
  const fails = Array.from({ length: 1000 }, (_, row) => row === 777 ? 1_000_000_000 : 1);
  const sound = await openThreads(2);
  using _ = expectFailedParts();
  const broken = await openThreads(3, STRANGE["fail at all they do"]);
  try {
    evaluateWith(sound, program, columnsFor(grows), grows.length);
    assertThrows(() => evaluateWith(sound, program, columnsFor(fails), fails.length));
    assertEquals(sound.numFailed, 0);
    const work = () => void evaluateWith(broken, program, columnsFor(grows), grows.length);
    await until(() => broken.numFailed > 0, "some fail", work);
  } finally {
    sound.close();
    broken.close();
  }
});
