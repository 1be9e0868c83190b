/** Cases of the ownership of columns by a backend. */

import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { type DeviceColumn, releaseColumn } from "../../../gpu/column/column.ts";
import { atMost, tableRequest } from "../joins/table_request.ts";
import { stringColumn } from "../values/host_columns.ts";
import type { BackendCase } from "./backend_case.ts";

const TEXT = stringColumn(["a", null, "c"]);

/** Registers all cases of ownership. */
export function ownershipCases(test: BackendCase): void {
  test("columns and tables of another backend are refused", async ({ backend }) => {
    const elsewhere = { ...TEXT, place: "device" } as unknown as DeviceColumn;
    await assertRejects(() => backend.download([elsewhere]), TypeError, "another backend");
    const results = backend.probe({ release: () => {} }, TEXT, [], 3, atMost(10));
    await assertRejects(
      () => Array.fromAsync(results),
      TypeError,
      "A join table belongs to another backend",
    );
  }, { mayIdle: true });

  test("columns of the host are downloaded as they are", async ({ backend }) => {
    assertStrictEquals((await backend.download([TEXT]))[0], TEXT);
  }, { mayIdle: true });

  test("a join that is abandoned after its first result leaves nothing behind", async ({ backend }) => {
    const key = stringColumn(Array.from({ length: 2_000 }, (_, row) => `${row % 2}`));
    const table = await backend.buildTable(tableRequest(key, { kind: "string" }, [key]));
    for await (
      const { columns, numRows } of backend.probe(table, key, [key], 2_000, atMost(1_000))
    ) {
      assertEquals(numRows, 1_000);
      columns.forEach(releaseColumn);
      break;
    }
    table.release();
  });
}
