import { assert, assertEquals, assertThrows } from "@std/assert";
import { Utf8 } from "apache-arrow";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import { OverflowError, Utf8Error } from "../../../../../base/errors/value_error.ts";
import { computePart } from "../../../../../gpu/host/executors/compute_part.ts";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { PartedResult } from "../../../../../gpu/host/kernels/parted_result.ts";
import { CompiledRows } from "../../../../../gpu/host/kernels/compiled_kernel.ts";
import { rowBytes, workOf } from "../../../../../gpu/host/kernels/kernel_work.ts";
import { sliceColumn } from "../../../../../gpu/column/slice.ts";
import { windowOf } from "../../../../../gpu/column/text_windows.ts";
import { wasmArena } from "../../../../../gpu/host/executors/wasm_arena.ts";
import { lowerKernel } from "../../../../../gpu/kernel/lower/lower.ts";
import { isAscii } from "../../../../../gpu/kernel/emit/wasm/helpers.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import { columnOf, stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { fewOr, someOf } from "../../../../support/random/test_size.ts";
import { assertSameColumn } from "../../../../support/processes/threads.ts";
import { instantiate, instantiateHelpers } from "../../../../support/kernels/wasm_functions.ts";

const NAMES = { a: new Utf8(), b: new Utf8() };

/** Runs an expression over columns `a` and `b`, with WebAssembly or without. */
function run(text: string, columns: { a: HostColumn; b?: HostColumn }, minWasmRows: number) {
  const { program, inputNames } = compileProgram([text], NAMES);
  const inputs = inputNames.map((name) => columns[name as "a"]);
  const kernels = new HostKernels({ minWasmRows });
  return evaluateAround(program, inputs, columns.a.length, kernels)[0]!;
}

/** The same bytes with WebAssembly and without, and the same rows again from both. */
function assertSame(text: string, columns: { a: HostColumn; b?: HostColumn }): HostColumn {
  const wanted = run(text, columns, Infinity);
  assertSameColumn(run(text, columns, 1), wanted, text);
  return wanted;
}

Deno.test("rows that do not fit into an arena come out as they are", () => {
  const sizes = [0, 10, 5_000_000, 3, 100_000, 2_000_000, 0, 7, 70_000];
  const rows = Array.from({ length: fewOr(18, 90) }, (_, row) => "xy".repeat(sizes[row % 9]! >> 1));
  const texts = ["a.slice(1, -1)", 'a.contains("yy")', 'a.replace("x", "--") + a'];
  for (const text of someOf(texts, 1)) {
    assertSame(text, { a: stringColumn(rows) });
  }
});

Deno.test("results that outgrow an arena are put together", () => {
  const rows = Array.from({ length: 5000 }, (_, row) => `${row} `.repeat(row % 40));
  const texts = ["a.repeat(60)", 'a.replace(" ", "_".repeat(500))', "a.pad(9000)"];
  for (const text of someOf(texts, 1)) {
    assertSame(text, { a: stringColumn(rows) });
  }
});

Deno.test("constants that are too many for an arena leave it as it was", () => {
  const a = stringColumn(Array.from({ length: 2000 }, (_, row) => "r".repeat(row % 40)));
  const kernels = new HostKernels({ minWasmRows: 1 });
  const runner = (literal: string, text: string) => {
    const { program } = compileProgram([`"${literal}".${text}`], NAMES);
    return () => evaluateAround(program, [a], a.length, kernels)[0]!;
  };
  const runSmall = runner("hello world ".repeat(30), "slice(a.length(), 300)");
  const before = runSmall();
  for (const size of [1_100_000, 5_200_000]) {
    const letters = "abcdefghijklmnopqrstuvwxyz";
    const runLarge = runner(letters.repeat(size / 26), "slice(a.length(), a.length() + 3)");
    const wanted = valuesOf(a).map((text) => {
      const start = String(text).length;
      return (letters + letters).slice(start % 26, start % 26 + 3);
    });
    assertEquals(valuesOf(runLarge()), wanted);
    assertSameColumn(runSmall(), before, `after ${size} bytes`);
  }
});

