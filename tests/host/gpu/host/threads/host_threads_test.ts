import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { tableFromArrays, Utf8 } from "apache-arrow";
import { formatSummary } from "../../../../../cli/print/summary.ts";
import { createEngine, fromBatches, type RunStats, toTable } from "../../../../../mod.ts";
import { createHostBackend } from "../../../../../gpu/host/backend.ts";
import { HostThreads } from "../../../../../gpu/host/threads/host_threads.ts";
import { expectFailedParts } from "../../../../support/failed_parts.ts";
import { stringColumn } from "../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import {
  assertSameColumn,
  evaluateWith,
  onTaken,
  openThreads,
  sabotaged,
} from "../../../../support/processes/threads.ts";
import { until } from "../../../../support/running/until.ts";

const NUM_ROWS = 65_536;
const { program } = compileProgram(['name.strip().replace("1", "one")'], { name: new Utf8() });
const names = stringColumn(Array.from({ length: NUM_ROWS }, (_, row) => ` name ${row}  `));

Deno.test("workers start when there is much to do, leave when there is not, and come again", async () => {
  const threads = new HostThreads({ threads: 2 });
  const work = () => void evaluateWith(threads, program, [names], NUM_ROWS);
  try {
    work();
    assertEquals(threads.numWorkers, 0);
    await until(() => threads.numWorkers === 1, "a worker is there", work);
    await until(() => threads.numWorkers === 0, "it is gone");
    await until(() => threads.numWorkers === 1, "one is there again", work);
  } finally {
    threads.close();
  }
  assertEquals(threads.numWorkers, 0);
  work();
  assertEquals(threads.numWorkers, 0);
});

Deno.test("small batches and one thread start no workers", () => {
  const one = new HostThreads({ threads: 1, always: true });
  const two = new HostThreads({ threads: 2 });
  for (let round = 0; round < 200; round++) {
    evaluateWith(one, program, [names], NUM_ROWS / 64);
    evaluateWith(two, program, [names], NUM_ROWS / 64);
  }
  assertEquals([one.numWorkers, two.numWorkers], [0, 0]);
});

Deno.test("a part that a worker is late with is done here, and its slot is of use later", async () => {
  const threads = await openThreads(2, sabotaged(onTaken("if (numTaken === 5) nap(300);")));
  try {
    const column = stringColumn(Array.from({ length: 200 }, (_, row) => ` ${row} `));
    const wanted = evaluateWith(undefined, program, [column], column.length);
    const work = () => {
      const results = evaluateWith(threads, program, [column], column.length);
      results.forEach((result, index) => assertSameColumn(result, wanted[index]!, "strip"));
    };
    await until(() => threads.numLate > 0, "it is late", work);
    const before = threads.numTheirs;
    await until(() => threads.numTheirs > before + 50, "it goes on", work);
  } finally {
    threads.close();
  }
});

Deno.test("workers keep no process from its end, and need no permission", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-check", "--no-prompt", "tests/support/processes/threads_job.ts"],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  assertEquals(JSON.parse(text), { numWorkers: 1 });
});

Deno.test("threads are a number from 1 on", () => {
  for (const threads of [0, -1, 1.5, NaN]) {
    assertThrows(() => createEngine({ threads }), RangeError, "threads is a number of threads");
  }
});

Deno.test("SLUICE_THREADS is a number from 1 on", async () => {
  const variable = "SLUICE_THREADS";
  const before = Deno.env.get(variable);
  try {
    Deno.env.set(variable, "many");
    const problem = 'SLUICE_THREADS is a number of threads from 1 on, not "many"';
    assertThrows(() => createEngine({ device: "cpu" }), RangeError, problem);
    Deno.env.set(variable, "1");
    assertEquals((await createEngine({ device: "cpu" }).describe()).kind, "host");
  } finally {
    if (before === undefined) Deno.env.delete(variable);
    else Deno.env.set(variable, before);
  }
});

Deno.test("where workers break, there are none after a few of them", () => {
  let numStarted = 0;
  const threads = new HostThreads({
    threads: 2,
    always: true,
    start: ({ onLost }) => {
      numStarted++;
      onLost("for the test");
      return { send() {}, end() {} };
    },
  });
  const work = () => void evaluateWith(threads, program, [names], 64);
  for (let round = 0; round < 20; round++) work();
  assertEquals(numStarted, 3);
});

Deno.test("a backend counts what failed on threads, and the summary of --stats tells it", async () => {
  const start = sabotaged("TextDecoder.prototype.decode = () => { throw 1; };");
  using _ = expectFailedParts();
  const backend = createHostBackend({ threads: 2, always: true, start });
  const failedParts = () => backend.counters.failedParts;
  assertEquals(failedParts(), 0);
  try {
    const work = () => void backend.evaluate(program, [names], NUM_ROWS);
    await until(() => failedParts() > 0, "a part has failed", work);
  } finally {
    backend.close();
  }
  const runs: RunStats[] = [];
  const engine = createEngine({ device: "cpu", onRun: (run) => runs.push(run) });
  await toTable(fromBatches(tableFromArrays({ id: [1, 2] }), { engine }));
  const summary = async () => (await formatSummary({ engine, runs, outputs: [] })).join("\n");
  assertEquals((await summary()).includes("threads"), false);
  Object.defineProperty(runs[0], "counters", { value: backend.counters });
  assertMatch(await summary(), /^threads +[\d,]+ parts? failed on a thread and ran again/m);
});

Deno.test("where no worker can be made, there are none", () => {
  let numStarted = 0;
  const start = () => {
    numStarted++;
    throw new DOMException("Refused", "SecurityError");
  };
  const threads = new HostThreads({ threads: 2, always: true, start });
  for (let round = 0; round < 20; round++) evaluateWith(threads, program, [names], 64);
  assertEquals([threads.numWorkers, numStarted], [0, 1]);
});
