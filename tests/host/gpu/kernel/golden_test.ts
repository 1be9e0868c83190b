import { add } from "../../../support/kernels/sums.ts";
import { assert, assertEquals } from "@std/assert";
import type { ColumnType } from "../../../../gpu/column/column.ts";
import { numeric } from "../../../../gpu/kernel/fold/numeric.ts";
import { parseRowFunction } from "../../../../gpu/kernel/parse/parse_row_function.ts";
import type { Tree } from "../../../../gpu/kernel/tree/tree.ts";
import { containsRe } from "../../../../ops/string/regex_match.ts";
import { extract } from "../../../../ops/string/regex_find.ts";
import { toDate } from "../../../../ops/string/convert/to_time.ts";
import { toInteger } from "../../../../ops/string/convert/to_integer.ts";
import { emitJavaScript, javaScriptSource } from "../../../../gpu/kernel/emit/javascript/emit.ts";
import { emitWasm, wasmModule, wasmSource } from "../../../../gpu/kernel/emit/wasm/emit.ts";
import { columnsWithLongRows, emitWgsl } from "../../../../gpu/kernel/emit/wgsl/emit.ts";
import { emitMarks } from "../../../../gpu/kernel/emit/wgsl/lanes/mark_rows.ts";
import { ownPasses } from "../../../../gpu/kernel/emit/wgsl/print/pass.ts";
import { canTile } from "../../../../gpu/kernel/emit/wgsl/tiles/tiles.ts";
import type { KernelIR, RowKernel } from "../../../../gpu/kernel/ir/ir.ts";
import { printIr } from "../../../../gpu/kernel/ir/print.ts";
import { lowerKernel } from "../../../../gpu/kernel/lower/lower.ts";
import { partitionIntoKernels } from "../../../../gpu/kernel/partition/partition.ts";
import {
  backward,
  before,
  callOfSpec,
  LIST,
  positions,
  spread,
} from "../../../support/kernels/list_functions.ts";
import {
  call,
  choose,
  column,
  compare,
  concat,
  INT32,
  INT64,
  literal,
  STRING,
} from "../../../support/kernels/trees.ts";
import { assembleWithWabt } from "../../../support/judges/peers.ts";

/** An expression whose generated code is kept in tests/golden. */
interface GoldenTree {
  readonly name: string;
  readonly types: readonly ColumnType[];
  readonly tree: Tree;
}

const name = column(0);

/** A product in thousandths, or null where the product does not fit. */
const scaled = parseRowFunction({
  ...{ name: "scaled", kind: "measure", subject: "i64", args: { by: "i64" }, returns: "i64" },
  consts: { mulOverflows: numeric.mulOverflows },
  row: (value: bigint, { by, mulOverflows }: { by: bigint; mulOverflows: Overflows }) =>
    mulOverflows(value, by) ? null : value * by / 1000n,
});

type Overflows = typeof numeric.mulOverflows;

