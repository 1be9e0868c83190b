/**
 * Programs on a device, against the host byte for byte, and how much work they are.
 */

import { assertEquals, assertRejects } from "@std/assert";
import { Bool, Float32, Float64, Int16, Int32, Int64, Int8, Uint32, Utf8 } from "apache-arrow";
import type { ColumnType, HostColumn } from "../../gpu/column.ts";
import { releaseColumn } from "../../gpu/column.ts";
import { Utf8Error } from "../../gpu/errors.ts";
import { evaluateOnHost, HostKernelCache } from "../../gpu/host/evaluate.ts";
import { cutIntoKernels } from "../../gpu/kernel/cut.ts";
import { describeTree } from "../../gpu/kernel/describe_tree.ts";
import type { Program } from "../../gpu/kernel/tree.ts";
import type { WebGpuContext } from "../../gpu/webgpu/context.ts";
import { downloadColumns } from "../../gpu/webgpu/download.ts";
import { evaluateOnDevice } from "../../gpu/webgpu/evaluate.ts";
import { deviceTest } from "../support/adapter.ts";
import { stringColumn, valuesOf } from "../support/columns.ts";
import { withDevice } from "../support/device_kernels.ts";
import { compileProgram } from "../support/programs.ts";
import { type Plain, plainOf, randomValues } from "../support/column_model.ts";
import { evaluateTree } from "../support/evaluate_tree.ts";
import { columnOf, valuesOf as hostValuesOf } from "../support/host_columns.ts";
import { randomColumn, slicedColumn } from "../support/random_column.ts";
import {
  type Pick,
  RANDOM_TYPES,
  randomNumberTree,
  randomRow,
  randomTestTree,
  randomTextTree,
} from "../support/random_trees.ts";
import { forSeeds, type SeededRandom } from "../support/seeded_random.ts";

const REDACT = `visibility == "public"
  ? name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0)
  : "X X"`;

const TYPES = {
  name: new Utf8(),
  other: new Utf8(),
  flag: new Bool(),
  i8: new Int8(),
  i16: new Int16(),
  i32: new Int32(),
  u32: new Uint32(),
  i64: new Int64(),
  f32: new Float32(),
  f64: new Float64(),
};

const COLUMN_TYPES: Readonly<Record<string, ColumnType>> = {
  name: { kind: "string" },
  other: { kind: "string" },
  flag: { kind: "bool" },
  i8: { kind: "int", bits: 8, signed: true },
  i16: { kind: "int", bits: 16, signed: true },
  i32: { kind: "int", bits: 32, signed: true },
  u32: { kind: "int", bits: 32, signed: false },
  i64: { kind: "int", bits: 64, signed: true },
  f32: { kind: "float", bits: 32 },
  f64: { kind: "float", bits: 64 },
};

const EXPRESSIONS = [
  "name",
  "name.upper()",
  "name.lower().upper()",
  "name.strip().lower().slice(1, 4)",
  'name.strip("a ")',
  "name.lstrip() + other.rstrip()",
  'name.slice(null, null, -1) + "|"',
  "name.slice(-3)",
  "name.slice(-4, -1, 2)",
  'name.splitPart(" ", 1)',
  'name.splitPart(" ", -1).upper()',
  "name.splitPart(other, 0)",
  'name.replace("a", "<é>")',
  'name.replace("bc", "").replace("x", "yy")',
  "name.replace(other, name)",
  'name.contains("bc")',
  "name.contains(other)",
  'name.startsWith("a") || name.endsWith("a")',
  'name.find("bc")',
  "name.find(other)",
  "name.length() + name.byteLength()",
  "(name + other).length()",
  'name + " > " + other',
  "name == other",
  "name < other",
  '"b" <= name && name != "x"',
  "flag ? name : other",
  'flag ? name.upper() : other + "!"',
  "isNull(name)",
  'fillNull(name, "none")',
  "fillNull(name.upper(), other)",
  "!flag || isNull(other)",
  "i8 + i16",
  "i32 + i32",
  "i32 + i64",
  "i64 + i64",
  "u32 + i32",
  "i8 < i64",
  "i32 == u32",
  "i64 < 5000000000",
  "f32 < f64",
  "f64 == f64",
  "flag ? i32 : i8",
  "flag ? f64 : f32",
  "flag ? i64 : i64 + 1",
  "fillNull(i16, 7)",
  "name.slice(i8, i16)",
];

