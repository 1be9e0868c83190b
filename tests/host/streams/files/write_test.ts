import { assertThrows } from "@std/assert";
import { write } from "../../../../mod.ts";

Deno.test("write() refuses a policy for offsets that is none, before it opens the file", () => {
  for (const file of ["x.parquet", "x.arrow"]) {
    for (const offsets of [null, "", NaN, "nope", 5]) {
      assertThrows(
        () => write(file, { offsets: offsets as never }),
        TypeError,
        "The option offsets must be one of",
      );
    }
  }
});