/** The expressions. */
const goldenTrees: readonly GoldenTree[] = [
  {
    name: "redact",
    types: [STRING, STRING],
    tree: choose(
      compare("==", column(1), literal("public")),
      concat(
        call("slice", call("splitPart", name, " ", 1), 0, 1),
        " ",
        call("splitPart", name, " ", 0),
      ),
      literal("X X"),
    ),
  },
  { name: "upper", types: [STRING], tree: call("upper", name) },
  {
    name: "strip_lower_slice",
    types: [STRING],
    tree: call("slice", call("lower", call("strip", name, " \t")), 0, 3),
  },
  { name: "lower_head", types: [STRING], tree: call("head", call("lower", name), 20) },
  {
    name: "to_integer",
    types: [STRING],
    tree: { node: "call", fn: toInteger.rowFunction("text"), text: name, args: [], type: INT64 },
  },
  {
    name: "to_date",
    types: [STRING],
    tree: { node: "call", fn: toDate.rowFunction("iso"), text: name, args: [], type: INT32 },
  },
  {
    name: "contains_re",
    types: [STRING],
    tree: {
      node: "call",
      fn: containsRe.rowFunction("bytes", { pattern: "[a-z]+\\d" }),
      text: name,
      args: [],
      type: { kind: "bool" },
    },
  },
  {
    name: "extract",
    types: [STRING],
    tree: {
      node: "call",
      fn: extract.rowFunction("row", { pattern: "(\\w+)@" }),
      text: name,
      args: [],
      type: STRING,
    },
  },
  { name: "contains", types: [STRING], tree: call("contains", name, "needle") },
  { name: "contains_column", types: [STRING, STRING], tree: call("contains", name, column(1)) },
  { name: "replace", types: [STRING], tree: call("replace", name, "-", ", ") },
  { name: "length", types: [STRING], tree: call("length", name) },
  { name: "reverse", types: [STRING], tree: call("reverse", name) },
  {
    name: "route",
    types: [STRING, STRING],
    tree: concat(column(0), " > ", call("upper", column(1))),
  },
  { name: "helpers", types: [STRING], tree: call("rotate", call("firstWord", name), 13) },
  { name: "scratch", types: [STRING], tree: call("twice", call("lastEight", name)) },
  {
    name: "repeat",
    types: [STRING, INT32],
    tree: call("upper", call("framed", name, "*-", column(1, INT32))),
  },
  {
    name: "add_int64",
    types: [INT64, INT64],
    tree: add(column(0, INT64), column(1, INT64)),
  },
  {
    name: "scale_int64",
    types: [INT64, INT64],
    tree: {
      ...{ node: "call", fn: scaled, text: column(0, INT64), args: [column(1, INT64)] },
      type: INT64,
    },
  },
  { name: "list_spread", types: [STRING], tree: callOfSpec(spread, name) },
  { name: "list_backward", types: [STRING], tree: callOfSpec(backward, name) },
  { name: "list_numbers", types: [STRING], tree: callOfSpec(positions, name, literal("-")) },
  {
    name: "list_item",
    types: [LIST, INT32],
    tree: callOfSpec(before, column(0, LIST), column(1, INT32)),
  },
];

const NAMES = ["name", "other word"];

/** Trees of which more is kept than JavaScript and WGSL. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  ir: ["redact", "upper", "scratch", "list_item", "add_int64"],
  wat: ["contains", "replace", "repeat", "redact", "add_int64"],
  "tiles.wgsl": ["redact", "replace"],
  "lanes.wgsl": ["contains_column", "length", "replace"],
};

/** Lists are computed by JavaScript. */
const JAVASCRIPT_ONLY = [
  "list_backward",
  "list_item",
  "list_numbers",
  "list_spread",
];

/** A kernel lowered for ASCII text without nulls, or in general for any text and nulls. */
interface Lowered {
  readonly title: string;
  readonly ir: KernelIR;
  readonly general: boolean;
}

function lowered({ name, types, tree }: GoldenTree): Lowered[] {
  const program = partitionIntoKernels(types, [{ label: name, tree }]);
  const all = [...program.inputs, ...program.kernels.map(({ type }) => type)];
  return [false, true].flatMap((general) =>
    program.kernels.map((kernel) => ({
      title: `${kernel.label}, ${general ? "UTF-8, nulls" : "ASCII, no nulls"}`,
      ir: lowerKernel(kernel, all, { ascii: !general, nullable: all.map(() => general) }),
      general,
    }))
  );
}

/** The text of all kernels of a tree in each language, by the suffix of its file. */
const sources: Readonly<Record<string, (kernels: readonly Lowered[]) => string>> = {
  ir: (kernels) => kernels.map(({ title, ir }) => `; ${title}\n${printIr(ir, NAMES)}`).join("\n"),
  js: (kernels) =>
    kernels.map(({ title, ir }) =>
      `// ${title}\n${
        ir.kernel === "byteMap" ? byteMapText(ir.map) : javaScriptSource(emitJavaScript(ir))
      }\n`
    ).join(""),
  wat: (kernels) =>
    kernels.filter(({ general }) => !general).map(({ title, ir }) => {
      const wasm = ir.kernel === "byteMap" ? null : emitWasm(ir);
      if (wasm === null) throw new Error(`${title} is for JavaScript only`);
      return `;; ${title}\n${wasmSource(wasm)}`;
    }).join("\n"),
  wgsl: (kernels) =>
    kernels.map(({ title, ir, general }) =>
      `// ${title}\n${
        ir.kernel === "byteMap"
          ? `${byteMapText(ir.map)}\n`
          : passesOf(ir) + (general ? longPassesOf(ir) : "")
      }`
    ).join(""),
  "lanes.wgsl": (kernels) =>
    kernels.filter(({ general }) => general).map(({ title, ir }) => {
      if (ir.kernel === "byteMap") throw new Error(`${title} has no rows`);
      return `// ${title}\n${lanesOf(ir)}`;
    }).join("\n"),
  "tiles.wgsl": (kernels) =>
    kernels.filter(({ general }) => !general).map(({ title, ir }) => {
      if (ir.kernel === "byteMap" || !canTile(ir)) throw new Error(`${title} takes two passes`);
      return `// ${title}\n${emitWgsl(ir, "tiles").code}`;
    }).join("\n"),
};

