/** Bytes of a set that a device looks for a word at a time, with marks and without. */

import { assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import {
  type ByteSet,
  ByteSets,
  printInSet,
  setKey,
} from "../../../../../../gpu/kernel/emit/wgsl/print/byte_sets.ts";
import { Marks } from "../../../../../../gpu/kernel/emit/wgsl/lanes/marks.ts";
import { foldKernel } from "../../../../../../gpu/kernel/emit/wgsl/print/rewrite.ts";
import { intervalsWith } from "../../../../../../gpu/kernel/ir/byte_intervals.ts";
import type { RowKernel } from "../../../../../../gpu/kernel/ir/ir.ts";
import { someStatement } from "../../../../../../gpu/kernel/ir/visit.ts";
import { lowerKernel } from "../../../../../../gpu/kernel/lower/lower.ts";
import type { Program } from "../../../../../../gpu/kernel/tree/tree.ts";
import { Commands } from "../../../../../../gpu/webgpu/dispatch/commands.ts";
import type {
  LaneOptions,
  LaneWidth,
} from "../../../../../../gpu/webgpu/dispatch/strategy_options.ts";
import { Staging } from "../../../../../../gpu/webgpu/transfer/readback.ts";
import { writeBytes } from "../../../../../../gpu/webgpu/transfer/upload.ts";
import type { WebGpuContext } from "../../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { col } from "../../../../../../mod.ts";
import { agreed } from "../../../../../support/kernels/agreed.ts";
import { inRanges, randomRanges, untilFirst } from "../../../../../support/kernels/byte_ranges.ts";
import { contextTest, evaluateToHost } from "../../../../../support/device/device_kernels.ts";
import { stringColumn, valuesOf } from "../../../../../support/values/host_columns.ts";
import { compileProgram, compileTyped } from "../../../../../support/kernels/programs.ts";
import { Draws, forSeeds } from "../../../../../support/random/seeded_random.ts";
import { surround } from "../../../../../support/values/surround.ts";
import { fewOr, someOf } from "../../../../../support/random/test_size.ts";

const WIDTHS = [1, 8, 16, 32] as const;

/** A context whose rows have so many lanes. */
function withLanes(context: WebGpuContext, width: LaneWidth | 1): WebGpuContext {
  const lanes: LaneOptions = width === 1
    ? { use: "never", rules: [] }
    : { use: "always", rules: [], width };
  return { ...context, lanes, sureBytes: 0 };
}

/** The first kernel of a program over columns of text without nulls that are not all ASCII. */
function kernelOf({ kernels, inputs }: Program): RowKernel {
  const variant = { ascii: false, nullable: inputs.map(() => false) };
  const ir = lowerKernel(kernels[0]!, inputs, variant);
  if (ir.kernel !== "row") throw new Error(`${ir.label} has no rows`);
  return foldKernel(ir);
}

/** Whether some loop of a kernel stops at a byte of a set. */
function hasSets({ body, tables }: RowKernel): boolean {
  const sets = new ByteSets({ body, tables });
  return someStatement(body, (stmt) => stmt.do === "loop" && sets.stopsOf(stmt) !== null);
}

/** Stores for every word the bytes that are in each of some sets. */
function codeOf(sets: readonly ByteSet[]): string {
  const stores = sets.map((_, k) =>
    `  sets[${k}u * params[0].x + word] = in_set${k}(words[word]);\n`
  );
  return `
@group(0) @binding(0) var<uniform> params: array<vec4<u32>, 1>;
@group(0) @binding(1) var<storage, read> words: array<u32>;
@group(0) @binding(2) var<storage, read_write> sets: array<u32>;
${sets.map(printInSet).join("")}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let word = id.x;
  if (word >= params[0].x) { return; }
${stores.join("")}}
`;
}

contextTest("each byte is in a set or not, whatever its neighbours are", async (context) => {
  await forSeeds(fewOr(1, 2), async (random) => {
    const answers = Array.from({ length: 40 }, () => {
      const ranges = randomRanges(random, random.pick([1, 2, 4, 9]));
      const rest = random.chance(0.3);
      return Array.from(
        { length: 256 },
        (_, byte) => ranges.some(([low, high]) => low <= byte && byte <= high) !== rest,
      );
    });
    const sets = answers.map((answers): ByteSet => {
      const isInverted = random.chance(0.5);
      const intervals = intervalsWith(answers, !isInverted);
      return { does: "bytes", column: 0, intervals, isInverted, backward: false };
    }).filter(({ intervals }) => intervals.length > 0);
    const bytes = Uint8Array.from({ length: 4 * 999 }, () => random.below(256));
    const code = codeOf(sets);
    const pipeline = await context.pipelines.get({
      label: "sets",
      code,
      entry: "main",
      storage: ["read", "write"],
    });
    const numWords = bytes.length / 4;
    const words = await context.pool.acquire("storage", bytes.length, "words");
    const found = await context.pool.acquire("storage", sets.length * bytes.length, "sets");
    writeBytes(context, words, 0, bytes);
    const commands = new Commands(context, "sets");
    const workgroups = Math.ceil(numWords / 64);
    commands.dispatch(pipeline, { params: [numWords], storage: [words, found], workgroups });
    const staging = new Staging(context);
    staging.add(found, 0, sets.length * numWords);
    const [result] = await staging.read(commands);
    words.release();
    found.release();
    for (const [k, { intervals, isInverted }] of sets.entries()) {
      const isIn = (byte: number) =>
        intervals.some(({ low, high }) => low <= byte && byte <= high) !== isInverted;
      const own = new Uint8Array(result!, k * bytes.length, bytes.length);
      const wrong = bytes.findIndex((byte, at) => own[at] !== (isIn(byte) ? 0x80 : 0));
      assertEquals(wrong, -1, `${setKey(sets[k]!)}: byte ${bytes[wrong]} of ${wrong}`);
    }
  });
});

contextTest("characters are passed over up to one of any set", async (context) => {
  const draws = new Draws(["a set", "none"]);
  let round = 0;
  await forSeeds(fewOr(1, 3), async (random) => {
    const kinds = [
      () => randomRanges(random, 7),
      // Few characters.
      () => randomRanges(random, 4).map(([low, high]) => [low, Math.min(low + 3, high)] as const),
      // A character that a byte of its own begins.
      () => [[0x20, 0x2f], [0x4e00, 0x4eff]] as const,
    ];
    const ranges = kinds[round++ % kinds.length]!();
    const isStop = (char: string) =>
      ranges.some(([low, high]) => low <= char.codePointAt(0)! && char.codePointAt(0)! <= high);
    const bytes = Array.from({ length: 0x100 }, (_, code) => String.fromCodePoint(code));
    const passed = bytes.slice(0, 0x80).filter((char) => !isStop(char));
    if (ranges.length === 0 || passed.length === 0) return;
    const run = (most: number) =>
      Array.from({ length: random.below(most) }, () => random.pick(passed)).join("");
    const text = [...bytes, "ā", "一", "🙂"].map((char) => `${run(80)}${char}${run(40)}${char}`);
    const expr = untilFirst(inRanges(ranges))(col("text"));
    const { program } = compileTyped(expr, { text: [new Utf8(), text] });
    draws.add(hasSets(kernelOf(program)) ? "a set" : "none");
    const between = text.map((row) => {
      const chars = [...row];
      const first = chars.findIndex(isStop);
      return first < 0 ? "" : chars.slice(first, chars.findLastIndex(isStop) + 1).join("");
    });
    for (const width of [1, random.pick([8, 16, 32] as const)] as const) {
      const column = surround(stringColumn(text), { random });
      const lanes = withLanes(context, width);
      const [result] = await evaluateToHost(lanes, program, [column], text.length);
      const what = `${JSON.stringify(ranges)}, ${width} lanes`;
      assertEquals(result && valuesOf(result), between, what);
    }
  }, draws);
});

/** Patterns whose matches begin with few characters, and what JavaScript finds of them. */
const PATTERNS = [
  "[0-9]+",
  "[0-9][a-z]*[0-9]",
  "(?:cat|dog)s?",
  "é|[XYZ]",
  "[^ -~]+",
];

/** Characters before a match: around words, parts of 16 bytes, segments, and rows beyond marks. */
const BORDERS = [0, 3, 15, 16, 31, 32, 495, 512, 527, 1024, 4081, 8176, 8191, 8193, 12_000];

contextTest("matches of patterns are found at every border", async (context) => {
  const matches = ["7", "4x2", "cats", "dog", "é", "Y", "漢字", "", "c"];
  await forSeeds(1, async (random) => {
    // Few that are not ASCII: those take a round each, of which software adapters have few.
    const before = (at: number) => random.pick(["", "éé"]) + "q".repeat(at);
    const text = BORDERS.flatMap((at) =>
      matches.map((match) => `${before(at)}${match}${"q".repeat(random.below(40))}${match}`)
    );
    for (const [k, pattern] of someOf(PATTERNS, 2).entries()) {
      const [first, regex] = [new RegExp(pattern, "u"), new RegExp(pattern, "gu")];
      for (const width of [1, WIDTHS[1 + k % 3]!] as const) {
        const lanes = withLanes(context, width);
        const columnsOf = (rows: string[]) => ({ text: surround(stringColumn(rows), { random }) });
        const [has, count] = await agreed(lanes, [
          `text.containsRe("${pattern}")`,
          `text.countRe("${pattern}")`,
        ], columnsOf(text));
        // Copies take rounds too, and so does it to count the characters before a match.
        const shorter = text.filter(({ length }) => length < 2000);
        const [at, replaced] = await agreed(lanes, [
          `text.findRe("${pattern}")`,
          `text.replaceRe("${pattern}", "<>")`,
        ], columnsOf(shorter));
        const found = text.map((row) => [...row.matchAll(regex)]);
        assertEquals(has, found.map(({ length }) => length > 0), pattern);
        assertEquals(count, found.map(({ length }) => length), pattern);
        const place = (row: string) => row.slice(0, row.search(first));
        assertEquals(
          at,
          shorter.map((row) => first.test(row) ? [...place(row)].length : -1),
          pattern,
        );
        assertEquals(replaced, shorter.map((row) => row.replaceAll(regex, "<>")), pattern);
      }
    }
  });
});

Deno.test("what lanes mark of an expression", () => {
  const marked = (expression: string) => {
    const types = { text: new Utf8(), other: new Utf8() };
    return new Marks(kernelOf(compileProgram([expression], types).program)).list.map((mark) =>
      mark.of === "places" ? `${mark.sought.does} places` : mark.of
    );
  };
  assertEquals(marked('text.contains("ab")'), ["seek places"]);
  assertEquals(marked('text.containsRe("[0-9]+")'), ["bytes places"]);
  assertEquals(marked('text.countRe("[0-9]+")'), ["bytes places"]);
  assertEquals(marked('text.containsRe("[0-9]+x")'), ["seek places", "bytes places"]);
  assertEquals(marked("text.endsWith(other)"), ["difference"]);
  assertEquals(marked("text.startsWith(other)"), ["difference"]);
  // Most bytes begin a match, or are stopped at; or none is looked at.
  assertEquals(marked('text.containsRe("[^0-9]x")'), ["seek places"]);
  assertEquals(marked("text.strip()"), []);
  assertEquals(marked("text + other"), []);
});
