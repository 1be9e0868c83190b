import { assert, assertEquals, assertRejects } from "@std/assert";
import { type CsvType, readCsv, writeCsv } from "../../../../streams/formats/csv/csv.ts";
import { FileError } from "../../../../base/errors/file_error.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { inFolder, readAll } from "../../../support/values/streams_samples.ts";
import { fewOr } from "../../../support/random/test_size.ts";

/** The guessed type of a column, and its fields as they are written again. */
async function again(
  folder: string,
  fields: readonly string[],
  types: Record<string, CsvType> = {},
): Promise<{ type: string; fields: string[] }> {
  const [path, copy] = [`${folder}/in.csv`, `${folder}/out.csv`];
  await Deno.writeTextFile(
    path,
    `id,v\n${fields.map((field, row) => `r${row},${field}\n`).join("")}`,
  );
  const batches = await readAll(readCsv(path, { types }));
  await ReadableStream.from(batches).pipeTo(writeCsv(copy));
  const lines = (await Deno.readTextFile(copy)).split("\n").slice(1, -1);
  const type = String(batches[0]!.schema.fields[1]!.type);
  return { type, fields: lines.map((line) => line.slice(line.indexOf(",") + 1)) };
}

function digitsOf(random: SeededRandom, most: number): string {
  const count = 1 + random.below(most);
  return Array.from({ length: count }, () => random.below(10)).join("");
}

/** A number of at most 15 digits, which every double keeps. */
function decimal(random: SeededRandom): string {
  const whole = String(random.below(10 ** random.below(8)));
  return `${random.pick(["", "-"])}${whole}.${digitsOf(random, 7)}${"0".repeat(random.below(4))}`;
}

/** A double of any size as programs write it. */
function anyDouble(random: SeededRandom): number {
  return (random.next() - 0.5) * 10 ** (random.below(60) - 30);
}

/** Python, pandas, Polars and DuckDB write exponents of two digits with a sign; Java has no plus. */
const scientific: readonly ((random: SeededRandom) => string)[] = [
  (random) => anyDouble(random).toExponential().replace(/e([+-])(\d)$/, "e$10$2"),
  (random) => anyDouble(random).toExponential(random.below(6)).toUpperCase(),
  (random) => `${1 + random.below(9)}.${random.below(10)}E${random.below(20)}`,
];

/** Fields that look alike, as a column has them. */
const families: Readonly<Record<string, (random: SeededRandom) => string>> = {
  integers: (random) => String(Math.trunc(anyDouble(random) % 2 ** 53) + 0),
  "64 bits": (random) => String(BigInt.asIntN(64, 2n ** 63n - BigInt(random.below(100)) * 7n)),
  "minus zero": () => "-0",
  "leading zeros": (random) => `${random.pick(["", "-"])}0${digitsOf(random, 5)}`,
  "a plus": (random) => `+${digitsOf(random, 12)}`,
  decimals: decimal,
  "a bare point": (random) => random.pick([`.${digitsOf(random, 3)}`, `${random.below(9)}.`]),
  scientific: (random) => random.pick(scientific)(random),
  "codes with E": (random) =>
    `${digitsOf(random, 2)}${random.pick("eE".split(""))}${digitsOf(random, 2)}`,
  "words of floats": (random) =>
    random.pick(["Inf", "inf", "Nan", "nan", "NaN", "-inf", "Infinity"]),
  "true and false": (random) => random.pick(["true", "false"]),
  "TRUE and False": (random) => random.pick(["TRUE", "FALSE", "True", "False"]),
  dates: (random) =>
    new Date((random.below(200_000) - 100_000) * 86_400_000).toISOString().slice(0, 10),
  "far dates": (random) => {
    const year = String(random.below(5_000_000)).padStart(random.pick([4, 6, 7]), "0");
    return `${random.pick(["", "-", "+"])}${year}-0${1 + random.below(9)}-1${random.below(10)}`;
  },
  words: (random) => random.pick(["e", "-", ".", "null", "x1", "1x", "1-1", "1,5".slice(0, 1)]),
  nothing: () => "",
};

const usualFloat =
  /^-?(0|[1-9]\d*)(\.\d+)?$|^-?\d(\.\d+)?e[+-]\d+$|^-?\d\.\d+e\d+$|^-?(nan|inf(inity)?)$/i;
const writtenDate = /^(\d{4}|-(?!0{6})\d{6}|\+0[1-9]\d{4}|[+-][1-9]\d{5,6})-\d\d-\d\d$/;

/** The guess that docs/formats.md states. */
function guessOf(fields: readonly string[]): string {
  const values = fields.filter((field) => field !== "");
  const all = (test: (value: string) => boolean) => values.length > 0 && values.every(test);
  const isInt64 = (value: string) =>
    /^(0|-?[1-9]\d*)$/.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value);
  if (all(isInt64)) return "Int64";
  const fraction = values.some((value) => /^-?\d.*[.e]/i.test(value));
  const integer = values.some((value) => /^-?\d+$/.test(value)) && !values.includes("-0");
  if (all((value) => usualFloat.test(value) && keepsDigits(value)) && (fraction || integer)) {
    return "Float64";
  }
  if (all((value) => value === "true" || value === "false")) return "Bool";
  if (all((value) => writtenDate.test(value) && hasDay(value))) return "Date32<DAY>";
  return "Utf8";
}

/** Integers are those of a double; other numbers here have few enough digits. */
function keepsDigits(value: string): boolean {
  if (!/^-?\d+$/.test(value) || value === "-0") return true;
  return value.replace("-", "").length <= 15 || String(BigInt(Number(value))) === value;
}