Deno.test("offsets that go back do not reach what other batches need", () => {
  const rows = Array.from({ length: 40 }, (_, row) => `row ${row} `.repeat(60));
  const good = stringColumn(rows);
  const { program } = compileProgram([`a + "${"hello world ".repeat(30)}"`], NAMES);
  const kernels = new HostKernels({ minWasmRows: 1 });
  const runKernel = (column: HostColumn) => evaluateAround(program, [column], 40, kernels)[0]!;
  const wanted = runKernel(good);
  for (let back = 100; back < 15_000; back += 100) {
    const offsets = good.offsets!.slice();
    offsets[0] = back;
    try {
      runKernel({ ...good, offsets, data: good.data.slice() });
    } catch {
      // What it gives, or whether it is an error, is not defined.
    }
    assertEquals(runKernel(good).data, wanted.data);
  }
});

Deno.test("a repetition that is too large is the error that JavaScript gives", () => {
  for (const [numRows, wanted] of [[3000, 2500], [20_000, 15_000]] as const) {
    const rows = Array.from({ length: numRows }, (_, row) => "x".repeat(row === wanted ? 1000 : 0));
    const columns = { a: stringColumn(rows) };
    const errors = [1, Infinity].map((minWasmRows) =>
      assertThrows(() => run("a.repeat(1000000)", columns, minWasmRows), OverflowError)
    );
    for (const { message, row } of errors) {
      assertEquals(row, wanted);
      assert(message.endsWith("a.repeat(1000000) makes at least 1000000000 bytes"), message);
    }
  }
});

Deno.test("a result over what offsets address names the first row that does not fit", () => {
  const { program } = compileProgram(['a + "x"'], NAMES);
  const ir = lowerKernel(program.kernels[0]!, program.inputs, { ascii: true, nullable: [false] });
  if (ir.kernel !== "row") throw new Error("A concatenation is a row kernel");
  const code = new CompiledRows(ir);
  const columns = [narrowColumn(Array.from({ length: 64 }, () => "abc"))];
  for (const asWasm of [code.wasm !== null, false]) {
    const result = new PartedResult(ir, 64, false, 256);
    const work = workOf(code, asWasm, columns, 64, "none");
    computePart(work, { start: 0, stop: 32 }, result);
    assertEquals(result.size, 32 * 4);
    // As after two gigabytes of text.
    result.size = 2 ** 31 - 1 - 6;
    const stop = computePart(work, { start: 32, stop: 64 }, result);
    if (stop?.kind !== "full") throw new Error("The column is not full");
    assertEquals(stop.error.message, "Size of output exceeds 2147483647 bytes");
    assert(stop.error.row >= 32 && stop.error.row <= 33, `${stop.error.row}`);
  }
});

Deno.test("kernels of text do run in the arena, and not as JavaScript behind its back", () => {
  const rows = Array.from({ length: 100 }, (_, row) => ` Row ${row} an `);
  const expected = {
    'a.contains("an")': rows.map((text) => text.includes("an")),
    "a.strip()": rows.map((text) => text.trim()),
    'a.replace("o", "00")': rows.map((text) => text.replaceAll("o", "00")),
    "a.pad(20)": rows.map((text) => text.padStart(20)),
  };
  for (const [text, values] of Object.entries(expected)) {
    const { program } = compileProgram([text], NAMES);
    const ir = lowerKernel(program.kernels[0]!, program.inputs, { ascii: true, nullable: [false] });
    if (ir.kernel !== "row") throw new Error(`${text} is a row kernel`);
    const code = new CompiledRows(ir);
    const result = new PartedResult(ir, rows.length, false, 3000);
    const work = workOf(code, code.wasm !== null, [narrowColumn(rows)], rows.length, "ascii");
    assertEquals(wasmArena().compute(work, { start: 0, stop: rows.length }, result), "done", text);
    assertEquals(valuesOf(result.finish()), values);
  }
});

