/** How much work a program is on a device, and what runs on the host instead. */

import { assertEquals, assertRejects } from "@std/assert";
import { Float32, Float64, Utf8 } from "apache-arrow";
import type { Backend } from "../../../../../gpu/backend.ts";
import { type HostColumn, releaseColumn } from "../../../../../gpu/column/column.ts";
import { sliceColumn } from "../../../../../gpu/column/slice.ts";
import { Utf8Error } from "../../../../../base/errors/value_error.ts";
import type { Program } from "../../../../../gpu/kernel/tree/tree.ts";
import { evaluateOnDevice } from "../../../../../gpu/webgpu/evaluate/evaluate.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import {
  contextTest,
  evaluateToHost,
  withDevice,
} from "../../../../support/device/device_kernels.ts";
import { columnOf, stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

const REDACT = `visibility == "public"
  ? name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0)
  : "X X"`;

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

contextTest("redact takes 3 dispatches and 1 readback", async (context) => {
  const { columns, expected } = redactInputs(10_000);
  const { program } = compileProgram([REDACT], REDACT_TYPES);
  const [column] = await evaluateToHost(context, program, columns, 10_000);
  assertEquals(valuesOf(column!), expected);
  const { dispatches, readbacks, uploads } = context.device.counters;
  assertEquals({ dispatches, readbacks, uploads }, { dispatches: 3, readbacks: 1, uploads: 2 });
});

deviceTest("a chain of maps and views takes 3 dispatches and 1 readback", async () => {
  const chain = 'name.strip().lower().replace("-", " ").slice(0, 20)';
  for (const letter of ["A", "É"]) {
    await withDevice(async (context) => {
      const names = Array.from({ length: 3000 }, (_, row) => {
        return row % 17 === 3 ? null : `  ${letter}da-${"b-".repeat(row % 15)}LOVELACE \t`;
      });
      const { program } = compileProgram([chain], { name: new Utf8() });
      assertEquals(program.kernels.length, 1);
      const [column] = await evaluateToHost(context, program, [stringColumn(names)], 3000);
      const expected = names.map((name) =>
        name === null ? null : name.trim().toLowerCase().replaceAll("-", " ").slice(0, 20)
      );
      assertEquals(valuesOf(column!), expected);
      const { dispatches, readbacks, uploads } = context.device.counters;
      assertEquals({ dispatches, readbacks, uploads }, { dispatches: 3, readbacks: 1, uploads: 1 });
    });
  }
});

const numManyRows = fewOr(100_000, 1_200_000);

contextTest(`redact is right over ${numManyRows} rows`, async (context) => {
  const { columns, expected } = redactInputs(numManyRows);
  const { program } = compileProgram([REDACT], REDACT_TYPES);
  const [column] = await evaluateToHost(context, program, columns, numManyRows);
  const values = valuesOf(column!);
  assertEquals(values.findIndex((value, row) => value !== expected[row]), -1);
});

contextTest(
  "kernels that do not depend on each other wait once, a chain once for each",
  async (context) => {
    const { columns } = redactInputs(500);
    const { counters } = context.device;
    const independent = compileProgram(
      ['name + "!"', "visibility + name", 'name.contains("a")'],
      REDACT_TYPES,
    );
    await evaluateToHost(context, independent.program, columns, 500);
    assertEquals([counters.dispatches, counters.readbacks], [7, 1]);
    const chain = compileProgram(['(name + "!").slice(1) + "?"'], REDACT_TYPES, { fuse: false });
    assertEquals(chain.program.kernels.length, 3);
    await evaluateToHost(context, chain.program, columns.slice(1), 500);
    assertEquals([counters.dispatches, counters.readbacks], [16, 4]);
  },
);

contextTest(
  "only columns that a kernel reads are uploaded, and inputs pass through",
  async (context) => {
    const { columns } = redactInputs(100);
    const program: Program = {
      inputs: columns.map(({ type }) => type),
      kernels: [],
      outputs: [1, 0],
    };
    const { columns: results } = await evaluateOnDevice(context, program, columns, 100);
    assertEquals(results[0] === columns[1] && results[1] === columns[0], true);
    assertEquals(context.device.counters.uploads, 0);
  },
);

contextTest(
  "a batch that fills the host gives the outputs for the rows that fit",
  async (context) => {
    const names = Array.from({ length: 10 }, (_, row) => row === 4 ? null : `name ${row}`);
    const { program } = compileProgram(['name + "!"', "name + name"], { name: new Utf8() }, {
      fuse: false,
    });
    const last = program.kernels.length - 1;
    const kernels = program.kernels.map((kernel, k) =>
      k === last ? { ...kernel, hostOnly: "for the test" } : kernel
    );
    const outputs = [...program.outputs, 0];
    const { host } = context;
    const evaluate: Backend["evaluate"] = (program, inputs, numRows) => {
      const rows = Math.min(numRows, 7);
      const first = inputs.map((column) =>
        sliceColumn(column as HostColumn, 0, Math.min(rows, column.length))
      );
      return host.evaluate(program, first, rows);
    };
    const full: Backend = Object.create(host, { evaluate: { value: evaluate } });
    const inputs = [stringColumn(names)];
    const { columns, numRows } = await evaluateOnDevice(
      { ...context, host: full },
      { ...program, kernels, outputs },
      inputs,
      names.length,
    );
    const results = await downloadColumns(context, columns);
    columns.forEach(releaseColumn);
    const fitting = names.slice(0, 7);
    assertEquals([numRows, ...results.map(valuesOf)], [
      7,
      fitting.map((name) => name && `${name}!`),
      fitting.map((name) => name && name + name),
      fitting,
    ]);
  },
);

contextTest(
  "a kernel over more columns than the device binds runs on the host",
  async (context) => {
    const { maxStorageBuffersPerShaderStage: most } = context.device.gpu.limits;
    const names = Array.from({ length: most + 1 }, (_, k) => `c${k}`);
    const types = Object.fromEntries(names.map((name) => [name, new Utf8()]));
    const { program } = compileProgram([names.join(" + "), 'c0 + "!"'], types);
    const columns = names.map((name) => stringColumn([name, null, "é"]));
    const [all, first] = await evaluateToHost(context, program, columns, 3);
    assertEquals(valuesOf(all!), [names.join(""), null, "é".repeat(most + 1)]);
    assertEquals(valuesOf(first!), ["c0!", null, "é!"]);
  },
);

contextTest(
  "a row too large for a window is computed on the host, and used on the device",
  async (context) => {
    const { program } = compileProgram(
      ['(name + visibility).replace("yy", "").slice(0, 3)'],
      REDACT_TYPES,
    );
    const columns = [
      stringColumn(["abc", "y".repeat(3000), null]),
      stringColumn(["x", "y".repeat(3000), "z"]),
    ];
    const [column] = await evaluateToHost(context, program, columns, 3);
    assertEquals(valuesOf(column!), ["xab", "", null]);
  },
  { windowBytes: 4096 },
);

contextTest("text that is not UTF-8 is refused with its row", async (context) => {
  const good = stringColumn(["a", "é", "b"]);
  const column = { ...good, data: good.data.slice() };
  column.data[Number(good.offsets![1])] = 0xff;
  const { program } = compileProgram(["name.upper()"], { name: new Utf8() });
  const error = await assertRejects(
    () => evaluateToHost(context, program, [column], 3),
    Utf8Error,
  );
  assertEquals(error.row, 1);
});

contextTest(
  "floating-point sums run on the host, between kernels of the device",
  async (context) => {
    const { program } = compileProgram(
      ['f64 + f32 < f64 ? name + "!" : "other"'],
      { name: new Utf8(), f32: new Float32(), f64: new Float64() },
      { fuse: false },
    );
    const columns = [
      stringColumn(["a", "b", "c", "d"]),
      columnOf({ kind: "float", bits: 32 }, [-0.5, 0.5, null, -Infinity]),
      columnOf({ kind: "float", bits: 64 }, [1e300, 0.25, 1, -1]),
    ];
    const [column] = await evaluateToHost(context, program, columns, 4);
    assertEquals(valuesOf(column!), ["other", "other", "other", "d!"]);
    assertEquals(program.kernels.some(({ hostOnly }) => hostOnly !== undefined), true);
  },
);
