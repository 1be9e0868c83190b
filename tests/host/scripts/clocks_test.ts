/** No test asks for a time: a machine that is busy with other things would fail it. */

import { assertEquals } from "@std/assert";
import { findTestFiles } from "../../../scripts/test_files.ts";
import { checkoutPath } from "../../support/processes/sluice.ts";

/** Tests that look at a clock, and do not ask how long something takes. */
const MAY_LOOK = [
  "tests/device/gpu/webgpu/device/clock_test.ts", // Holds the clock of a device against that of the host.
  "tests/host/cli/bundle_test.ts", // Makes a file old.
  "tests/host/ops/dates/names_test.ts", // Compares today() and now() with the clock.
  "tests/host/ops/rechunk/move/resume_test.ts", // Blocks until a timer is due.
  "tests/host/streams/formats/arrow/arrow_rows_test.ts", // Plants a clock of its own.
];

Deno.test("no test asks how long something takes, or ends after a time", () => {
  const looks = /\b(performance|Date)\.now\b|\bAbortSignal\.timeout\b|\bhrtime\b/;
  const folder = checkoutPath("tests/");
  const found = findTestFiles([folder])
    .filter((path) => looks.test(Deno.readTextFileSync(path)) && !path.endsWith("/clocks_test.ts"))
    .map((path) => `tests/${path.slice(folder.length)}`.replace("//", "/"));
  assertEquals(found.sort(), MAY_LOOK);
});
