import { assertEquals, assertThrows } from "@std/assert";
import { CommandError } from "../../../cli/command_error.ts";
import {
  formatBytes,
  formatCount,
  formatElapsed,
  formatRows,
  parseBytes,
  parseInteger,
} from "../../../cli/quantities.ts";

Deno.test("parseBytes() reads decimal and binary units", () => {
  const table: [string, number][] = [
    ["1", 1],
    ["65_536", 65536],
    ["512B", 512],
    ["64KiB", 65536],
    ["64 KiB", 65536],
    ["4gib", 4 * 2 ** 30],
    ["1.5MB", 1_500_000],
    ["2k", 2000],
  ];
  for (const [text, bytes] of table) assertEquals(parseBytes(text, "--memory"), bytes, text);
});

Deno.test("parseBytes() names the option and the text that is no size", () => {
  for (const text of ["", "0", "-1", "many", "1XB", "1e999", "0.4B", "99999999TiB"]) {
    const error = assertThrows(() => parseBytes(text, "--memory"), CommandError);
    assertEquals(error.message, `--memory takes a size such as 64MiB, not ${JSON.stringify(text)}`);
  }
});

Deno.test("parseInteger() reads whole numbers and keeps to the bound", () => {
  assertEquals(parseInteger("-12", "START"), -12);
  assertEquals(parseInteger("1_000", "head", 0), 1000);
  for (const text of ["", "1.5", "x", "1e3", "9007199254740993"]) {
    assertThrows(() => parseInteger(text, "head"), CommandError, "head takes a whole number");
  }
  assertThrows(() => parseInteger("-1", "head", 0), CommandError, "of at least 0");
});

Deno.test("quantities are written with units and separators", () => {
  assertEquals([0, 1023, 1536, 2 ** 30].map(formatBytes), ["0 B", "1023 B", "1.5 KiB", "1.0 GiB"]);
  assertEquals([0, 999, 1000, 3_000_000].map(formatCount), ["0", "999", "1,000", "3,000,000"]);
  assertEquals([0, 1, 2].map(formatRows), ["0 rows", "1 row", "2 rows"]);
  assertEquals(
    [0.421, 42.04, 420.4, 4204].map(formatElapsed),
    ["0.42 ms", "42.0 ms", "420 ms", "4.20 s"],
  );
});
