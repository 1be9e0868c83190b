import { assert, assertEquals } from "@std/assert";
import { sliceColumn } from "../../../../../gpu/column/slice.ts";
import { buildChunks, bytesInMemory } from "../../../../../ops/join/where/build_chunks.ts";
import type { HostRows } from "../../../../../ops/spill/host_rows.ts";
import type { WherePlan } from "../../../../../ops/join/where/where_plan.ts";
import { stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";

/** A condition that looks one key up and searches no value. */
const plan = { keys: [{ kind: "string" }], values: [] } as unknown as WherePlan;

async function* piecesOf(texts: readonly (string | null)[], stops: readonly number[]) {
  const column = stringColumn(texts);
  for (const [at, stop] of stops.entries()) {
    const start = stops[at - 1] ?? 0;
    // A piece of a file has buffers of its own.
    const own = structuredClone(sliceColumn(column, start, stop));
    yield await Promise.resolve({ columns: [own], numRows: stop - start });
  }
}

Deno.test("chunks are all rows in order, each within the memory or of few rows", () =>
  forSeeds(100, async (random) => {
    const texts = Array.from({ length: random.below(400) }, () => {
      const text = random.pick(["Zoë", "李小龍", "Ngũgĩ wa Thiong’o", "", null]);
      return random.chance(0.02) ? "🙂".repeat(5000) : text;
    });
    const stops = Array.from({ length: random.below(6) }, () => random.below(texts.length + 1))
      .sort((one, other) => one - other);
    const mostBytes = random.pick([4096, 20_000, 1 << 20]);
    const found: unknown[] = [];
    let numChunks = 0;
    for await (
      const { rows, firstRow } of buildChunks(
        plan,
        piecesOf(texts, [...stops, texts.length]),
        mostBytes,
      )
    ) {
      assertEquals(firstRow, found.length);
      found.push(...valuesOf(rows.columns[0]!));
      const hasLong = texts.slice(firstRow, found.length).some((text) => (text ?? "").length > 100);
      assert(hasLong || bytesInMemory(plan, rows) <= mostBytes);
      numChunks++;
    }
    assertEquals(found, texts);
    const all = bytesInMemory(plan, { columns: [stringColumn(texts)], numRows: texts.length });
    // Each piece comes in up to nine parts, which have an offset and bits of validity more, twice.
    const mostOfParts = all + 2 * 9 * 8 * (stops.length + 1);
    if (mostOfParts <= mostBytes) assertEquals(numChunks, texts.length === 0 ? 0 : 1);
  }));

Deno.test("rows without columns take memory by their number", async () => {
  const pieces: HostRows[] = [{ columns: [], numRows: 1000 }, { columns: [], numRows: 24 }];
  const chunks: number[][] = [];
  for await (const { rows, firstRow } of buildChunks(plan, values(pieces), 8 * 7 * 512)) {
    chunks.push([firstRow, rows.numRows]);
  }
  assertEquals(chunks.map(([firstRow]) => firstRow), [0, ...chunks.slice(0, -1).map(sum)]);
  assertEquals(sum(chunks.at(-1)!), 1024);
  assert(chunks.length === 2 || chunks.length === 3, `${chunks.length} chunks`);
});

async function* values<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

function sum([one, other]: readonly number[]): number {
  return one! + other!;
}
