import { assertEquals } from "@std/assert";
import {
  Field,
  FixedSizeBinary,
  IntervalDayTime,
  IntervalMonthDayNano,
  IntervalYearMonth,
  List,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Table,
  TimestampMicrosecond,
} from "apache-arrow";
import { formatTable } from "../../../cli/table.ts";
import { asUuid } from "../../../streams/extension_type.ts";
import { batchOf } from "../../support/streams_samples.ts";

const everything = { count: 10, total: undefined, width: Infinity };

Deno.test("formatTable() shows the parts of intervals that are not 0, with their signs", () => {
  const nanoseconds = (value: bigint) => [Number(BigInt.asIntN(32, value)), Number(value >> 32n)];
  const batch = batchOf({
    months: [new IntervalYearMonth(), [Int32Array.of(0, 1), null, Int32Array.of(-1, -2)]],
    days: [new IntervalDayTime(), [Int32Array.of(2, 1500), Int32Array.of(0, 0), null]],
    all: [new IntervalMonthDayNano(), [
      Int32Array.of(999, 999, ...nanoseconds(999_999_000_000n)),
      Int32Array.of(0, -1, ...nanoseconds(-500_000_001n)),
      null,
    ]],
  });
  const lines = formatTable(new Table(batch.schema, [batch]), everything).split("\n");
  assertEquals(lines.slice(3, 6).map((line) => line.trim().split(/ {2,}/)), [
    ["1 month", "2 days 1.5 s", "999 months 999 days 999.999 s"],
    ["null", "0 s", "-1 days -0.500000001 s"],
    ["-14 months", "null", "null"],
  ]);
});

Deno.test("formatTable() shows timestamps that no number of milliseconds holds", () => {
  const type = new TimestampMicrosecond();
  const data = BigInt64Array.of(2n ** 63n - 1n, 0n, 253_402_300_799_999_999n);
  const column = makeData({
    type,
    length: 3,
    data,
    nullBitmap: Uint8Array.of(0b101),
    nullCount: 1,
  });
  const lines = formatTable(new Table({ at: makeVector(column) }), everything).split("\n");
  assertEquals(lines.slice(3, 6), [
    // As DuckDB has the greatest timestamp: JavaScript has no date so far away.
    "+294247-01-10 04:00:54.775807",
    "null",
    "9999-12-31 23:59:59.999999",
  ]);
});

Deno.test("formatTable() shows UUIDs as text, and calls them uuid", () => {
  const uuid = Uint8Array.fromHex("f24f9b6481fa49d1b74e8c09a6e31c56");
  const type = new FixedSizeBinary(16);
  const batch = batchOf({
    plain: [type, [uuid, null]],
    id: [type, [uuid, null]],
    ids: [new List(asUuid(new Field("item", type, true))), [[uuid, null], []]],
  });
  const [plain, id, ids] = batch.schema.fields;
  const schema = new Schema([plain!, asUuid(id!), ids!]);
  assertEquals(
    formatTable(new Table(schema, new RecordBatch(schema, batch.data)), everything),
    `plain                             id                                    ids
fixed_size_binary[16]             uuid                                  list<uuid>
────────────────────────────────  ────────────────────────────────────  ────────────────────────────────────────────
f24f9b6481fa49d1b74e8c09a6e31c56  f24f9b64-81fa-49d1-b74e-8c09a6e31c56  [f24f9b64-81fa-49d1-b74e-8c09a6e31c56, null]
null                              null                                  []
2 rows
`,
  );
});