Deno.test("a kernel of more columns than WebAssembly takes arrays runs without it", () => {
  const names = Array.from({ length: 400 }, (_, index) => `c${index}`);
  const types = Object.fromEntries(names.map((name) => [name, new Utf8()]));
  const { program } = compileProgram([names.join(" + ")], types);
  const columns = names.map((name) => stringColumn([name, null, ""]));
  const kernels = new HostKernels({ minWasmRows: 1 });
  const [result] = evaluateAround(program, columns, 3, kernels);
  assertEquals(valuesOf(result!), [names.join(""), null, ""]);
});

Deno.test("text is taken for ASCII until it is not", () => {
  const ascii = stringColumn(Array.from({ length: 3000 }, (_, row) => `Row ${row} `));
  const other = (at: number) =>
    stringColumn(Array.from({ length: 3000 }, (_, row) => row === at ? "Zürich ǰ" : `Row ${row} `));
  for (const text of ["a.upper().slice(0, 5)", "a.strip() + b.upper()", "a.length()"]) {
    for (const at of [0, 1499, 2999]) {
      assertSame(text, { a: other(at), b: ascii });
      assertSame(text, { a: ascii, b: other(at) });
    }
  }
  // A first kernel that looks at its text finds out that the program for ASCII is the wrong one.
  for (const at of [0, 2999]) {
    const text = 'b.filterCharacters("中🙂") == "" ? concat(b, a).lower() : a';
    assertSame(text, { a: ascii, b: stringColumn(valuesOf(other(at)).map((b) => `${b} 𐐀Σ`)) });
    assertSame(text, { a: other(at), b: stringColumn(valuesOf(other(at)).map((b) => `𐐀${b}`)) });
  }
  // One cache, as a stream has it: guesses end with the first that was wrong.
  const { program } = compileProgram(["a.strip().upper()"], NAMES);
  const kernels = new HostKernels({ minWasmRows: 1 });
  for (const column of [ascii, other(5), stringColumn(["ß", " x "]), other(2999), ascii]) {
    const [result] = evaluateAround(program, [column], column.length, kernels);
    const wanted = valuesOf(column).map((text) => String(text).trim().toUpperCase());
    assertEquals(valuesOf(result!), wanted);
  }
});

Deno.test("text that is not UTF-8 is an error of its row, and bytes below nulls are not", () => {
  const rows = Array.from({ length: 2000 }, (_, row) => `row ${row}`);
  const column = stringColumn(rows);
  const data = column.data.slice();
  data[column.offsets![1700]!] = 0xff;
  const error = assertThrows(() => run("a.slice(1, 3)", { a: { ...column, data } }, 1), Utf8Error);
  assertEquals(error.row, 1700);
  const withNull = stringColumn(rows.map((row, index) => index === 1700 ? null : row));
  // The bytes of the row before belong to nobody when it is null.
  const validity = withNull.validity!.slice();
  const unused = { ...column, data, validity, nullCount: 1 };
  assertSame("a.slice(1, 3)", { a: unused });
});

Deno.test("bytes of much text are replaced as those of little text are", () =>
  forSeeds(fewOr(3, 10), (random) => {
    const letters = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
    const rows = Array.from(
      { length: 1500 + random.below(1000) },
      () => Array.from({ length: random.below(120) }, () => random.pick(letters)).join(""),
    );
    const meanings: Record<string, (text: string) => string> = {
      "a.upper()": (text) => text.toUpperCase(),
      "a.lower()": (text) => text.toLowerCase(),
      'a.replace("x", "~")': (text) => text.replaceAll("x", "~"),
      "a.swapcase()": (text) =>
        text.replace(/[a-z]|([A-Z])/g, (c, upper) => upper ? c.toLowerCase() : c.toUpperCase()),
    };
    for (const [text, meaning] of Object.entries(meanings)) {
      assertEquals(valuesOf(run(text, { a: stringColumn(rows) }, Infinity)), rows.map(meaning));
    }
    for (
      const text of [
        "a.slice(1).upper()",
        "a.slice(3, -3).lower() + a.strip().swapcase()",
        'a.strip().swapcase().replace("A", "~").replace("~", "\\u007f") + "!"',
        "a.slice(2).capitalize()",
      ]
    ) assertSame(text, { a: stringColumn(rows) });
    // The last byte of all tells that other code is needed.
    const last = [...rows, "ß"];
    const upper = valuesOf(run("a.upper()", { a: stringColumn(last) }, Infinity));
    assertEquals(upper, last.map((text) => text.toUpperCase()));
  }));