/** Computes on the device and brings the results to the host. */
async function evaluate(
  context: WebGpuContext,
  program: Program,
  inputs: readonly HostColumn[],
  numRows: number,
): Promise<HostColumn[]> {
  const results = await evaluateOnDevice(context, program, inputs, numRows);
  try {
    return await downloadColumns(context, results);
  } finally {
    results.forEach(releaseColumn);
  }
}

/** Runs expressions on the device and on the host and compares every byte. */
async function assertSame(
  context: WebGpuContext,
  texts: readonly string[],
  columns: Readonly<Record<string, HostColumn>>,
  fuse: boolean,
): Promise<void> {
  const { program, inputNames } = compileProgram(texts, TYPES, { fuse });
  const inputs = inputNames.map((name) => columns[name]!);
  const numRows = columns.name!.length;
  const expected = evaluateOnHost(program, inputs, numRows, new HostKernelCache());
  const results = await evaluate(context, program, inputs, numRows);
  for (const [k, text] of texts.entries()) {
    assertEquals(plainOf(results[k]!), plainOf(expected[k]!), text);
    if (results[k]!.type.kind === "string") assertSameText(results[k]!, expected[k]!, text);
  }
}

/** Null rows take no bytes on either side, so the text is the same from end to end. */
function assertSameText(left: HostColumn, right: HostColumn, message: string): void {
  const text = ({ data, offsets, length }: HostColumn) =>
    data.subarray(offsets![0], offsets![length]).toHex();
  const sizes = ({ offsets, length }: HostColumn) =>
    Array.from({ length }, (_, row) => offsets![row + 1]! - offsets![row]!);
  assertEquals(text(left), text(right), message);
  assertEquals(sizes(left), sizes(right), message);
}

/** Which columns have nulls. Always the same ones, since a kernel is compiled for each choice. */
const NULLABLE = new Set(["name", "flag", "i16", "i32", "i64", "f32"]);

function randomColumns(
  random: SeededRandom,
  numRows: number,
  pieces: readonly string[],
): Record<string, HostColumn> {
  return Object.fromEntries(
    Object.entries(COLUMN_TYPES).map(([name, type]) => {
      const nulls = NULLABLE.has(name) ? 0.2 : 0;
      const values = type.kind === "string"
        ? randomTexts(random, numRows, nulls, pieces)
        : randomValues(random, type, numRows, nulls);
      return [name, slicedColumn(random, type, values)];
    }),
  );
}

function randomTexts(
  random: SeededRandom,
  numRows: number,
  nulls: number,
  pieces: readonly string[],
): Plain[] {
  return Array.from({ length: numRows }, () => {
    if (random.chance(nulls)) return null;
    return Array.from({ length: random.below(6) }, () => random.pick(pieces)).join("");
  });
}

const ASCII_PIECES = ["a", "b", "bc", "x", "A", " ", "Zz9", "longer than a word", ","];
const PIECES = [...ASCII_PIECES, "é", "ß", "İ", "ǆ", "漢", "😀", "ﬁ"];

deviceTest("every expression gives the bytes of the host, fused and unfused", async () => {
  await withDevice(async (context) => {
    await forSeeds(1, async (random) => {
      const ascii = randomColumns(random, 300 + random.below(300), ASCII_PIECES);
      const unicode = randomColumns(random, 300 + random.below(300), PIECES);
      await assertSame(context, EXPRESSIONS, ascii, true);
      await assertSame(context, EXPRESSIONS, unicode, true);
      await assertSame(context, EXPRESSIONS, unicode, false);
    });
  });
});

