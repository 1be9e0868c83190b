import { assertEquals, assertStrictEquals } from "@std/assert";
import type { Column, HostColumn } from "../../../../gpu/column/column.ts";
import { createHostBackend } from "../../../../gpu/host/backend.ts";
import type { Program } from "../../../../gpu/kernel/tree/tree.ts";
import { columnOfPlain, plainOf } from "../../../support/models/column_model.ts";
import { atMost, tableRequest } from "../../../support/joins/table_request.ts";
import { ownershipCases } from "../../../support/cases/ownership.ts";
import { onHost } from "../../../support/cases/on_host.ts";

const STRING = { kind: "string" } as const;
const TEXT = columnOfPlain(STRING, ["a", null, "c"]);

ownershipCases(onHost);

function plain(column: Column): unknown {
  return plainOf(column as HostColumn);
}

Deno.test("the host backend filters, joins and evaluates, and hands host columns back", async () => {
  const backend = createHostBackend();
  const mask = columnOfPlain({ kind: "bool" }, [true, null, true]);
  const filtered = await backend.filter([TEXT], mask, 3);
  assertEquals([filtered.numRows, plain(filtered.columns[0]!)], [2, ["a", "c"]]);

  const table = await backend.buildTable(tableRequest(TEXT, { kind: "string" }, [TEXT], "left"));
  const rows: unknown[] = [];
  for await (const result of backend.probe(table, TEXT, [TEXT], 3, atMost(100))) {
    rows.push(result.columns.map(plain));
  }
  assertEquals(rows, [[["a", null, "c"], ["a", null, "c"]]]);
  table.release();

  const text = { node: "column", index: 0, type: STRING } as const;
  const tree = { node: "concat", parts: [text, text], type: STRING } as const;
  const program: Program = {
    inputs: [STRING],
    kernels: [{ label: "twice", tree, type: STRING }],
    outputs: [1, 0],
  };
  const { columns: [twice, same] } = await backend.evaluate(program, [TEXT], 3);
  assertEquals(plain(twice!), ["aa", null, "cc"]);
  assertStrictEquals(same, TEXT);
  assertEquals(backend.counters.compilations, 1);
  backend.close();
});
