/**
 * Rows that a workgroup computes together: every way to search, at every border of the rounds, beside
 * short rows, in one pass and in two.
 */

import { assert, assertEquals } from "@std/assert";
import { Int32, Utf8 } from "apache-arrow";
import { releaseColumn } from "../../../../../gpu/column/column.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import { evaluateOnDevice } from "../../../../../gpu/webgpu/evaluate/evaluate.ts";
import { filterOnDevice } from "../../../../../gpu/webgpu/gather/filter.ts";
import {
  createEngine,
  expr,
  filter,
  fromBatches,
  join,
  toTable,
  withColumns,
} from "../../../../../mod.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { agreed, AGREED_TYPES } from "../../../../support/kernels/agreed.ts";
import { contextTest, withDevice } from "../../../../support/device/device_kernels.ts";
import { columnOf, stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { randomSearched, SEARCHES } from "../../../../support/kernels/searches.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { batchOf } from "../../../../support/values/streams_samples.ts";
import { fewOr, someOf } from "../../../../support/random/test_size.ts";

deviceTest("texts are compared to their last byte, wherever they begin to differ", async () => {
  // 32 bytes, then 1, 2, 4, ... 16, 16 times 4 bytes of each of 64 invocations.
  const borders = [0, ...[0, 1, 3, 7, 15, 31, 47].map((words) => 32 + words * 256)];
  const places = borders.flatMap((border) => [-5, -4, -1, 0, 1, 3, 4].map((k) => border + k))
    .filter((at) => at >= 0);
  const size = 14_000;
  const text = places.map((at) => `${"x".repeat(at)}b${"y".repeat(size - at)}`);
  const twin = places.map((at) => `${"x".repeat(at)}a${"z".repeat(size - at)}`);
  const same = text.map((value) => value.slice(0, -3));
  await withDevice(async (context) => {
    const columns = { text: stringColumn(text), twin: stringColumn(twin) };
    const [less, equal] = await agreed(context, ["twin < text", "text == twin"], columns);
    assert(less!.every((value) => value === true) && equal!.every((value) => value === false));
    const begins = { text: stringColumn(text), twin: stringColumn(same) };
    const [starts, more] = await agreed(context, ["text.startsWith(twin)", "text > twin"], begins);
    assert(starts!.every((value) => value === true) && more!.every((value) => value === true));
  }, { longRowBytes: 100 });
});

contextTest("what workgroups find in long rows is what the host finds", async (context) => {
  await forSeeds(fewOr(1, 2), async (random) => {
    await agreed(context, someOf(SEARCHES, 10), randomSearched(random));
  });
}, { longRowBytes: 64 });

deviceTest("rows may all be long, windows small, and kernels unfused", async () => {
  // Text in text would outgrow a window.
  const searches = SEARCHES.filter((expression) => !expression.includes("other, text"));
  await withDevice(async (context) => {
    await forSeeds(1, async (random) => {
      await agreed(context, someOf(searches, 6), randomSearched(random), { fuse: false });
    });
  }, { longRowBytes: 0, windowBytes: 40_000 });
});

deviceTest("hits are found at every border of the rounds, forward and backward", async () => {
  // First 32 bytes, then a round takes 1, 2, 4, ... 16, 16 times 16 bytes of each of 64 invocations.
  const borders = [0, ...[0, 1, 3, 7, 15, 31, 47].map((parts) => 32 + parts * 1024)];
  const needles = ["b", "bc", "bcd", "bcde", "bcdefg", "bcdefghijklmnopqrstu"];
  await withDevice(async (context) => {
    for (const needle of someOf(needles, 1)) {
      const rows = borders.flatMap((border) =>
        Array.from({ length: 24 }, (_, k) => border + k - 20).filter((at) => at >= 0)
      );
      const size = 50_000;
      // The needle without its last character, right before it, is none.
      const plant = (at: number) =>
        needle.slice(0, -1).padStart(at, "a").slice(-at || size) + needle;
      const forward = rows.map((at) => `${at === 0 ? needle : plant(at)}`.padEnd(size, "a"));
      const backward = rows.map((at) => "a".repeat(size) + needle + "a".repeat(at));
      for (const list of [forward, backward]) {
        const columns = {
          text: stringColumn(list),
          other: stringColumn(list.map(() => needle)),
        };
        const [found, byColumn, last, lastByColumn] = await agreed(context, [
          `text.find("${needle}")`,
          "text.find(other)",
          `text.rfind("${needle}")`,
          "text.rfind(other)",
        ], columns);
        assertEquals(found, list.map((text) => text.indexOf(needle)), needle);
        assertEquals(byColumn, found, needle);
        assertEquals(last, list.map((text) => text.lastIndexOf(needle)), needle);
        assertEquals(lastByColumn, last, needle);
      }
    }
  }, { longRowBytes: 256 });
});

deviceTest("among short rows, rows of a megabyte are searched on the device", async () => {
  const rows = Array.from({ length: 3000 }, (_, row) => `row ${row}`);
  rows[0] = "a".repeat(100_000);
  rows[1500] = `${"a".repeat(1_000_000)}b`;
  rows[2000] = `${"ab".repeat(1000)}${"a".repeat(300_000)}b!`;
  rows[2999] = `b${"é".repeat(200_000)}!`;
  await withDevice(async (context) => {
    const { counters } = context.device;
    const before = { ...counters };
    const text = stringColumn(rows);
    const [has] = await agreed(context, ['text.contains("ab")'], { text });
    assertEquals(has, rows.map((row) => row.includes("ab")));
    assertEquals(counters.dispatches - before.dispatches, 3);
    const twin = stringColumn(rows.map((row, k) => k % 2 === 0 ? row : `${row.slice(0, -1)}?`));
    const [found, length, same, fits] = await agreed(
      context,
      ['text.find("!")', "text.length()", "text == twin", 'text.containsRe("b[!?]$")'],
      { text, twin },
    );
    assertEquals(fits, rows.map((row) => /b[!?]$/.test(row)));
    assertEquals(same, rows.map((_, k) => k % 2 === 0));
    assertEquals(found, rows.map((row) => row.indexOf("!")));
    assertEquals(length, rows.map((row) => row.length));
    const [replaced, split] = await agreed(context, [
      'text.replace("ab", "-").replace("b!", "?")',
      'text.split("b")',
    ], { text });
    const changed = rows.map((row) => row.replaceAll("ab", "-").replaceAll("b!", "?"));
    assertEquals(replaced, changed);
    assertEquals(split, rows.map((row) => row.split("b")));
  });
});

deviceTest("rows are known to be long where a kernel made them, and only there", async () => {
  const expressions = ['(text + other).replace("b", "--").find("x")'];
  const dispatches: number[] = [];
  for (const length of [20, 90, 20]) {
    await withDevice(async (context) => {
      const rows = Array.from({ length: 1000 }, (_, row) => `${row}`);
      rows[700] = "ab".repeat(length);
      const columns = { text: stringColumn(rows), other: stringColumn(rows.map(() => "x")) };
      const [found] = await agreed(context, expressions, columns, { fuse: false });
      const text = (row: string) => `${row}x`.replaceAll("b", "--");
      assertEquals(found, rows.map((row) => text(row).indexOf("x")));
      dispatches.push(context.device.counters.dispatches);
    }, { longRowBytes: 100 });
  }
  // Two kernels search; one of them in two passes.
  assertEquals(dispatches, [7, 12, 7]);
});

deviceTest("long rows that a kernel made are filtered like all others", async () => {
  const rows = Array.from({ length: 300 }, (_, row) => `${"a".repeat(row)}b`);
  await withDevice(async (context) => {
    for (const repeats of [1, 10]) {
      const { program } = compileProgram(['text.replace("b", "bb")'], AGREED_TYPES);
      const text = stringColumn(rows.map((row) => row.repeat(repeats)));
      const mask = columnOf({ kind: "bool" }, rows.map((_, row) => row % 3 === 0));
      const { columns: results } = await evaluateOnDevice(context, program, [text], rows.length);
      const kept = await filterOnDevice(context, results, mask, rows.length);
      const [column] = await downloadColumns(context, kept.columns);
      const expected = rows.map((row) => row.repeat(repeats).replaceAll("b", "bb"));
      assertEquals(valuesOf(column!), expected.filter((_, row) => row % 3 === 0));
      [...results, ...kept.columns].forEach(releaseColumn);
    }
  }, { longRowBytes: 100 });
});

deviceTest("long rows go through steps of every kind as on the host", async () => {
  const rows = Array.from({ length: 200 }, (_, row) => `${"a".repeat(row)}b${row % 50}`);
  rows[7] = `${"a".repeat(40_000)}b`;
  rows[90] = `${"a".repeat(20_000)}b`;
  rows[91] = `${"a".repeat(500_000)}b`;
  const id = Array.from(rows, (_, row) => row);
  const left = batchOf({ id: [new Int32(), id], text: [new Utf8(), rows] });
  const keys = rows.map((row) => row.replaceAll("b", "bb"));
  const right = batchOf({ text: [new Utf8(), keys], where: [new Int32(), id] });
  for (const device of ["gpu", "cpu"] as const) {
    const engine = createEngine({ device });
    const table = await toTable(
      fromBatches(left, { engine })
        .pipeThrough(withColumns({ text: expr('text.replace("b", "bb")') }))
        .pipeThrough(filter(expr('text.find("bb") > 5 && text.contains("bb")')))
        .pipeThrough(join(fromBatches(right, { engine }), { on: "text" }))
        .pipeThrough(withColumns({ same: expr('text.splitPart("b", 0).length()') })),
    );
    const expected = rows.flatMap((row, at) => row.indexOf("b") > 5 ? [{ at, row }] : []);
    assertEquals(
      table.toArray().map(({ id, where, same, text }) => ({ id, where, same, text })),
      expected.map(({ at, row }) => {
        return { id: at, where: at, same: row.indexOf("b"), text: keys[at] };
      }),
      device,
    );
    await engine.close();
  }
});

deviceTest(
  "any number of rows may be long, also as many as fill the buffer of their list",
  async () => {
    await withDevice(async (context) => {
      for (const count of [1, 15, 16, 32, 63, 64, 65, 80, 96, 112, 128, 256]) {
        const rows = Array.from(
          { length: count },
          (_, row) => `${"a".repeat(120 + row)}${row % 3}`,
        );
        const [found] = await agreed(context, ['text.find("1")'], { text: stringColumn(rows) });
        assertEquals(
          found,
          rows.map((row) => row.indexOf("1", 120)),
          `${count} rows`,
        );
      }
    }, { longRowBytes: 100 });
  },
);

deviceTest("rows of exactly the limit are not long", async () => {
  const dispatches = async (size: number) => {
    let count = 0;
    await withDevice(async (context) => {
      const text = stringColumn(["a".repeat(size), "b"]);
      await agreed(context, ['text.contains("b")'], { text });
      count = context.device.counters.dispatches;
    }, { longRowBytes: 100 });
    return count;
  };
  assertEquals([await dispatches(100), await dispatches(101)], [1, 3]);
});