function hasDay(value: string): boolean {
  const [, year = "", month = "", day = ""] = /^(.*)-(\d\d)-(\d\d)$/.exec(value) ?? [];
  const isLeap = BigInt(year) % 4n === 0n &&
    (BigInt(year) % 100n !== 0n || BigInt(year) % 400n === 0n);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return Number(day) >= 1 && Number(day) <= (days[Number(month) - 1] ?? 0);
}

/** A float as the shortest text of its number, whole ones with `.0`. */
function shortest(field: string): string {
  if (field === "") return "";
  const word = /^(-?)(nan|inf)/i.exec(field);
  if (word !== null) return /n/i.test(word[2]![0]!) ? "NaN" : `${word[1]}Infinity`;
  const text = Object.is(Number(field), -0) ? "-0" : String(Number(field));
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const types = ["Int64", "Float64", "Bool", "Date32<DAY>", "Utf8"];

Deno.test("a guess is written as it was read, and float64 as the shortest text of the same number", () =>
  inFolder(async (folder) => {
    const names = Object.keys(families);
    const draws = new Draws([...types, ...names.map((name) => `${name} alone`), "mixed"]);
    await forSeeds(fewOr(100, 300), async (random) => {
      const chosen = [random.pick(names), ...random.chance(0.5) ? [random.pick(names)] : []];
      draws.add(chosen.length === 1 ? `${chosen[0]} alone` : "mixed");
      const fields = Array.from(
        { length: 1 + random.below(6) },
        () => families[random.chance(0.1) ? "nothing" : random.pick(chosen)]!(random),
      );
      const read = await again(folder, fields);
      assertEquals(read.type, guessOf(fields), JSON.stringify(fields));
      const written = read.type === "Float64" ? fields.map(shortest) : fields;
      assertEquals(read.fields, written, `${read.type}: ${JSON.stringify(fields)}`);
      draws.add(read.type);
    }, draws);
  }));

Deno.test("zeros at the end of a fraction are all that plain decimals lose", () =>
  inFolder((folder) =>
    forSeeds(100, async (random) => {
      const fields = Array.from({ length: 20 }, () => decimal(random));
      const { fields: written } = await again(folder, fields);
      const bare = (field: string) => field.replace(/0+$/, "");
      // Below a millionth JavaScript has an exponent.
      const isPlain = (field: string) => Number(field) === 0 || Math.abs(Number(field)) >= 1e-6;
      for (const [row, field] of fields.entries()) {
        if (isPlain(field)) assertEquals(bare(written[row]!), bare(field));
        else assertEquals(Number(written[row]!), Number(field));
      }
    })
  ));

const codes: Readonly<Record<string, readonly string[]>> = {
  "numbers of telephones": ["+41790000000", "+15550100"],
  "codes with an E among digits": ["12345", "12E12", "45E03"],
  "-0 among integers": ["5", "-0"],
  "the names Inf and Nan": ["Inf", "Nan"],
  "TRUE": ["TRUE", "FALSE"],
  "numbers of a list": ["1.", "2."],
};
for (const [what, fields] of Object.entries(codes)) {
  Deno.test(`${what} stay text`, () =>
    inFolder(async (folder) => {
      assertEquals(await again(folder, fields), { type: "Utf8", fields: [...fields] });
    }));
}

Deno.test("what DuckDB writes of its doubles, decimals and booleans is guessed as it guesses itself", () =>
  inFolder(async (folder) => {
    const path = `${folder}/peer.csv`;
    await queryDuckDb(`COPY (SELECT i / 7 AS part, 1.5e-7 * i AS small, 1e20 * i AS large,
      CAST(i AS DECIMAL(9, 2)) AS price, i % 2 = 0 AS even, CASE WHEN i % 5 = 0 THEN 'nan'::DOUBLE
      WHEN i % 7 = 0 THEN '-inf'::DOUBLE ELSE i / 3 END AS odd FROM range(1000) t(i))
      TO '${path}' (HEADER)`);
    const source = readCsv(path);
    const types = (await source.schema())!.fields.map(({ type }) => String(type));
    assertEquals(types, ["Float64", "Float64", "Float64", "Float64", "Bool", "Float64"]);
    const values = (await readAll(source)).flatMap((batch) =>
      [...batch].map((row) => Object.values(row!.toJSON()))
    );
    const judged = await queryDuckDb(`SELECT * FROM read_csv('${path}')`);
    assertEquals(values, judged.map((row) => Object.values(row)));
  }));

/** Late values: what the rows before are, and the type that takes both. */
const late: readonly (readonly [string, string, CsvType])[] = [
  ["1", "1.5", "float64"],
  ["1", "007", "string"],
  ["1", "+5", "string"],
  ["1", "12E12", "string"],
  ["1", "nan", "string"],
  ["1", "x", "string"],
  ["1.5", ".5", "float64"],
  ["1.5", "12E12", "float64"],
  ["1.5", "007", "string"],
  ["true", "TRUE", "bool"],
  ["true", "yes", "string"],
  ["2024-01-01", "+002024-01-01", "string"],
];
for (const [usual, value, type] of late) {
  Deno.test(`after 10,000 rows of ${usual}, the error of ${value} names ${type}, which takes it`, () =>
    inFolder(async (folder) => {
      const fields = [...Array<string>(10_000).fill(usual), value];
      const { message } = await assertRejects(() => again(folder, fields), FileError);
      const told = message.slice(message.indexOf("row 10000, column v"));
      assert(told.endsWith(`; give its type: { types: { v: "${type}" } }`), message);
      assertEquals((await again(folder, fields, { v: type })).fields.length, fields.length);
    }));
}
