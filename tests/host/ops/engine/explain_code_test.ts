import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import {
  createEngine,
  defineStringOp,
  expr,
  filter,
  fromBatches,
  withColumns,
} from "../../../../mod.ts";

const people = () =>
  fromBatches(tableFromArrays({ name: ["Ada"], "odd\u001b[2J name": ["x"], f: [0.5] }), {
    engine: createEngine({ device: "cpu" }),
  });

/** The titles of the code below a plan, in order. */
function titles(text: string): string[] {
  return text.slice(text.indexOf("code of step")).split("\n")
    .filter((line) => /^ {0,2}\S/.test(line)).map((line) => line.trim());
}

Deno.test("explain with code shows, kernel by kernel, what is made of it at each stage", async () => {
  const stream = people()
    .pipeThrough(withColumns({ u: expr("(name + name.upper()).contains('A')"), g: expr("f + 1") }))
    .pipeThrough(filter(expr("name.length() > 2")))
    .pipeThrough(withColumns({ v: expr("name + '!'") }));
  const plan = await stream.explain();
  const text = await stream.explain({ code: true });
  assertEquals(text.slice(0, plan.length), plan);
  const passes = (...names: string[]) => names.map((name) => `device: WGSL, pass ${name}`);
  const wasm = ["host: WebAssembly", "host, for small batches: JavaScript"];
  const tiled = "instead of both on a card from 1048576 rows of up to 256 bytes on (predicted)";
  const found = titles(text).filter((title) => !title.startsWith("helper"));
  const lanes = (rules: string) => `with several lanes a row on a card ${rules} (predicted)`;
  const marked = lanes(
    "from 32768 rows of 256 to 511 bytes on, from 16384 rows of 512 to 4096 bytes on",
  );
  const copied = lanes(
    "from 131072 rows of 64 to 255 bytes on, from 32768 rows of 256 to 511 bytes on, " +
      "from 16384 rows of 512 to 4096 bytes on",
  ) + ", on a software adapter from 1024 rows of 1024 to 4096 bytes on (measured)";
  const searching = [
    ...passes("single", "single, for the others where long rows have a workgroup each"),
    ...passes("single, for long rows"),
    `device: WGSL, marks, ${marked}`,
    ...passes(`single, ${marked}`),
  ];
  assertEquals(found, [
    "code of step 2, withColumns:",
    "kernel 1: name + upper(name), for any text",
    "row function upper, map",
    "IR",
    ...wasm,
    ...passes("sizes", "write"),
    ...passes(`sizes, ${copied}`, `write, ${copied}`),
    'kernel 2: (name + name.upper()).contains("A"), for any text',
    "row function contains, measure",
    "IR",
    ...wasm,
    ...searching,
    "kernel 3: f + 1, for any text",
    "row function add, measure",
    "IR",
    "host: JavaScript, not WebAssembly, since it is as fast where its columns are",
    "device: none, since it computes with floating-point numbers",
    "code of step 3, filter:",
    "kernel 1: name.length() > 2, for any text",
    "row function length, measure",
    "IR",
    ...wasm,
    ...searching,
    "code of step 4, withColumns:",
    'kernel 1: name + "!", for any text',
    "IR",
    ...wasm,
    ...passes("sizes", "write", `tiles, ${tiled}`),
    ...passes(`sizes, ${copied}`, `write, ${copied}`),
  ]);
  for (const line of ["row (name: string) -> string", "(func $run", "fn compute_row(index: u32)"]) {
    assertStringIncludes(text, line);
  }
});

Deno.test("explain with code and ascii shows the kernels for text that is ASCII", async () => {
  const text = await people().pipeThrough(withColumns({ u: expr("name.upper()") }))
    .explain({ code: true, ascii: true });
  assertStringIncludes(text, "kernel 1: name.upper(), for text that is ASCII");
  assertStringIncludes(text, "byteMap name: string -> string");
  assertStringIncludes(text, "device: a pass over words, by a table of the map");
});

Deno.test("row functions are shown as they were written, and names as text", async () => {
  const shout = defineStringOp({
    name: "shout",
    kind: "map",
    consts: { mark: 0x21 },
    state: { seen: 0 },
    row(out, char, { mark, state }) {
      if (char === mark) state.seen++;
      out.put(char);
    },
  });
  const odd = "odd\u001b[2J name";
  const text = await people()
    .pipeThrough(withColumns({ u: shout(expr(`col(${JSON.stringify(odd)})`)) }))
    .explain({ code: true });
  assertStringIncludes(
    text,
    "  row function shout, map\n    // state seen = 0\n    // const mark = 33\n",
  );
  assertStringIncludes(text, "      if (char === mark) state.seen++;\n");
  assertStringIncludes(text, '"odd\\u001b[2J name".start');
  assert(!text.includes("\u001b"));
});