deviceTest("random trees agree with plain JavaScript, fused and unfused", async () => {
  await withDevice(async (context) => {
    await forSeeds(4, async (random) => {
      const pick: Pick = (below) => random.below(below);
      const ascii = random.chance(0.5);
      const nulls = random.chance(0.7);
      const rows = Array.from({ length: random.below(400) }, () => randomRow(pick, ascii, nulls));
      const inputs = RANDOM_TYPES.map((type, k) => columnOf(type, rows.map((row) => row[k]!)));
      const trees = [
        randomTextTree(pick, 3),
        randomTextTree(pick, 4),
        randomNumberTree(pick, 3),
        randomTestTree(pick, 3),
      ];
      const outputs = trees.map((tree) => ({ label: describeTree(tree), tree }));
      const program = cutIntoKernels(RANDOM_TYPES, outputs, { fuse: random.chance(0.7) });
      const results = await evaluate(context, program, inputs, rows.length);
      for (const [k, tree] of trees.entries()) {
        const expected = rows.map((row) => evaluateTree(tree, row));
        assertEquals(hostValuesOf(results[k]!), expected, outputs[k]!.label);
      }
    });
  });
});

deviceTest("zero rows and one row are computed", async () => {
  await withDevice(async (context) => {
    await forSeeds(1, async (random) => {
      for (const numRows of [0, 1]) {
        await assertSame(context, EXPRESSIONS, randomColumns(random, numRows, PIECES), true);
      }
    });
  });
});

deviceTest("windows of a few rows give the same bytes", async () => {
  await withDevice(async (context) => {
    await forSeeds(1, async (random) => {
      await assertSame(context, EXPRESSIONS, randomColumns(random, 200, PIECES), true);
    });
  }, { windowBytes: 2000 });
});

/** Names and visibilities as the redaction example has them, with nulls and single names. */
function redactInputs(numRows: number): { columns: HostColumn[]; expected: (string | null)[] } {
  const names = Array.from({ length: numRows }, (_, row) => {
    if (row % 17 === 3) return null;
    return row % 31 === 0 ? "Plato" : `First${row % 1000} Læst${row % 77}`;
  });
  const visibilities = Array.from({ length: numRows }, (_, row) => {
    if (row % 13 === 5) return null;
    return row % 3 === 0 ? "private" : "public";
  });
  const expected = names.map((name, row) => {
    if (visibilities[row] !== "public") return "X X";
    const [first, last] = name?.split(" ") ?? [];
    return last === undefined ? null : `${last.slice(0, 1)} ${first}`;
  });
  return { columns: [stringColumn(visibilities), stringColumn(names)], expected };
}

const REDACT_TYPES = { visibility: new Utf8(), name: new Utf8() };

deviceTest("redact takes 3 dispatches and 1 readback", async () => {
  await withDevice(async (context) => {
    const { columns, expected } = redactInputs(10_000);
    const { program } = compileProgram([REDACT], REDACT_TYPES);
    const [column] = await evaluate(context, program, columns, 10_000);
    assertEquals(valuesOf(column!), expected);
    const { dispatches, readbacks, uploads } = context.device.counters;
    assertEquals({ dispatches, readbacks, uploads }, { dispatches: 3, readbacks: 1, uploads: 2 });
  });
});

deviceTest("redact is right over more than a million rows", async () => {
  await withDevice(async (context) => {
    const { columns, expected } = redactInputs(1_200_000);
    const { program } = compileProgram([REDACT], REDACT_TYPES);
    const [column] = await evaluate(context, program, columns, 1_200_000);
    const values = valuesOf(column!);
    assertEquals(values.findIndex((value, row) => value !== expected[row]), -1);
  });
});

deviceTest(
  "kernels that do not depend on each other wait once, a chain once for each",
  async () => {
    await withDevice(async (context) => {
      const { columns } = redactInputs(500);
      const { counters } = context.device;
      const independent = compileProgram(
        ['name + "!"', "visibility + name", 'name.contains("a")'],
        REDACT_TYPES,
      );
      await evaluate(context, independent.program, columns, 500);
      assertEquals([counters.dispatches, counters.readbacks], [7, 1]);
      const chain = compileProgram(['(name + "!").slice(1) + "?"'], REDACT_TYPES, { fuse: false });
      assertEquals(chain.program.kernels.length, 3);
      await evaluate(context, chain.program, columns.slice(1), 500);
      assertEquals([counters.dispatches, counters.readbacks], [16, 4]);
    });
  },
);

