import { assert, assertEquals, assertRejects } from "@std/assert";
import type { HostColumn } from "../../../../gpu/column/column.ts";
import { OverflowError } from "../../../../base/errors/value_error.ts";
import { createHostBackend } from "../../../../gpu/host/backend.ts";
import { concatColumns } from "../../../../gpu/column/concat.ts";
import { filterColumns } from "../../../../gpu/column/filter.ts";
import { gatherColumn } from "../../../../gpu/column/gather.ts";
import { joinText } from "../../../../gpu/column/join_text.ts";
import { isWide } from "../../../../gpu/column/offsets.ts";
import { sliceColumn } from "../../../../gpu/column/slice.ts";
import { textWindows, windowOf } from "../../../../gpu/column/text_windows.ts";
import type { Program } from "../../../../gpu/kernel/tree/tree.ts";
import {
  columnOf,
  stringColumn,
  textAround,
  valuesOf,
} from "../../../support/values/host_columns.ts";
import { column, concat, INT32, STRING } from "../../../support/kernels/trees.ts";
import { atMost, tableRequest } from "../../../support/joins/table_request.ts";
import { wideTextCases } from "../../../support/cases/wide_text.ts";
import { onHost } from "../../../support/cases/on_host.ts";

const GIB = 2 ** 30;
const texts = ["at the start", "before 2 GiB", "äcross", "after", "before 4 GiB", "över", "end"];

/**
 * Rows of text between which nothing lies but room, so that offsets pass 2^31 and 2^32: memory that
 * nobody touches costs nothing.
 */
function sparseColumn(): HostColumn {
  const rows: [number, string][] = [
    [0, texts[0]!],
    [2 * GIB - 20, texts[1]!],
    [2 * GIB - 3, texts[2]!],
    [2 * GIB + 100, texts[3]!],
    [4 * GIB - 14, texts[4]!],
    [4 * GIB - 1, texts[5]!],
    [4 * GIB + 50, texts[6]!],
  ];
  const data = new Uint8Array(4 * GIB + 100);
  const offsets = [];
  const encoder = new TextEncoder();
  for (const [at, text] of rows) {
    const { written } = encoder.encodeInto(text, data.subarray(at));
    offsets.push(at, at + written);
  }
  const length = offsets.length - 1;
  return { ...stringColumn([]), length, data, offsets: Float64Array.from(offsets) };
}

/** The rows of the sparse column that hold text; those between them hold the room. */
const filled = Int32Array.from(texts, (_, row) => 2 * row);

Deno.test("offsets around 2^31 and 2^32 do not wrap in gathers, slices, filters and joins of text", () => {
  const sparse = sparseColumn();
  const gathered = gatherColumn(sparse, filled);
  assertEquals(valuesOf(gathered), texts);
  assert(gathered.offsets instanceof Int32Array);
  const backwards = Int32Array.from([-1, ...filled.toReversed()]);
  assertEquals(valuesOf(gatherColumn(sparse, backwards)), [null, ...texts.toReversed()]);
  for (const [row, text] of texts.entries()) {
    const slice = sliceColumn(sparse, 2 * row, 2 * row + 1);
    assertEquals(valuesOf(windowOf(slice, [0, 1])), [text]);
    assertEquals(valuesOf(concatColumns([slice, slice])), [text, text]);
    assertEquals(valuesOf(joinText(slice, new Uint8Array())), [text]);
  }
  const mask = columnOf(
    { kind: "bool" },
    Array.from({ length: sparse.length }, (_, i) => i % 2 === 0),
  );
  const kept = filterColumns([sparse], mask);
  assertEquals(valuesOf(kept.columns[0]!), texts);
});

Deno.test("windows of a wide column hold at most their bytes, and a longer row stands alone", () => {
  const sparse = sparseColumn();
  const spans = textWindows([sparse], sparse.length, GIB);
  assertEquals(
    spans.flatMap(([start, stop]) => Array.from({ length: stop - start }, (_, i) => start + i)),
    [
      ...Array(sparse.length).keys(),
    ],
  );
  for (const [start, stop] of spans) {
    const bytes = sparse.offsets![stop]! - sparse.offsets![start]!;
    assert(bytes <= GIB || stop - start === 1);
    if (bytes > GIB) continue;
    const window = windowOf(sparse, [start, stop]);
    assert(!isWide(window.offsets!));
    const filledRows = [...filled].filter((row) => row >= start && row < stop);
    assertEquals(
      filledRows.map((row) => valuesOf(sliceColumn(window, row - start, row - start + 1))[0]),
      filledRows.map((row) => texts[row / 2]),
    );
  }
});

Deno.test("a row of 2^31 bytes and more is an error, and never wraps", async () => {
  const at = [0, 3, 2 * GIB + 3, 2 * GIB + 10];
  const data = new Uint8Array(2 * GIB + 10);
  const long = { ...stringColumn([]), length: 3, data, offsets: Float64Array.from(at) };
  const backend = createHostBackend();
  const program: Program = {
    inputs: [STRING],
    kernels: [{ label: "text", tree: concat(column(0), "!"), type: STRING }],
    outputs: [1],
  };
  const message = "A row of more than 2147483647 bytes of text cannot be looked at";
  const error = await assertRejects(
    () => backend.evaluate(program, [long], 3),
    OverflowError,
    message,
  );
  assertEquals([error.row, error.dataBytes], [1, 2 * GIB]);
  const table = await backend.buildTable(tableRequest(stringColumn(["a"]), { kind: "string" }, []));
  await assertRejects(
    () => Array.fromAsync(backend.probe(table, long, [], 3, atMost(10))),
    OverflowError,
    message,
  );
  const kept = gatherColumn(long, Int32Array.of(2, 0));
  assertEquals([...kept.offsets!], [0, 7, 10]);
});

wideTextCases(onHost);

Deno.test("keys near 2^31 and 2^32 find their rows from either side", async () => {
  const backend = createHostBackend();
  for (const keys of [texts, texts.map((_, row) => `k${row}`)]) {
    const narrow = stringColumn([...keys.toReversed(), null]);
    const expected = [...keys.keys()].reverse();
    for (const place of [2 * GIB, 4 * GIB]) {
      const wide = textAround(place, [...keys, null]);
      const ids = columnOf(INT32, Array.from({ length: wide.length }, (_, row) => row));
      for (const [build, probe] of [[wide, narrow], [narrow, wide]] as const) {
        const table = await backend.buildTable(tableRequest(build, { kind: "string" }, [ids]));
        const rows: unknown[] = [];
        for await (const { columns } of backend.probe(table, probe, [], probe.length, atMost(4))) {
          rows.push(...valuesOf(columns[0] as HostColumn));
        }
        assertEquals(rows, expected, `at ${place}`);
      }
    }
  }
});
