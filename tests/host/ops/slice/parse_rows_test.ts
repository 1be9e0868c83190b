import { assertEquals, assertThrows } from "@std/assert";
import { take } from "../../../../mod.ts";
import { parseBounds, parseRows, type RowBounds } from "../../../../ops/slice/parse_rows.ts";

function bounds(start: number | null, stop: number | null, step: number | null = null): RowBounds {
  return { start, stop, step };
}

Deno.test("positions and ranges are read as they are written", () => {
  const table: readonly [string, (number | RowBounds)[]][] = [
    ["5", [5]],
    ["5,-1,7,100:110", [5, -1, 7, bounds(100, 110)]],
    [" 5 , +7,-0 ", [5, 7, 0]],
    ["1_000:2_000:-1_0", [bounds(1000, 2000, -10)]],
    [":", [bounds(null, null)]],
    ["::", [bounds(null, null)]],
    ["::-1,:5,-3:", [bounds(null, null, -1), bounds(null, 5), bounds(-3, null)]],
    ["9007199254740991", [Number.MAX_SAFE_INTEGER]],
  ];
  for (const [text, rows] of table) assertEquals(parseRows(text), rows, text);
  assertEquals(parseBounds("-5:"), bounds(-5, null));
});

Deno.test("other text is none", () => {
  const wrong = ["", " ", ",", "5,", ",5", "5,,7", "a", "5-7", "1.5", "1e3", "0x10", "_5", "--1"];
  const ranges = ["1:2:3:4", "1: 2", "a:", ":b", "1:2:c", "1;2", "9007199254740993", "٣"];
  for (const text of [...wrong, ...ranges]) {
    assertEquals(parseRows(text), undefined, text);
    assertThrows(
      () => take(text),
      RangeError,
      "take() takes positions and ranges separated by commas, such as 5,-1,100:110, not " +
        JSON.stringify(text),
    );
  }
  assertEquals([parseBounds("5"), parseBounds("1:2,3:4"), parseBounds(" 1:2")], [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("what is no list of rows is an error at once", () => {
  assertThrows(() => take("1:5:0"), RangeError, "The step of a slice cannot be 0");
  assertThrows(() => take([0.5]), RangeError, "A position of a row is an integer, not 0.5");
  assertThrows(() => take([NaN]), RangeError, "A position of a row is an integer, not NaN");
  assertThrows(
    () => take([{ start: 0.5 }]),
    RangeError,
    "The start of a slice is an integer, not 0.5",
  );
  const parts = [
    ["5", "a string"],
    [5n, "a bigint"],
    [null, "null"],
    [[1, 5], "an array"],
    [{ from: 1, stop: 5 }, "{ from, stop }"],
  ] as const;
  for (const [part, what] of parts) {
    assertThrows(
      () => take([part as unknown as number]),
      TypeError,
      `take() takes positions and ranges { start, stop, step }, not ${what}`,
    );
  }
});