/** What lanes mark, and what a pass makes of it. */
function lanesOf(ir: RowKernel): string {
  const marks = emitMarks(ir)?.code ?? "";
  const rows = ownPasses(ir).map((pass) => {
    const { bindings, row } = partsOf(emitWgsl(ir, pass, { hasLanes: true }).code);
    return `// pass ${pass} with lanes\n${bindings}\n\n${row}\n`;
  });
  return `// marks\n${marks}\n${rows.join("")}`;
}

function byteMapText(map: Uint8Array): string {
  return `// byte map: ${String.fromCharCode(...map.subarray(32, 127))}\n`;
}

/** Bindings and row code of each pass; what surrounds them is the same for all kernels. */
function passesOf(ir: RowKernel): string {
  return ownPasses(ir).map((pass) => {
    const { bindings, row } = partsOf(emitWgsl(ir, pass).code);
    return `// pass ${pass}\n${bindings}\n\n${row.slice(0, row.indexOf("\n}\n") + 3)}\n`;
  }).join("");
}

/** The first pass of a kernel for long rows, where it searches, with what it searches by. */
function longPassesOf(ir: RowKernel): string {
  if (columnsWithLongRows(ir).length === 0) return "";
  const [pass] = ownPasses(ir);
  const { bindings, row } = partsOf(emitWgsl(ir, pass!, { rows: "long" }).code);
  return `// pass ${pass} of long rows\n${bindings}\n\n${row}\n`;
}

function partsOf(code: string): { bindings: string; row: string } {
  const bindings = code.split("\n").filter((line) => line.startsWith("@group")).join("\n");
  const row = code.slice(code.indexOf("fn compute_row"), code.indexOf("\n@compute"));
  return { bindings, row };
}

for (const golden of goldenTrees) {
  const { name } = golden;
  const kernels = lowered(golden);
  for (const [suffix, sourceOf] of Object.entries(sources)) {
    if (SHOWN[suffix]?.includes(name) === false) continue;
    Deno.test(`${name} is compiled to tests/golden/${name}.${suffix}`, async () => {
      const file = new URL(`../../../golden/${name}.${suffix}`, import.meta.url);
      const source = sourceOf(kernels);
      if (Deno.env.get("SLUICE_UPDATE_GOLDEN") === "1") await Deno.writeTextFile(file, source);
      assertEquals(source.split("\n"), (await Deno.readTextFile(file)).split("\n"));
    });
  }

  Deno.test(`${name} has a text in IR with every statement on a line`, () => {
    assertEquals(sources.ir!(kernels).includes("undefined"), false);
  });

  const isEmitted = !JAVASCRIPT_ONLY.includes(name);
  Deno.test(`${name} is emitted as ${isEmitted ? "valid" : "no"} WebAssembly`, async () => {
    let numEmitted = 0;
    for (const { ir } of kernels) {
      const wasm = ir.kernel === "byteMap" ? null : emitWasm(ir);
      if (wasm === null) continue;
      numEmitted++;
      for (const isShared of [false, true]) {
        assert(WebAssembly.validate(wasmModule(wasm, isShared) as BufferSource));
      }
      assertEquals(await assembleWithWabt(wasmSource(wasm)), wasmModule(wasm, false));
    }
    assertEquals(numEmitted > 0, isEmitted);
  });
}