deviceTest("only columns that a kernel reads are uploaded, and inputs pass through", async () => {
  await withDevice(async (context) => {
    const { columns } = redactInputs(100);
    const program: Program = {
      inputs: columns.map(({ type }) => type),
      kernels: [],
      outputs: [1, 0],
    };
    const results = await evaluateOnDevice(context, program, columns, 100);
    assertEquals(results[0] === columns[1] && results[1] === columns[0], true);
    assertEquals(context.device.counters.uploads, 0);
  });
});

deviceTest("a kernel over more columns than the device binds runs on the host", async () => {
  await withDevice(async (context) => {
    const { maxStorageBuffersPerShaderStage: most } = context.device.gpu.limits;
    const names = Array.from({ length: most + 1 }, (_, k) => `c${k}`);
    const types = Object.fromEntries(names.map((name) => [name, new Utf8()]));
    const { program } = compileProgram([names.join(" + "), 'c0 + "!"'], types);
    const columns = names.map((name) => stringColumn([name, null, "é"]));
    const [all, first] = await evaluate(context, program, columns, 3);
    assertEquals(valuesOf(all!), [names.join(""), null, "é".repeat(most + 1)]);
    assertEquals(valuesOf(first!), ["c0!", null, "é!"]);
  });
});

deviceTest(
  "a row too large for a window is computed on the host, and used on the device",
  async () => {
    await withDevice(async (context) => {
      const { program } = compileProgram(
        ['(name + visibility).replace("y", "").slice(0, 3)'],
        REDACT_TYPES,
      );
      const columns = [
        stringColumn(["abc", "y".repeat(3000), null]),
        stringColumn(["x", "y".repeat(3000), "z"]),
      ];
      const [column] = await evaluate(context, program, columns, 3);
      assertEquals(valuesOf(column!), ["xab", "", null]);
    }, { windowBytes: 4096 });
  },
);

deviceTest("text that is not UTF-8 is refused with its row", async () => {
  await withDevice(async (context) => {
    const good = stringColumn(["a", "é", "b"]);
    const column = { ...good, data: good.data.slice() };
    column.data[1] = 0xff;
    const { program } = compileProgram(["name.upper()"], { name: new Utf8() });
    const error = await assertRejects(() => evaluate(context, program, [column], 3), Utf8Error);
    assertEquals(error.row, 1);
  });
});

deviceTest("floating-point sums run on the host, between kernels of the device", async () => {
  await withDevice(async (context) => {
    const { program } = compileProgram(
      ['f64 + f32 < f64 ? name + "!" : "other"'],
      TYPES,
      { fuse: false },
    );
    const columns = [
      stringColumn(["a", "b", "c", "d"]),
      columnOf(COLUMN_TYPES.f32!, [-0.5, 0.5, null, -Infinity]),
      columnOf(COLUMN_TYPES.f64!, [1e300, 0.25, 1, -1]),
    ];
    const [column] = await evaluate(context, program, columns, 4);
    assertEquals(valuesOf(column!), ["other", "other", "other", "d!"]);
    assertEquals(program.kernels.some(({ hostOnly }) => hostOnly !== undefined), true);
  });
});

deviceTest("lists are looked at on the host only", async () => {
  await withDevice(async (context) => {
    const item: ColumnType = { kind: "string" };
    const type: ColumnType = { kind: "list", item };
    const program: Program = {
      inputs: [type, { kind: "string" }],
      kernels: [
        {
          label: "isNull(list)",
          tree: {
            node: "isNull",
            value: { node: "column", index: 0, type },
            type: { kind: "bool" },
          },
          type: { kind: "bool" },
        },
      ],
      outputs: [2],
    };
    await forSeeds(1, async (random) => {
      const list = randomColumn(random, type, 50);
      const [column] = await evaluate(
        context,
        program,
        [list, stringColumn(Array(50).fill("a"))],
        50,
      );
      assertEquals(valuesOf(column!), plainOf(list).map((row) => row === null));
      assertEquals(context.device.counters.uploads, 0);
    });
  });
});
