import { assertEquals, assertRejects } from "@std/assert";
import { readCsv } from "../../../../../streams/formats/csv/csv.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { openSource, type SourceOptions } from "../../../../../streams/files/read.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { inFolder, readAll, rowsOf } from "../../../../support/values/streams_samples.ts";

const names = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" } as const;
type Delimiter = keyof typeof names;

/** The words of an error of a file, without its path. */
async function told(path: string, options: SourceOptions = {}): Promise<string> {
  const { message } = await assertRejects(() => readAll(openSource(path, options)), FileError);
  return message.slice(message.indexOf(": ") + 2);
}

/** A field, which may have any delimiter in it, and then has quotes around. */
function field(random: SeededRandom): string {
  return random.pick(["x", "1,5", "a;b", "Zürich", 'say "é"', "two\nlines", "7", "t\tt"]);
}

function quoted(text: string): string {
  return /[^a-zü0-9]/i.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

Deno.test("a file with another delimiter is refused with the one that it has, and read with it", () =>
  inFolder(async (folder) => {
    const path = `${folder}/in.csv`;
    const draws = new Draws(Object.keys(names).filter((delimiter) => delimiter !== ","));
    await forSeeds(100, async (random) => {
      const delimiter = random.pick([";", "\t", "|"] as const);
      draws.add(delimiter);
      const width = 2 + random.below(3);
      const header = Array.from({ length: width }, (_, i) => random.pick([`c${i}`, `c ${i}`]));
      const rows = Array.from(
        { length: 1 + random.below(5) },
        () => Array.from({ length: width }, () => field(random)),
      );
      const lines = [header, ...rows].map((fields) => fields.map(quoted).join(delimiter));
      await Deno.writeTextFile(path, lines.join(random.pick(["\n", "\r\n"])) + "\n");
      const message = await told(path);
      const found = `has no commas between its fields but ${
        names[delimiter]
      }, which split its header and rows into ${width} `;
      assertEquals(message.slice(0, found.length), found, JSON.stringify(lines));
      const read = rowsOf(await readAll(readCsv(path, { delimiter })));
      assertEquals(read.map((row) => Object.values(row).map(String)), rows);
    }, draws);
  }));

const cures: readonly (readonly [string, string, Delimiter, string])[] = [
  ["a.csv", "a;b\n1;2,5\n", ";", `delimiter: ";" splits them`],
  ["a.csv", "a\tb\n1\t2\n", "\t", `format: "tsv" splits them`],
  ["a.csv", "a|b\n1|2\n", "|", `delimiter: "|" splits them`],
  ["a.tsv", "a,b\n1,2\n", ",", `format: "csv" splits them`],
];
for (const [name, text, delimiter, cure] of cures) {
  Deno.test(`${name} with ${names[delimiter]} is told how to be read, also with types`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/${name}`;
      await Deno.writeTextFile(path, text);
      const own = name.endsWith("csv") ? `delimiter: ","` : `delimiter: "\\t"`;
      const [, advice] = (await told(path)).replaceAll("\\u0009", "\t").split("; ");
      assertEquals(advice, `${cure}, ${own} reads one column`.split("; ")[0]);
      assertEquals((await told(path, { types: { b: "string" } })).includes(cure), true);
    }));
}

/** Files of one column, whatever else is in them. */
const ones: Readonly<Record<string, string>> = {
  "a header without another delimiter": "note\nx; y\nz; w\n",
  "rows that do not agree": "note; or not\nx\ny; z\n",
  "a header in quotes": '"a;b"\n"c;d"\n',
  "a header alone": "a;b\n",
  "a last row that is longer": "a|b\nx|y\nx|y|z\n",
};
for (const [what, text] of Object.entries(ones)) {
  Deno.test(`a file of one column with ${what} is read`, () =>
    inFolder(async (folder) => {
      await Deno.writeTextFile(`${folder}/in.csv`, text);
      const [batch] = await readAll(readCsv(`${folder}/in.csv`));
      assertEquals(batch!.schema.fields.length, 1);
      assertEquals(batch!.numRows, text.trim().split("\n").length - 1);
    }));
}

Deno.test("a delimiter that is named is the one, whatever the file looks like", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/in.csv`, "a;b\n1;2\n");
    const rows = rowsOf(await readAll(readCsv(`${folder}/in.csv`, { delimiter: "," })));
    assertEquals(rows, [{ "a;b": "1;2" }]);
  }));
