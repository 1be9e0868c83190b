import { assert, assertEquals } from "@std/assert";
import { Field, Schema, Utf8 } from "apache-arrow";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import { mapColumn } from "../../../../../gpu/host/executors/byte_map.ts";
import { CompiledByteMap } from "../../../../../gpu/host/kernels/compiled_kernel.ts";
import { lowerKernel } from "../../../../../gpu/kernel/lower/lower.ts";
import { bindExpr } from "../../../../../ops/expr/bind.ts";
import { col, type Expr } from "../../../../../ops/expr/expr.ts";
import { compileExprs } from "../../../../../ops/expr/compile_exprs.ts";
import {
  lower,
  replace,
  replaceMany,
  swapcase,
  translate,
  upper,
} from "../../../../../ops/string/operations.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import type { Kernel, Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import { columnOf, sliceText, valuesOf } from "../../../../support/values/host_columns.ts";
import { call, column, STRING } from "../../../../support/kernels/trees.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";
import { someOf } from "../../../../support/random/test_size.ts";

/** A replacement of characters, and what it makes of one. */
interface Replacement {
  readonly title: string;
  readonly expr: Expr;
  readonly model: (char: string) => string;
}

const text = col("text");
const swapped = (char: string) =>
  char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase();
const mapped = (table: Record<string, string>) => (char: string) => table[char] ?? char;

/** Characters at the bounds of ranges, and of ASCII. */
const CHARS = [..."\0\x01 !0_az@A~\x7f"];
/** Tables of one range to so many that only a table of 256 bytes can hold them. */
const TABLES = ["a", "ab", "axz", "AZ09 ", "\0\x7f_", "0123456789", "acegikmoqsuwy", " ~aZ!@#*(;<"]
  .map((from) => Object.fromEntries([...from].map((char, i) => [char, "_-9 \x7f\0zA"[i % 8]!])));

/** All that the operations have in the way of byte maps. */
const REPLACEMENTS: readonly Replacement[] = [
  { title: "upper", expr: upper(text), model: (char) => char.toUpperCase() },
  { title: "lower", expr: lower(text), model: (char) => char.toLowerCase() },
  { title: "swapcase", expr: swapcase(text), model: swapped },
  ...CHARS.flatMap((from) =>
    CHARS.filter((to) => to !== from).map((to) => ({
      title: `replace ${JSON.stringify([from, to])}`,
      expr: replace(text, from, to),
      model: mapped({ [from]: to }),
    }))
  ),
  ...TABLES.flatMap((table) => [
    {
      title: `translate ${JSON.stringify(table)}`,
      expr: translate(text, table),
      model: mapped(table),
    },
    {
      title: `replaceMany ${JSON.stringify(table)}`,
      expr: replaceMany(text, Object.keys(table), Object.values(table)),
      model: mapped(table),
    },
  ]),
];

function compile({ title, expr }: Replacement): CompiledByteMap {
  const schema = new Schema([new Field("text", new Utf8(), true)]);
  const { program } = compileExprs([bindExpr(expr, schema)], { names: ["text"] });
  const kernel = lowerKernel(program.kernels[0]!, program.inputs, {
    ascii: true,
    nullable: [true],
  });
  if (kernel.kernel !== "byteMap") throw new Error(`${title} is no byte map`);
  return new CompiledByteMap(kernel);
}

const ROW_SIZES = [1, 3];

/** What a replacement makes of each character of ASCII. */
function tableOf({ model }: Replacement): Uint8Array {
  return Uint8Array.from(
    { length: 128 },
    (_, code) => model(String.fromCharCode(code)).charCodeAt(0),
  );
}

/** Every character of ASCII in rows of `size`, with a byte of `around` before each row and behind. */
function columnAround(around: number, size: number, place: number, before: number): HostColumn {
  const numRows = Math.ceil(128 / size);
  const numBytes = before + numRows * (size + 1) + 1;
  const data = new Uint8Array(new ArrayBuffer(place + numBytes), place, numBytes).fill(around);
  const offsets = new Int32Array(2 * numRows + 1).fill(before);
  for (let row = 0; row < numRows; row++) {
    const start = before + row * (size + 1) + 1;
    for (let i = 0; i < size; i++) data[start + i] = (row * size + i) & 127;
    offsets[2 * row + 1] = start;
    offsets[2 * row + 2] = start + size;
  }
  const length = 2 * numRows;
  const validity = new Uint8Array((length + 7) >> 3).fill(0b10101010);
  const nulls = { nullCount: numRows, validity };
  return { place: "host", type: { kind: "string" }, length, ...nulls, data, offsets, children: [] };
}

/** How many bytes of the rows that are not null are other ones than a replacement makes. */
function countWrong(result: HostColumn, input: HostColumn, table: Uint8Array): number {
  let wrong = 0;
  for (let row = 1; row < input.length; row += 2) {
    const from = input.offsets![row]!;
    const at = result.offsets![row]!;
    const size = input.offsets![row + 1]! - from;
    if (result.offsets![row + 1]! - at !== size) wrong++;
    for (let i = 0; i < size; i++) {
      if (result.data[at + i] !== table[input.data[from + i]!]) wrong++;
    }
  }
  return wrong;
}

