/** Cases of `Backend.gather`, judged by plain arrays. */

import { assert, assertEquals } from "@std/assert";
import { type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import {
  CARRIED_TYPES,
  columnOfPlain,
  type Plain,
  plainOf,
  randomColumn,
} from "../models/column_model.ts";
import { forSeeds, type SeededRandom } from "../random/seeded_random.ts";
import { stringColumn } from "../values/host_columns.ts";
import { type BackendCase, type CaseScope, takePlain } from "./backend_case.ts";

/** Registers all cases of gathers. */
export function gatherCases(test: BackendCase): void {
  for (const type of CARRIED_TYPES) {
    test(
      `gather() takes rows of ${JSON.stringify(type)} in any order, and null for -1`,
      (scope) =>
        forSeeds(scope.amount({ host: 40, device: 4 }), async (random) => {
          const column = randomColumn(random, type, random.pick([0, 1, 8, random.below(60)]));
          await checkGather(scope, [column], randomSelection(random, column.length, 100));
        }),
      { mayIdle: true },
    );
  }
  gatherTogetherCase(test);

  test("gather() takes text that exceeds a cache as other text", (scope) =>
    forSeeds(2, async (random) => {
      const values = Array.from(
        { length: 40_000 },
        (_, row) => random.chance(0.02) ? null : `${row}`.repeat(random.below(30)),
      );
      const column = columnOfPlain({ kind: "string" }, values);
      assert(column.data.length > 2 ** 20);
      await checkGather(scope, [column], randomSelection(random, 40_000, 5000));
    }));

  test("gather() of columns without rows gives nulls", async (scope) => {
    const columns = [stringColumn([]), stringColumn(["x", "y"])];
    await checkGather(scope, columns, new Int32Array(0));
    await checkGather(scope, columns, Int32Array.of(-1, -1));
  }, { mayIdle: true });
}

/** Registers the case that gathers columns of all types, placed anywhere, in one call. */
export function gatherTogetherCase(test: BackendCase): void {
  test("gather() takes the same rows of columns of every type, wherever they lie", (scope) =>
    forSeeds(2, async (random) => {
      const length = random.pick([1, 100, 2_000]);
      const columns = CARRIED_TYPES.map((type) => randomColumn(random, type, length));
      await checkGather(scope, columns, randomSelection(random, length, 3_000), random);
    }));
}

function randomSelection(random: SeededRandom, length: number, most: number): Int32Array {
  const missing = length === 0 ? 1 : random.pick([0, 0.2, 1]);
  return Int32Array.from(
    { length: random.below(most) },
    () => random.chance(missing) ? -1 : random.below(length),
  );
}

/** Gathers columns; with `random` some of them lie on the host, else all where the backend computes. */
async function checkGather(
  scope: CaseScope,
  columns: readonly HostColumn[],
  selection: Int32Array,
  random?: SeededRandom,
): Promise<void> {
  const placed = await Promise.all(
    columns.map((column) => random?.chance(0.3) ? column : scope.place(column)),
  );
  const gathered = await scope.backend.gather(placed, selection);
  gathered.forEach(({ place, length }, k) => {
    assertEquals(length, selection.length);
    if (length > 0 && columns[k]!.length > 0) assertEquals(place, placed[k]!.place);
  });
  const rows = await takePlain(scope, gathered);
  placed.forEach(releaseColumn);
  columns.forEach((column, k) => {
    const values = plainOf(column);
    const expected = Array.from(selection, (row): Plain => row < 0 ? null : values[row]!);
    assertEquals(rows[k], expected, JSON.stringify(column.type));
  });
}
