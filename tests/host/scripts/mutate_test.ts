import { assert, assertEquals } from "@std/assert";
import {
  describeFault,
  drawFaults,
  FAULT_KINDS,
  plantedText,
} from "../../../scripts/mutate/fault.ts";
import { nearestTests } from "../../../scripts/mutate/nearest_tests.ts";
import { summaryOf } from "../../../scripts/mutate/record.ts";
import { typescriptFaults } from "../../../scripts/mutate/typescript_faults.ts";
import { wgslFaults } from "../../../scripts/mutate/wgsl_faults.ts";
import { SeededRandom } from "../../support/random/seeded_random.ts";

/** What becomes of a line of code, once for each fault in it. */
function planted(code: string): string[] {
  return typescriptFaults("a.ts", code).map((fault) => plantedText(code, fault));
}

Deno.test("operators, bounds, constants, statements and arguments are mutated, one at a time", () => {
  assertEquals(
    planted("if (a < b) c;"),
    ["if (a <= b) c;", "if (a < (b + 1)) c;"].concat([
      "if (a < (b - 1)) c;",
      "if (a < b) ;",
    ]),
  );
  assertEquals(planted("const a = b && !c;"), ["const a = b || !c;", "const a = b && c;"]);
  assertEquals(planted("const a = b ?? c;"), ["const a = b;"]);
  assertEquals(planted("const a = true;"), ["const a = false;"]);
  assertEquals(planted("const a = 0;"), ["const a = 1;"]);
  assertEquals(planted("const a = 5n;"), ["const a = 6n;", "const a = 4n;"]);
  assertEquals(planted("const a = b[2];"), ["const a = b[3];", "const a = b[1];"]);
  assertEquals(planted("f(a, b);"), [";", "f(b, a);"]);
  assertEquals(planted("function f() { if (a) return; b; }"), [
    "function f() { ; b; }",
    "function f() { if (a) return; ; }",
  ]);
});

Deno.test("what no test can see is left alone", () => {
  for (
    const code of [
      "type A = 1 | 2;",
      "interface A { b: 3 }",
      "const a: 0 | 1 = b;",
      'import { a } from "./b.ts";',
      'throw new Error("a" + 1);',
      "const a = new RangeError(`more than ${5 - 1}`);",
      "// a < b",
      'const a = "a < 1" + b;',
      `const a = [${Array.from({ length: 16 }, (_, k) => k).join()}];`,
    ]
  ) assertEquals(planted(code), [], code);
  // Without its step it would never end.
  assert(planted("for (let a = 0; a < 3; a++) b();").every((code) => code.includes("a++")));
});

Deno.test("kernels in WGSL are mutated, but for comments, types and bindings", () => {
  const code = `// a < b
@group(0) @binding(1) var<storage, read> words: array<u32>;
fn last(row: u32) -> u32 {
  let next = row + 1u;
  if (next < params[0].x && row != 7u) { return next; }
  store(row, next);
  words[row] = next;
}
`;
  const lines = wgslFaults("a.wgsl", code).map((fault) => describeFault(code, fault));
  const added = lines.map((line) => line.split("\n  + ")[1]);
  assertEquals(added, [
    "let next = row - 1u;",
    "if (next <= params[0].x && row != 7u) { return next; }",
    "if (next < params[0].x || row != 7u) { return next; }",
    "if (next < params[0].x && row == 7u) { return next; }",
    "let next = row + 2u;",
    "if (next < params[1].x && row != 7u) { return next; }",
    "if (next < params[0].x && row != 8u) { return next; }",
    ";",
    ";",
  ]);
});

Deno.test("each kind of fault is drawn as often as any other, and the same by a seed", () => {
  const code = `const a = [${Array.from({ length: 200 }, (_, k) => `b + ${k}`).join()}];` +
    "if (a < b) return f(a, b);".repeat(60) + "const c = true;".repeat(60);
  const faults = typescriptFaults("a.ts", code);
  const drawn = drawFaults(faults, 150, new SeededRandom(3));
  assertEquals(drawn, drawFaults(faults, 150, new SeededRandom(3)));
  assertEquals(new Set(drawn.map(({ start, stop }) => `${start} ${stop}`)).size, 150);
  for (const kind of FAULT_KINDS) {
    assert(drawn.filter((of) => of.kind === kind).length >= 15, kind);
  }
});

Deno.test("the tests of a module come in the order of imports, of words and of time", () => {
  const importers = new Map([
    ["gpu/a.ts", ["gpu/b.ts", "tests/near_test.ts"]],
    ["gpu/b.ts", ["tests/far_test.ts", "tests/fast_test.ts", "tests/a_test.ts", "gpu/a.ts"]],
    ["gpu/c.ts", ["tests/other_test.ts"]],
  ]);
  const seconds = (file: string) => file.includes("fast") ? 2 : 3;
  assertEquals(nearestTests("gpu/a.ts", importers, seconds), [
    "tests/a_test.ts",
    "tests/near_test.ts",
    "tests/fast_test.ts",
    "tests/far_test.ts",
  ]);
  const ofFiles = new Map([[
    "streams/formats/parquet/pages.ts",
    ["tests/host/csv_test.ts", "tests/host/parquet_page_test.ts", "tests/device/parquet_test.ts"],
  ]]);
  assertEquals(nearestTests("streams/formats/parquet/pages.ts", ofFiles, () => 3), [
    "tests/host/parquet_page_test.ts",
    "tests/device/parquet_test.ts",
    "tests/host/csv_test.ts",
  ]);
});

Deno.test("tests that time out over a fault count neither as seen nor as survived", () => {
  const fault = { path: "a.ts", kind: "bound", start: 0, stop: 1, planted: "0" } as const;
  const faults = [
    { ...fault, about: "", outcome: "seen", numFiles: 1 },
    { ...fault, about: "", outcome: "seen", numFiles: 2 },
    { ...fault, about: "", outcome: "timed out", numFiles: 1 },
    { ...fault, about: "", outcome: "survived", numFiles: 9 },
  ] as const;
  assertEquals(
    summaryOf({ commit: "01234567", seed: 8, under: [], faults, sound: {}, seconds: {} }),
    "2 of 3 faults were seen (66.7 %), 1 of them by the nearest tests, " +
      "and tests timed out for 1 more; seed 8, commit 01234567",
  );
});
