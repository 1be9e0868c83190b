import { assertEquals, assertRejects } from "@std/assert";
import { type CsvType, readCsv } from "../../../streams/csv.ts";
import { FileError } from "../../../streams/errors.ts";
import { inFolder, readAll, rowsOf } from "../../support/streams_samples.ts";

/** The values of a column, from the row `start` on. */
function valuesOf(
  texts: readonly string[],
  types: Record<string, CsvType> = {},
  start = 0,
): Promise<unknown[]> {
  const rows: unknown[] = [];
  return inFolder(async (folder) => {
    const path = `${folder}/in.csv`;
    await Deno.writeTextFile(path, `a\n${texts.join("\n")}\n`);
    rows.push(...rowsOf(await readAll(readCsv(path, { types }))).slice(start).map(({ a }) => a));
  }).then(() => rows);
}

async function failure(
  texts: readonly string[],
  types: Record<string, CsvType> = {},
): Promise<string> {
  const { message } = await assertRejects(() => valuesOf(texts, types), FileError);
  return message.replace(/^.*in\.csv: /, "");
}

const guessedOf = Array<string>(10_000);

/** Texts that a double says. */
const exact = [
  ...["0.1", "-.5", "1.", "0", "-0", "0.00", "0e-400", "1e5", "1E23", "+1.5", "5e-324", "-1e-310"],
  ...["9007199254740992", "-9007199254740992", "100000000000000000000"],
  // What a double of 2^60 and the like is written as.
  ...["1152921504606847000.0", "12345678901234567000.0", "5.684341886080802e-14"],
  ...["0.12345678901234567", "123456789.12345678", "-0.00001234567890123456"],
  // A double with more digits than it needs, as "%.25f" writes them.
  ...["0.1000000000000000055511151", "0.1000000000000000055511151231257827021181583404541015625"],
];
/** Numbers of which a double would lose digits. */
const inexact = [
  ...["007", "-007.5", "+01", "00"],
  ...["9007199254740993", "-9007199254740993", "+9007199254740993", "9007199254740993.0"],
  ...["9007199254740993.00", "9.007199254740993e15", "90071992547409930e-1"],
  ...["1152921504606846976", "9223372036854775807", "18446744073709551615"],
  ...["540354322189616262244.80", "1769651711567501058.90", "12345678901234567890123"],
  ...["0.123456789012345678", "3.14159265358979323846", "0.33333333333333333333"],
  ...["1e400", "-1e400", "1e-400", `1${"0".repeat(400)}`, `0.${"0".repeat(400)}1`],
  "1.2345678901234e-320",
];

for (const text of exact) {
  Deno.test(`readCsv() takes ${text} as a double, wherever it stands`, async () => {
    assertEquals(await valuesOf(["1.5", text]), [1.5, Number(text)]);
    assertEquals(await valuesOf([...guessedOf.fill("1.5"), text], {}, 10_000), [Number(text)]);
  });
}

for (const text of inexact) {
  Deno.test(`readCsv() never rounds ${text.slice(0, 30)}, wherever it stands`, async () => {
    assertEquals(await valuesOf(["1.5", text]), ["1.5", text]);
    assertEquals(await valuesOf([text, "1.5"]), [text, "1.5"]);
    const late = [...guessedOf.fill("1.5"), text];
    assertEquals(
      await failure(late),
      `row 10000, column a: ${JSON.stringify(text.slice(0, 40))} is no float64, as the first ` +
        'rows suggested; name its type in types, such as "string"',
    );
    assertEquals(await valuesOf(late, { a: "string" }, 10_000), [text]);
  });
}

Deno.test("readCsv() rounds what is given as float64, and refuses what is beyond it", async () => {
  const types = { a: "float64" } as const;
  const rounded = await valuesOf(
    ["9007199254740993", "007", "1e-400", "0.33333333333333333333"],
    types,
  );
  assertEquals(rounded, [2 ** 53, 7, 0, 1 / 3]);
  for (const text of ["1e400", `-1${"0".repeat(309)}`, `${"9".repeat(400)}.5`]) {
    const problem = `row 0, column a: ${JSON.stringify(text.slice(0, 40))} is no float64`;
    assertEquals(await failure([text], types), problem);
  }
});