Deno.test("a byte map replaces the bytes of rows alike, whatever bytes lie around them, wherever", () => {
  let numCases = 0;
  const inputs = Array.from(
    { length: 256 },
    (_, around) =>
      ROW_SIZES.flatMap((size) =>
        Array.from(
          { length: 16 },
          (_, place) => columnAround(around, size, place, (place >> 2) + 1),
        )
      ),
  ).flat();
  const replacements = someOf(REPLACEMENTS, 2);
  for (const replacement of replacements) {
    const kernel = compile(replacement);
    const table = tableOf(replacement);
    for (const input of inputs) {
      const around = input.data[0]!;
      const wrong = countWrong(mapColumn(kernel, input, input.length).column, input, table);
      const at = `${replacement.title} with bytes of ${around} at ${input.data.byteOffset}`;
      assert(wrong === 0, `${wrong} bytes are wrong: ${at}`);
      numCases++;
    }
  }
  assertEquals(numCases, replacements.length * 256 * ROW_SIZES.length * 16);
});

Deno.test("a byte map that looks by the way tells text with a byte beyond ASCII from other text", () => {
  for (const replacement of REPLACEMENTS) {
    const kernel = compile(replacement);
    for (let around = 0; around < 256; around++) {
      const input = columnAround(around, 3, around % 16, around % 7);
      const { column, isAscii } = mapColumn(kernel, input, input.length);
      const result = isAscii ? column : null;
      assertEquals(result === null, around >= 128, `${replacement.title} with bytes of ${around}`);
    }
  }
});

Deno.test("a byte map of much text, which WebAssembly computes, is that of little", () => {
  const numBytes = 200_000;
  for (const replacement of REPLACEMENTS.filter((_, index) => index % 5 === 0)) {
    const kernel = compile(replacement);
    const table = tableOf(replacement);
    for (const [place, before] of [[0, 0], [3, 1], [8, 5], [13, 5000]] as const) {
      const buffer = new ArrayBuffer(place + before + numBytes + 30);
      const data = new Uint8Array(buffer, place);
      data.forEach((_, i) => data[i] = (i * 37 + (i >> 8)) & 127);
      data.fill(0xbf, 0, before).fill(0xbf, before + numBytes);
      const offsets = Int32Array.of(before, before + 70_001, before + 70_002, before + numBytes);
      const nulls = { nullCount: 0, validity: null };
      const type = { kind: "string" } as const;
      const input: HostColumn = {
        place: "host",
        type,
        length: 3,
        ...nulls,
        data,
        offsets,
        children: [],
      };
      const [first, last] = [offsets[0]!, offsets[3]!];
      const { column: result } = mapColumn(kernel, input, 3);
      const shift = result.offsets![0]! - first;
      const actual = result.data.subarray(first + shift, last + shift);
      const wanted = data.slice(first, last).map((byte) => table[byte]!);
      assert(
        actual.length === numBytes && actual.every((byte, i) => byte === wanted[i]),
        replacement.title,
      );
    }
  }
});

function run(tree: Tree, input: HostColumn) {
  const program = partitionIntoKernels([STRING], [{ label: "result", tree }], { names: ["name"] });
  const [result] = evaluateAround(program, [input], input.length, testKernels());
  return result && valuesOf(result);
}

function upperOf(input: HostColumn) {
  return run(call("upper", column(0)), input);
}

function kindOf(tree: Tree): string {
  const kernel: Kernel = { label: "", tree, type: STRING };
  return lowerKernel(kernel, [STRING], { ascii: true, nullable: [false] }).kernel;
}

Deno.test("one ASCII character for another is a byte map, alone and between maps", () => {
  const dashes = call("replaceChar", column(0), "-", " ");
  assertEquals(kindOf(dashes), "byteMap");
  assertEquals(kindOf(call("upper", dashes)), "byteMap");
  assertEquals(kindOf(call("replaceChar", call("lower", column(0)), "-", "_")), "byteMap");
  assertEquals(run(dashes, columnOf(STRING, ["a-b-", null, "", "--"])), ["a b ", null, "", "  "]);
  assertEquals(run(dashes, columnOf(STRING, ["a-b-", "é-€"])), ["a b ", "é €"]);
});

Deno.test("a replacement that changes the size, or is not ASCII, is no byte map", () => {
  for (const replacement of ["", "ab", "é"]) {
    const tree = call("replaceChar", column(0), "-", replacement);
    assertEquals(kindOf(tree), "row");
    assertEquals(run(tree, columnOf(STRING, ["a-b-"])), [`a${replacement}b${replacement}`]);
  }
});

Deno.test("a byte map leaves text to another kernel wherever its one character beyond ASCII is", () => {
  for (let before = 0; before < 12; before++) {
    for (let after = 0; after < 5; after++) {
      const text = `${"a".repeat(before)}é${"b".repeat(after)}`;
      assertEquals(upperOf(columnOf(STRING, ["x", text])), [
        "X",
        text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
      ]);
    }
  }
});

Deno.test("a byte map takes ASCII rows whatever the bytes before the first of them are", () => {
  const input = sliceText(columnOf(STRING, ["éé", "ab", "cd"]), 1, 3);
  assertEquals(upperOf(input), ["AB", "CD"]);
});
