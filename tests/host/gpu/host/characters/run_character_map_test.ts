import { assert, assertEquals, assertThrows } from "@std/assert";
import { Utf8 } from "apache-arrow";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import { Utf8Error } from "../../../../../base/errors/value_error.ts";
import { knownText } from "../../../../../gpu/column/utf8.ts";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { evaluateOnHost } from "../../../../../gpu/host/evaluate.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import { columnOf, stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";
import { compileProgram } from "../../../../support/kernels/programs.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { fewOr, someOf } from "../../../../support/random/test_size.ts";

/** Maps of characters, and what they make of a text. */
const MAPS: readonly (readonly [expr: string, model: (text: string) => string])[] = [
  ["a.upper()", (text) => text.toUpperCase()],
  ["a.lower()", (text) => text.toLowerCase()],
  ['a.replace("a", "")', (text) => text.replaceAll("a", "")],
  [
    'a.translate({ "a": "", "b": "<b>" })',
    (text) => text.replaceAll("a", "").replaceAll("b", "<b>"),
  ],
  ['a.replace("é", "<e>")', (text) => text.replaceAll("é", "<e>")],
  ['a.replace(" ", "_")', (text) => text.replaceAll(" ", "_")],
  // Only ASCII characters change, into others, into longer text, into text that is not ASCII.
  ['a.replace("a", "X").replace("b", "a")', (t) => t.replaceAll("a", "X").replaceAll("b", "a")],
  ['a.replace("a", "<a>")', (text) => text.replaceAll("a", "<a>")],
  ['a.replace("a", "é").replace("b", "")', (t) => t.replaceAll("a", "é").replaceAll("b", "")],
  ['a.replace("a", "é").replace("é", "e")', (text) => text.replaceAll(/[aé]/g, "e")],
  ['a.replace("b", "中文").upper()', (text) => text.replaceAll("b", "中文").toUpperCase()],
  // Small letters of text that is being written: only ASCII text is mapped at once.
  ['a.replace("b", "B-").lower()', (text) => text.replaceAll("b", "B-").toLowerCase()],
  ['a.lower().replace("ς", "s")', (text) => text.toLowerCase().replaceAll("ς", "s")],
  ["a.slice(1).upper()", (text) => [...text].slice(1).join("").toUpperCase()],
  ['(a + "-é").lower()', (text) => `${text}-é`.toLowerCase()],
  [
    'a.slice(0, 5).lower().replace(" ", "__")',
    (text) => [...text].slice(0, 5).join("").toLowerCase().replaceAll(" ", "__"),
  ],
  [
    'a.translate({ "中": "a text of more than fifteen bytes", "a": null, "🙂": ":)" })',
    (text) =>
      text.replace(
        /[中a🙂]/gu,
        (char) => char === "中" ? "a text of more than fifteen bytes" : char === "a" ? "" : ":)",
      ),
  ],
];

/** Runs a map over the rows of a column, at several places in memory. */
function run(expr: string, column: HostColumn, minWasmRows = 1): HostColumn {
  const { program } = compileProgram([expr], { a: new Utf8() });
  const kernels = new HostKernels({ minWasmRows });
  return evaluateAround(program, [column], column.length, kernels)[0]!;
}

function randomText(random: SeededRandom, alphabet: readonly string[]): string {
  const length = random.chance(0.1) ? random.below(300) : random.below(12);
  return Array.from({ length }, () => random.pick(alphabet)).join("");
}

const ALPHABETS = [
  [..."abc XYZ"],
  [..."abcdefgh ABCDEFGéß中🙂"],
  [..."ΣσςΑαß ŉǰΐﬃﬁİıǅ'.\u0345\u0301"],
  [..."中文字あ🙂𐐨ab"],
];

Deno.test("every character becomes what JavaScript makes of it", () => {
  const chars: string[] = [];
  // Where there is no character with case, few are enough.
  for (let char = 0; char < 0x110000; char += char < 0x20000 ? 1 : 61) {
    if (char < 0xd800 || char > 0xdfff) chars.push(String.fromCodePoint(char));
  }
  const column = stringColumn(chars);
  for (const [expr, model] of MAPS.slice(0, 2)) {
    const { program } = compileProgram([expr], { a: new Utf8() });
    const kernels = new HostKernels();
    const results = valuesOf(evaluateOnHost(program, [column], column.length, kernels).columns[0]!);
    const wrong = chars.filter((char, row) => results[row] !== model(char));
    assertEquals(wrong, [], expr);
  }
});