Deno.test("white space and sets of characters are passed over from both ends", () =>
  forSeeds(fewOr(10, 40), (random) => {
    const spaces = () => {
      const size = random.below(random.pick([3, 17, 70]));
      return Array.from({ length: size }, () => random.pick([" ", "\t", "-", "\x1c"])).join("");
    };
    const rows = Array.from(
      { length: 30 },
      () => spaces() + random.pick(["", "a", "a b", "\x7f", "word\x08 - word"]) + spaces(),
    );
    const columns = { a: stringColumn(rows) };
    const texts = [
      "a.strip()",
      "a.lstrip()",
      "a.rstrip()",
      'a.strip("-")',
      'a.strip("\\t -")',
      "a.slice(1, -1).strip()",
      "a.upper().strip().slice(1, 9)",
      'a.strip().replace("a", "b").strip()',
    ];
    for (const text of texts) assertSame(text, columns);
    const trimmed = rows.map((row) =>
      row.replaceAll("\x1c", "\x0b").trim().replaceAll("\x0b", "\x1c")
    );
    assertEquals(valuesOf(run("a.strip()", columns, 1)), trimmed);
  }));

Deno.test("the size of a part is that of its rows, not of the text that they share", () => {
  const whole = stringColumn(Array.from({ length: 1000 }, () => "abcd"));
  assertEquals(rowBytes([whole, whole], 1000), 16);
  assertEquals(rowBytes([sliceColumn(whole, 100, 108)], 8), 8);
  const numbers = columnOf({ kind: "int", bits: 64, signed: true }, [1n, 2n]);
  assertEquals(rowBytes([numbers], 2), 8);
});

Deno.test("whether bytes are ASCII does not depend on what follows them", () => {
  const { isAscii: look, bytes } = instantiate([isAscii]);
  return forSeeds(300, (random) => {
    const size = random.below(300);
    const place = 1024 + random.below(32);
    bytes.fill(0xff);
    for (let i = 0; i < size; i++) bytes[place + i] = random.below(0x80);
    assertEquals(look!(place, size), 1);
    if (size === 0) return;
    bytes[place + random.below(size)]! |= 0x80;
    assertEquals(look!(place, size), 0);
  });
});

Deno.test("copies and repetitions write what they are to write, and little more", () => {
  const { copy, repeat, bytes } = instantiateHelpers(["copy", "repeat"]);
  return forSeeds(300, (random) => {
    bytes.fill(0x2e);
    const from = 20_000 + random.below(64);
    const size = random.below(random.pick([20, 700]));
    for (let i = 0; i < size; i++) bytes[from + i] = random.below(256);
    const source = bytes.slice(from, from + size);
    const to = 1000 + random.below(64);
    const times = size === 0 ? 1 : 1 + random.below(5);
    if (times === 1) copy!(to, from, size);
    else repeat!(to, from, size, to + times * size);
    const end = to + times * size;
    const wanted = Array.from({ length: times }, () => [...source]).flat();
    assertEquals([...bytes.subarray(to, end)], wanted);
    assertEquals(bytes[to - 1], 0x2e);
    assertEquals(bytes[end + 16], 0x2e);
  });
});

Deno.test("divisions are those of 32 bits, and 0 where the divisor is", () => {
  const { divide, remainder } = instantiateHelpers(["divide", "remainder"]);
  const numbers = [0, 1, -1, 2, -2, 7, -7, 2 ** 31 - 1, -(2 ** 31), 12345];
  for (const left of numbers) {
    for (const right of numbers) {
      assertEquals(divide!(left, right), (left / right) | 0, `${left} / ${right}`);
      assertEquals(remainder!(left, right), (left % right) | 0, `${left} % ${right}`);
    }
  }
});

/** A column whose offsets have 32 bits, as kernels take them, whatever the threshold is. */
function narrowColumn(values: readonly string[]): HostColumn {
  return windowOf(stringColumn(values), [0, values.length]);
}
