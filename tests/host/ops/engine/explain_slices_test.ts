import { assertEquals } from "@std/assert";
import {
  at,
  BatchStream,
  createEngine,
  defineOperator,
  expr,
  filter,
  fromBatches,
  head,
  type Operator,
  read,
  regroup,
  rename,
  slice,
  tail,
  take,
  withColumns,
  write,
} from "../../../../mod.ts";
import { numberedBatches, watchedSource } from "../../../support/pipelines/pipeline_streams.ts";
import { inFolder } from "../../../support/values/streams_samples.ts";

const engine = createEngine({ device: "cpu", threads: 1 });
const batches = numberedBatches(4, 5);

/** The lines of the section about slices. */
async function slicesOf(
  stream: BatchStream,
  ...operators: readonly Operator[]
): Promise<readonly string[]> {
  const piped = operators.reduce((stream, operator) => stream.pipeThrough(operator), stream);
  const lines = (await piped.explain()).split("\n");
  const start = lines.indexOf("slices:");
  return start < 0 ? [] : lines.slice(start + 1, lines.indexOf("runs as:"));
}

const memory = () => fromBatches(batches, { engine });
const forwards = () => fromBatches(ReadableStream.from(batches), { engine, name: "log" });
const loud = () => withColumns({ loud: expr("word.upper()") });
const some = () => filter(expr("id > 3"));

Deno.test("explain says where each slice went", async () => {
  assertEquals(
    await slicesOf(memory(), slice(-1000), some(), slice(1, 30), head(10), loud(), tail(5)),
    [
      "  step 2, slice -1000:: rows of the source",
      "  step 4, slice 1:30: stays behind step 3, filter",
      "  step 5, head :10: one slice with step 4",
      "  step 7, tail -5:: moved before step 6, withColumns",
    ],
  );
});

Deno.test("slices that lead a plan, or move to its front, are rows of the source", async () => {
  const operators =
    () => [rename({ id: "n" }), slice(1), regroup({ rows: 2 }), tail(3), take([2, 0])];
  assertEquals(await slicesOf(memory(), ...operators()), [
    "  step 3, slice 1:: rows of the source",
    "  step 5, tail -3:: one slice with step 3",
    "  step 6, take 2,0: rows of the source",
  ]);
  // Where the source cannot seek, they move as far.
  assertEquals(await slicesOf(forwards(), ...operators()), [
    "  step 3, slice 1:: moved before step 2, rename",
    "  step 5, tail -3:: one slice with step 3",
    "  step 6, take 2,0: moved before step 2, rename",
  ]);
  assertEquals(await slicesOf(forwards(), at(3), loud()), [
    "  step 2, at 3: stays behind the source, which is read only forwards",
  ]);
});

Deno.test("a slice that cannot be one with another stays a step", async () => {
  assertEquals(await slicesOf(memory(), some(), head(3), tail(2)), [
    "  step 3, head :3: stays behind step 2, filter",
    "  step 4, tail -2:: stays behind step 3, head",
  ]);
});

Deno.test("explain says what of the source the rows of all slices together are", async () => {
  const { source } = watchedSource(batches);
  const described = { ...source, describeRows: () => Promise.resolve("1 of 4 batches") };
  const stream = () => new BatchStream({ source: described, nodes: [], engine: engine.plans });
  assertEquals(await slicesOf(stream(), take([2, 0]), slice(1)), [
    "  step 2, take 2,0: rows of the source",
    "  step 3, slice 1:: rows of the source, 1 of 4 batches",
  ]);
});

Deno.test("explain says which batches of a file are read, but not for a row that does not exist", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.arrow`;
    await fromBatches(batches).pipeTo(write(path));
    assertEquals(await slicesOf(read(path, { engine }), slice(3, 7)), [
      "  step 2, slice 3:7: rows of the source, 2 of 4 batches",
    ]);
    assertEquals(await slicesOf(read(path, { engine }), at(99)), [
      "  step 2, at 99: rows of the source",
    ]);
  }));

Deno.test("plans without slices, and those that are not rewritten, have no such section", async () => {
  assertEquals(await slicesOf(memory(), loud(), some()), []);
  const unfused = createEngine({ device: "cpu", fuse: false });
  const explained = await fromBatches(batches, { engine: unfused }).pipeThrough(slice(1)).explain();
  assertEquals(explained.includes("slices:"), false);
  // An operator of a plugin may bear the name of ours.
  const own = defineOperator<null>({
    name: "slice",
    rows: "fewer",
    schema: (input) => input,
    open: () => ({}),
  });
  assertEquals(await slicesOf(memory(), own(null)), []);
});
