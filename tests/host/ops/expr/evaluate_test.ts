import { assertEquals } from "@std/assert";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { evaluateExpr, type PlainColumns } from "../../../support/expressions/evaluate_expr.ts";

type Row = string | number | bigint | boolean | null;

function bothWays(text: string, columns: PlainColumns, expected: readonly Row[]): void {
  assertEquals(evaluateExpr(parseExpr(text), columns), expected, `${text}, fused`);
  assertEquals(
    evaluateExpr(parseExpr(text), columns, { fuse: false }),
    expected,
    `${text}, unfused`,
  );
}

const LOGIC: PlainColumns = {
  a: [true, true, true, false, false, false, null, null, null],
  b: [true, false, null, true, false, null, true, false, null],
};

const LOGIC_RESULTS: Readonly<Record<string, readonly Row[]>> = {
  "a && b": [true, false, null, false, false, false, null, false, null],
  "a || b": [true, true, true, true, false, null, true, null, null],
  "!a": [false, false, false, true, true, true, null, null, null],
  "a == b": [true, false, null, false, true, null, null, null, null],
  "a != b": [false, true, null, true, false, null, null, null, null],
  "a.isNull()": [false, false, false, false, false, false, true, true, true],
  "a.fillNull(b)": [true, true, true, false, false, false, true, false, null],
  "a ? b : !b": [true, false, null, false, true, null, false, true, null],
  "a && true": [true, true, true, false, false, false, null, null, null],
};

Deno.test("logic has three values", () => {
  for (const [text, expected] of Object.entries(LOGIC_RESULTS)) bothWays(text, LOGIC, expected);
});

const NUMBERS: PlainColumns = {
  n: [-2147483648, -61, -60, 0, 60, 61, 2147483647, null],
  m: [-1, 1, 1, null, 1, 1, 1, 1],
};

const NUMBER_RESULTS: Readonly<Record<string, readonly Row[]>> = {
  "n > 60": [false, false, false, false, false, true, true, null],
  "n > 60.5": [false, false, false, false, false, true, true, null],
  "n >= -60.5": [false, false, true, true, true, true, true, null],
  "n < -60.5": [true, true, false, false, false, false, false, null],
  "n == 60.5": [false, false, false, false, false, false, false, null],
  "n != 60.5": [true, true, true, true, true, true, true, null],
  "n < 2147483648": [true, true, true, true, true, true, true, null],
  "n > -1e300": [true, true, true, true, true, true, true, null],
  "n == 4294967296": [false, false, false, false, false, false, false, null],
  "60 <= n": [false, false, false, false, true, true, true, null],
  "n + m": [-2147483649n, -60n, -59n, null, 61n, 62n, 2147483648n, null],
  "n.fillNull(7)": [-2147483648, -61, -60, 0, 60, 61, 2147483647, 7],
  "n > 60 ? 'late' : 'fine'": ["fine", "fine", "fine", "fine", "fine", "late", "late", "fine"],
};

Deno.test("numbers compare exactly, and sums of 32 bits are computed in 64", () => {
  for (const [text, expected] of Object.entries(NUMBER_RESULTS)) bothWays(text, NUMBERS, expected);
});

const TEXTS: PlainColumns = {
  name: ["Ada Lovelace", "Grace", "", null, "Ōe Kenzaburō 🙂", "z"],
  city: ["London", null, "", "Paris", "Ōse", "é"],
};

const TEXT_RESULTS: Readonly<Record<string, readonly Row[]>> = {
  "name + city": ["Ada LovelaceLondon", null, "", null, "Ōe Kenzaburō 🙂Ōse", "zé"],
  "concat(name, city, { separator: '-', nulls: '?' })": [
    "Ada Lovelace-London",
    "Grace-?",
    "-",
    "?-Paris",
    "Ōe Kenzaburō 🙂-Ōse",
    "z-é",
  ],
  "name < city": [true, null, false, null, true, true],
  "name == city": [false, null, true, null, false, false],
  "name.splitPart(' ', 1).slice(0, 1) + name.splitPart(' ', 0)": [
    "LAda",
    null,
    null,
    null,
    "KŌe",
    null,
  ],
  "(name + city).upper().contains('E')": [true, null, false, null, true, false],
  "(name + ' ' + city).strip().length()": [19, null, 0, null, 18, 3],
  "name.contains(' ') ? name.lower() : city.upper()": [
    "ada lovelace",
    null,
    "",
    "PARIS",
    "ōe kenzaburō 🙂",
    "É",
  ],
  "name.fillNull(city).replace(city.slice(0, 1), '*')": [
    "Ada *ovelace",
    null,
    "",
    "*aris",
    "*e Kenzaburō 🙂",
    "z",
  ],
  "name.slice(null, null, -1)": ["ecalevoL adA", "ecarG", "", null, "🙂 ōrubazneK eŌ", "z"],
  "name.find('e') == -1 ? null : name": [
    "Ada Lovelace",
    "Grace",
    null,
    null,
    "Ōe Kenzaburō 🙂",
    null,
  ],
};

Deno.test("operations on text compose, with nulls, empty and long characters", () => {
  for (const [text, expected] of Object.entries(TEXT_RESULTS)) bothWays(text, TEXTS, expected);
});

Deno.test("expressions over no rows give no rows", () => {
  for (const text of Object.keys(TEXT_RESULTS)) bothWays(text, { name: [], city: [] }, []);
});

Deno.test("a redaction hides what is not public, and a null visibility is not public", () => {
  const text = `visibility == "public"
    ? name.splitPart(" ", 1).slice(0, 1) + " " + name.splitPart(" ", 0)
    : "X X"`;
  const columns = {
    name: ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Plato", null, null, "Élise Ōe"],
    visibility: ["public", "private", null, "public", "public", "private", "public"],
  };
  bothWays(text, columns, ["L Ada", "X X", "X X", null, null, "X X", "Ō Élise"]);
});

Deno.test("constants may be longer than a call can have arguments, and than code may be", () => {
  const columns: PlainColumns = { name: ["a", null] };
  const é = "é".repeat(200_000);
  bothWays(`name + ${JSON.stringify(é)}`, columns, [`a${é}`, null]);
  bothWays('name + "ab".repeat(300_000)', columns, [`a${"ab".repeat(300_000)}`, null]);
  bothWays('("ab".repeat(3_000_000) + name).length()', columns, [6_000_001, null]);
});
