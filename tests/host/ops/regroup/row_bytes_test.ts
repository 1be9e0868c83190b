/** Bytes of rows, by which batches are cut. */

import { assertEquals } from "@std/assert";
import type { HostColumn } from "../../../../gpu/column/column.ts";
import { rowBytes } from "../../../../ops/regroup/row_bytes.ts";
import { stringColumn } from "../../../support/values/host_columns.ts";

Deno.test("bytes that lie below a null do not count, wherever the offsets begin", () => {
  const texts = ["ab", "hidden", "", "é", "x"];
  const whole = stringColumn(["skipped", ...texts]);
  const given: HostColumn = {
    ...whole,
    length: texts.length,
    offsets: (whole.offsets as Int32Array).subarray(1),
    nullCount: 1,
    validity: Uint8Array.of(0b11101),
  };
  const lengths = [2, 0, 0, 2, 1];
  for (let start = 0; start <= texts.length; start++) {
    for (let stop = start; stop <= texts.length; stop++) {
      const bytes = lengths.slice(start, stop).reduce((sum, length) => sum + length, 0);
      assertEquals(rowBytes(given, start, stop), bytes + (4 + 1 / 8) * (stop - start));
    }
  }
});