Deno.test("random text with nulls becomes what JavaScript makes of it", () =>
  forSeeds(fewOr(4, 12), (random) => {
    const alphabet = random.pick(ALPHABETS);
    const rows = Array.from(
      { length: 1 + random.below(3000) },
      () => random.chance(0.1) ? null : randomText(random, alphabet),
    );
    const column = columnOf({ kind: "string" }, rows, { random, place: random.below(8) });
    for (const [expr, model] of MAPS) {
      const wanted = rows.map((text) => text === null ? null : model(text));
      assertEquals(valuesOf(run(expr, column)), wanted, expr);
    }
  }));

Deno.test("text of many parts is divided at no character", () => {
  const maps = someOf(MAPS, 6);
  for (const char of ["a", "é", "中", "🙂", "ŉ"]) {
    for (const before of ["", "x", "xy", "xyz"]) {
      const rows = [before, char.repeat(70_000), "", `${char} ${before}`];
      for (const [expr, model] of maps) {
        assertEquals(valuesOf(run(expr, stringColumn(rows))), rows.map(model), `${expr} ${char}`);
      }
    }
  }
});

Deno.test("of what maps of ASCII characters make it is known whether it is ASCII", () => {
  const isAscii = (expr: string, rows: readonly string[]) => {
    const result = run(expr, stringColumn(rows));
    return knownText(result)?.ascii;
  };
  const plain = Array.from({ length: 50 }, (_, row) => "ab".repeat(row + 30));
  for (const to of ["c", "cc", ""]) {
    assertEquals(isAscii(`a.replace("a", "${to}")`, plain), true, to);
    assertEquals(isAscii(`a.replace("a", "${to}")`, [...plain, "é"]), false, to);
  }
  assertEquals(isAscii('a.replace("a", "é")', plain), false);
});

Deno.test("results that are many times as long come out whole", () => {
  const rows = Array.from({ length: 500 }, (_, row) => "a".repeat(row) + "b".repeat(row % 7));
  const column = stringColumn(rows);
  for (const replacement of ["", "é", "123456789012345", "1234567890123456"]) {
    const wanted = rows.map((text) => text.replaceAll("a", replacement));
    assertEquals(valuesOf(run(`a.translate({ "a": "${replacement}" })`, column)), wanted);
  }
});

Deno.test("rows share their offsets where no length changes", () => {
  const column = stringColumn(Array.from({ length: 2000 }, (_, row) => `Élan ${row}`));
  const { program } = compileProgram(["a.upper()"], { a: new Utf8() });
  const { columns: [upper] } = evaluateOnHost(program, [column], 2000, new HostKernels());
  // Wide text is mapped row by row.
  assert(upper?.offsets === column.offsets || !(column.offsets instanceof Int32Array));
});

Deno.test("text that is not UTF-8 is an error of its row, below a null it is none", () => {
  const rows = Array.from({ length: 3000 }, (_, row) => `Élan ${row}`);
  const column = stringColumn(rows);
  const data = column.data.slice();
  const place = column.offsets![1234]!;
  data.set([0xc3, 0x20], place);
  const broken = { ...column, data };
  const error = assertThrows(() => run("a.upper()", broken), Utf8Error);
  assertEquals(error.message, "The text of row 1234 is not UTF-8");
  const validity = new Uint8Array(375).fill(0xff);
  validity[1234 >> 3]! &= ~(1 << (1234 & 7));
  const wanted = rows.map((text, row) => row === 1234 ? null : text.toUpperCase());
  assertEquals(valuesOf(run("a.upper()", { ...broken, validity, nullCount: 1 })), wanted);
});

Deno.test("a row that begins in a character is an error, though all of the text is UTF-8", () => {
  const column = stringColumn(Array.from({ length: 3000 }, (_, row) => `Élan ${row}`));
  for (const row of [1, 1234, 2999]) {
    const offsets = column.offsets!.slice();
    offsets[row]!++;
    const error = assertThrows(() => run("a.upper()", { ...column, offsets }), Utf8Error);
    // Its first byte belongs to the row before.
    assertEquals(error.row, row - 1);
  }
});
