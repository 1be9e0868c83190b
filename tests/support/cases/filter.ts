/** Cases of `Backend.filter`, judged by plain arrays. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import type { ColumnType, HostColumn } from "../../../gpu/column/column.ts";
import { sliceColumn } from "../../../gpu/column/slice.ts";
import {
  CARRIED_TYPES,
  columnOfPlain,
  plainOf,
  randomColumn,
  surrounded,
} from "../models/column_model.ts";
import { forSeeds, type SeededRandom } from "../random/seeded_random.ts";
import { columnOf, stringColumn, valuesOf } from "../values/host_columns.ts";
import { type BackendCase, type CaseScope, takeColumns, takePlain } from "./backend_case.ts";

const BOOL: ColumnType = { kind: "bool" };
const INT32: ColumnType = { kind: "int", bits: 32, signed: true };

/** Registers all cases of filters. */
export function filterCases(test: BackendCase): void {
  for (const type of CARRIED_TYPES) {
    test(
      `filter() keeps the rows of ${JSON.stringify(type)} whose mask is true`,
      (scope) =>
        forSeeds(scope.amount({ host: 40, device: 4 }), async (random) => {
          const length = random.pick([0, 1, 8, random.below(60), random.below(700)]);
          const share = random.pick([0, 0.1, 0.5, 0.95, 1]);
          await checkFilter(scope, random, [type], randomMask(random, length, share));
        }),
      // The host computes types that no device takes.
      { mayIdle: true },
    );
  }
  filterTogetherCase(test);

  test("filter() gives long lists and long items whole", async (scope) => {
    const item = (row: number, k: number) => "xyz".repeat((row * 7 + k) % 300);
    const lists = Array.from(
      { length: 600 },
      (_, row) => Array.from({ length: row % 50 === 0 ? 300 : row % 4 }, (_, k) => item(row, k)),
    );
    const column = columnOf({ kind: "list", item: { kind: "string" } }, lists);
    const mask = columnOf(BOOL, lists.map((_, row) => row % 3 !== 1));
    const [kept] = await filtered(scope, [column], mask);
    assertEquals(valuesOf(kept!), lists.filter((_, row) => row % 3 !== 1));
  });

  test("filter() gives long and short texts, which take turns, whole", async (scope) => {
    const lengths = [0, 3, 511, 512, 513, 1, 2000, 7, 5000, 600];
    const texts = Array.from({ length: 900 }, (_, row) => {
      return `${row}`.repeat(2_000).slice(0, lengths[row % lengths.length]! + (row % 5));
    });
    const keeps = texts.map((_, row) => row % 7 !== 2);
    const [kept] = await filtered(scope, [stringColumn(texts)], columnOf(BOOL, keeps));
    assertEquals(valuesOf(kept!), texts.filter((_, row) => keeps[row]));
  });

  test("filter() of zero rows, and of no row kept, gives empty columns", async (scope) => {
    const none = await filtered(
      scope,
      [stringColumn([]), columnOf(INT32, [])],
      columnOf(BOOL, []),
    );
    assertEquals(none.map(valuesOf), [[], []]);
    const left = await filtered(
      scope,
      [stringColumn(["a", null]), columnOf(INT32, [1, 2])],
      columnOf(BOOL, [false, null]),
    );
    assertEquals(left.map(valuesOf), [[], []]);
    assertEquals(left.map(({ type }) => type), [{ kind: "string" }, INT32]);
  });

  test("filter() that keeps every row gives the same objects", async ({ backend }) => {
    const column = stringColumn(["a", "b", null]);
    const mask = columnOf(BOOL, [true, true, true]);
    const { columns, numRows } = await backend.filter([column], mask, 3);
    assertEquals(numRows, 3);
    assertStrictEquals(columns[0], column);
  });
}

/** Registers the case that filters columns of all types in one call. */
export function filterTogetherCase(test: BackendCase): void {
  test("filter() keeps the same rows of columns of every type", (scope) =>
    forSeeds(2, async (random) => {
      const mask = randomMask(random, 1 + random.below(3_000), random.pick([0.1, 0.5, 0.95]));
      await checkFilter(scope, random, CARRIED_TYPES, mask);
    }));
}

function randomMask(random: SeededRandom, length: number, share: number): HostColumn {
  const nulls = random.pick([0, 0.2]);
  const keeps = Array.from(
    { length },
    () => random.chance(nulls) ? null : random.chance(share),
  );
  const mask = columnOfPlain(BOOL, keeps);
  return random.chance(0.5) ? mask : surrounded(random, mask, sliceColumn);
}

/** Filters random columns of types. */
async function checkFilter(
  scope: CaseScope,
  random: SeededRandom,
  types: readonly ColumnType[],
  mask: HostColumn,
): Promise<void> {
  const columns = types.map((type) => randomColumn(random, type, mask.length));
  const results = await scope.backend.filter(columns, mask, mask.length);
  const keeps = plainOf(mask);
  const numKept = keeps.filter((keep) => keep === true).length;
  assertEquals(results.numRows, numKept);
  results.columns.forEach(({ place, type }, k) => {
    assertEquals(type, types[k]);
    if (numKept < mask.length) assertEquals(place, scope.placeOf(type), JSON.stringify(type));
  });
  const rows = await takePlain(scope, results.columns);
  columns.forEach((column, k) => {
    const expected = plainOf(column).filter((_, row) => keeps[row] === true);
    assertEquals(rows[k], expected, JSON.stringify(types[k]));
  });
}

async function filtered(
  scope: CaseScope,
  columns: readonly HostColumn[],
  mask: HostColumn,
): Promise<HostColumn[]> {
  const { columns: kept } = await scope.backend.filter(columns, mask, mask.length);
  return await takeColumns(scope, kept);
}
