/** Cases of `Backend.copyBoxes`, judged by copies item by item. */

import { assertEquals, assertRejects } from "@std/assert";
import type { BoxesRequest } from "../../../gpu/column/boxes/box_columns.ts";
import type { BoxCopy } from "../../../gpu/column/boxes/box_copy.ts";
import { type Column, type HostColumn, releaseColumn } from "../../../gpu/column/column.ts";
import {
  boxesByItems,
  itemBytesOf,
  randomChunks,
  randomItems,
  randomRequest,
  reversed,
} from "../models/box_model.ts";
import { Draws, forSeeds, SeededRandom } from "../random/seeded_random.ts";
import { columnOf } from "../values/host_columns.ts";
import { type BackendCase, takeColumns } from "./backend_case.ts";

/** Registers all cases of copies. */
export function boxCases(test: BackendCase): void {
  randomBoxesCase(test);

  test("chunks that are split and combined again are the array", (scope) =>
    forSeeds(scope.amount({ host: 20, device: 5 }), async (random) => {
      const chunks = randomChunks(random, { mostAxes: 3 });
      const { itemBytes, fromBytes, toBytes } = chunks;
      const column = randomItems(random, itemBytes, toBytes / itemBytes);
      const type = { kind: "fixed", byteWidth: itemBytes } as const;
      const common = { type, rowItems: 1, fill: new Uint8Array(itemBytes) };
      const split = await scope.backend.copyBoxes({
        ...common,
        numRows: fromBytes / itemBytes,
        sources: [{ column, boxes: reversed(chunks).boxes }],
      });
      const combined = await scope.backend.copyBoxes({
        ...common,
        numRows: toBytes / itemBytes,
        sources: [{ column: split, boxes: chunks.boxes }],
      });
      releaseColumn(split);
      const [result] = await takeColumns(scope, [combined]);
      assertEquals(itemBytesOf(result!), itemBytesOf(column));
    }));

  test("a copy of boxes that cannot be made is an error", async (scope) => {
    const column = randomItems(new SeededRandom(3), 4, 12);
    const box = (from: number, to: number): BoxCopy => ({
      itemBytes: 4,
      shape: [3],
      from: { offset: from, strides: [4] },
      to: { offset: to, strides: [-4] },
    });
    const request: BoxesRequest = {
      type: { kind: "fixed", byteWidth: 4 },
      numRows: 6,
      rowItems: 1,
      fill: new Uint8Array(4),
      sources: [{ column, boxes: [box(36, 20)] }],
    };
    const [made] = await takeColumns(scope, [await scope.backend.copyBoxes(request)]);
    assertEquals(made!.length, 6);
    const fails = (change: Partial<BoxesRequest>, message: string) =>
      assertRejects(() => scope.backend.copyBoxes({ ...request, ...change }), Error, message);
    await fails(
      { sources: [{ column, boxes: [box(40, 20)] }] },
      "A box from byte 40 to 52 of the column that it is read from, which has 48",
    );
    await fails(
      { sources: [{ column, boxes: [box(0, 4)] }] },
      "A box from byte -4 to 8 of the result, which has 24",
    );
    const withNull = columnOf({ kind: "int", bits: 32, signed: true }, [1, null, 3]);
    await fails(
      { sources: [{ column: withNull, boxes: [] }] },
      "Boxes are copied of columns without nulls only",
    );
    await fails({ type: { kind: "bool" } }, "Boxes are copied of items of whole bytes only");
    await fails({ fill: new Uint8Array(3) }, "A fill value of 3 bytes for items of 4");
  });
}

/** The additional draws that a test of one backend requires, and their check. */
interface DrawnColumns {
  readonly kinds: readonly string[];
  kindsOf(sources: readonly Column[], copied: Column): string[];
}

/** Registers the case of random copies between columns that lie anywhere. */
export function randomBoxesCase(
  test: BackendCase,
  { kinds, kindsOf }: DrawnColumns = { kinds: [], kindsOf: () => [] },
): void {
  test("columns are assembled from boxes of others, wherever they lie", (scope) => {
    const draws = new Draws(["values", "lists", "from fixeds", "from lists", ...kinds]);
    return forSeeds(scope.amount({ host: 150, device: 40 }), async (random) => {
      const request = randomRequest(random);
      const sources = await Promise.all(request.sources.map(async (source) => ({
        ...source,
        column: random.chance(0.7) ? await scope.place(source.column as HostColumn) : source.column,
      })));
      const copied = await scope.backend.copyBoxes({ ...request, sources });
      draws.add(request.type.kind === "list" ? "lists" : "values");
      const columns = sources.map(({ column }) => column);
      for (const { type } of columns) draws.add(`from ${type.kind}s`);
      kindsOf(columns, copied).forEach((kind) => draws.add(kind));
      columns.forEach(releaseColumn);
      const [made] = await takeColumns(scope, [copied]);
      assertEquals(itemBytesOf(made!), boxesByItems(request));
      assertEquals([made!.length, made!.nullCount, made!.type], [request.numRows, 0, request.type]);
      if (made!.offsets !== null) {
        const offsets = Array.from({ length: request.numRows + 1 }, (_, k) => k * request.rowItems);
        assertEquals([...made!.offsets], offsets);
      }
    }, draws);
  });
}
