/** Random tables: every type, texts of every sort, layouts of each batch's own. */

import { DataType } from "apache-arrow";
import { randomValue } from "../support/values/arrow_values.ts";
import { randomFloat, randomInteger } from "../support/values/number_texts.ts";
import { hardTexts } from "../support/random/random_tables.ts";
import { randomText } from "../support/random/random_text.ts";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import { nameOfType, type TypeJson, typeOf } from "./case_types.ts";
import type { CaseBatch, CaseColumn, CaseTable } from "./fuzz_case.ts";

const NAMES = [
  ...["Grace Hopper", "José Núñez", "Łukasz Żak", "Nguyễn Thị Minh Khai", "Σωκράτης", "ΟΔΥΣΣΕΥΣ"],
  ...["Иван Иванов", "محمد علي", "李小龍", "山田 太郎", "김민수", "Ünsal Öz", "Straße", "O'Brien"],
  ...["Anne-Marie", "İpek", "ıŞıK", "naïve 🙂", "👩‍🚀 Æsir", "ǅ", "ﬁ", "Zoë", "Ng", "de la Cruz"],
];

/** Characters that sometimes precede the first word in real data. */
const LEADS = [
  " ",
  "  ",
  "\t",
  "- ",
  "'",
  '"',
  "(",
  "#",
  "+",
  "*",
  "0 ",
  "1 ",
  "9",
  "12. ",
  ". ",
  ",",
  "/",
  ":",
];
/** Words, many of which end in what is not ASCII. */
const WORDS = [
  ...[
    "café",
    "José",
    "Zoë",
    "Perú",
    "señorá",
    "São",
    "naïveté",
    "Malmö",
    "Ελλάδα",
    "Москва",
    "東京",
  ],
  ...[
    "Łódź",
    "Bogotá",
    "10€",
    "5°",
    "½",
    "n²",
    "™",
    "“so”",
    "né",
    "🙂",
    "west",
    "Main St",
    "x",
    "0",
    "a1",
  ],
];

const ODDS = ["true", "FALSE", "1.2.3.4", "255.255.255.255", "%C3%A9", "%41%zz", "ff", "-0xFF"];

/** Sorts of texts; a column has one of them, so that operations meet what they look for. */
const TEXT_SORTS: readonly ((random: SeededRandom) => string)[] = [
  (random) => random.pick(NAMES),
  (random) => randomText(random, 9),
  (random) => randomText(random, 9),
  (random) => random.pick(NAMES) + random.pick(["", " ", ", "]) + random.pick(NAMES),
  // Fields as people type them: the sort that real tables have most of.
  (random) => (random.chance(0.6) ? random.pick(LEADS) : "") + random.pick(WORDS),
  (random) => (random.chance(0.4) ? random.pick(LEADS) : "") + random.pick(WORDS),
  (random) => (random.chance(0.4) ? random.pick(LEADS) : "") + random.pick(WORDS),
  // Edges of words of 4, 8, 16 and 64 bytes.
  (random) => {
    const length = random.pick([0, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65]);
    return "aBc d1é-".repeat(9).slice(0, length);
  },
  (random) => random.pick(hardTexts),
  (random) => {
    switch (random.below(4)) {
      case 0:
        return randomInteger(random);
      case 1:
        return String(randomFloat(random));
      case 2:
        return new Date(random.next() * 4e12 - 2e12).toISOString()
          .slice(0, random.pick([10, 16, 19, 23]));
      default:
        return random.pick(ODDS);
    }
  },
  (random) => random.chance(0.1) ? randomText(random, 200) : randomText(random, 3),
];

/** Time zones: with and without summer time, some at half an hour, one that left out a day, and offsets. */
export const ZONES: readonly string[] = [
  ...["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo"],
  ...["Asia/Kolkata", "Pacific/Apia", "Africa/Casablanca", "UTC", "+05:30", "-11:00"],
];

/** Seconds around which clocks of these zones were changed, or around which nothing happened. */
const CHANGES = [1_711_846_800, 1_729_990_800, 1_710_054_000, 1_550_368_800, 1_325_239_200, 0]
  .concat([1_541_300_400, -2_422_054_408, 1_712_415_600, 32_508_000_000]);

/** Types of columns, those more often that operations work on. */
const COLUMN_TYPES:
  readonly (readonly [weight: number, type: (random: SeededRandom) => TypeJson])[] = [
    [30, () => "utf8"],
    [10, () => "int32"],
    [
      12,
      (random) => random.pick(["int8", "int16", "int64", "uint8", "uint16", "uint32", "uint64"]),
    ],
    [10, () => "bool"],
    [5, () => "float64"],
    [3, () => "float32"],
    [4, () => "date32"],
    [2, () => "date64"],
    [5, (random) => ["timestamp", random.pick(["s", "ms", "us", "ns"])]],
    [4, (random) => ["timestamp", random.pick(["s", "ms", "us", "ns"]), random.pick(ZONES)]],
    [6, () => ["list", "utf8"]],
    [1, () => ["fixed_list", 2, "utf8"]],
    [2, () => "binary"],
    [1, () => "null"],
    [1, () => "float16"],
    [1, (random) => ["decimal", random.pick([32, 64, 128, 256])]],
    [1, (random) => ["time", random.pick(["s", "ms", "us", "ns"])]],
    [4, (random) => ["duration", random.pick(["s", "ms", "us", "ns"])]],
    [1, (random) => ["interval", random.pick([0, 1, 2])]],
    [1, (random) => ["fixed", random.pick([1, 3, 16, 17])]],
    [1, (random) => ["list", random.pick<TypeJson>(["int32", "bool", ["list", "utf8"]])]],
    [1, () => ["struct", { a: "utf8", b: "int16", c: ["list", "utf8"] }]],
    [1, () => ["map", "utf8"]],
    [1, () => ["fixed_list", 3, "int16"]],
  ];

/** Names of columns, easy and hard ones. */
export const COLUMN_NAMES: readonly string[] = [
  ...["s", "t", "n", "x", "name", "origin", "a b", "größe", "名前", "select", "true", "col"],
  ...["a.b", 'say "x"', "line\nfeed", " padded ", "constructor", "NULL"],
];

/** Layouts of the same values, by the name of the plain type; the plain one is always possible. */
const LAYOUTS: Readonly<Record<string, readonly TypeJson[]>> = {
  utf8: [
    "large_utf8",
    "utf8_view",
    ["dictionary", "utf8", "int16"],
    ["dictionary", "large_utf8", "int32"],
    ["dictionary", "utf8_view", "uint16"],
    ["dictionary", "utf8", "int64"],
  ],
  binary: ["large_binary", "binary_view", ["dictionary", "binary", "int32"]],
  int32: [["dictionary", "int32", "int16"]],
  int64: [["dictionary", "int64", "uint16"]],
  date32: [["dictionary", "date32", "int16"]],
};
const TEXT_LIST_LAYOUTS: readonly TypeJson[] = [
  ["list", "large_utf8"],
  ["list", "utf8_view"],
  ["list", ["dictionary", "utf8", "int16"]],
  ["large_list", "utf8"],
  ["large_list", "large_utf8"],
];

/** Texts of all layouts and those of the other types. */
export const ALL_LAYOUTS: readonly TypeJson[] = [
  ...Object.values(LAYOUTS).flat(),
  ...TEXT_LIST_LAYOUTS,
];

function layoutsOf(type: TypeJson): readonly TypeJson[] {
  const isTexts = typeof type !== "string" && type[0] === "list" && type[1] === "utf8";
  return isTexts ? TEXT_LIST_LAYOUTS : LAYOUTS[nameOfType(type)] ?? [];
}

/** A random table of some batches; `prefix` goes before the names of its columns. */
export function randomTable(random: SeededRandom, numBatches: number, prefix = ""): CaseTable {
  const names = [...COLUMN_NAMES];
  const pickName = () => prefix + names.splice(random.below(names.length), 1)[0]!;
  const sizes = Array.from(
    { length: numBatches },
    () => random.pick([0, 1, 1, 2, 3, 5, 7, 8, 9, 9, 16, 17, random.pick([33, 64, 65, 130])]),
  );
  const numRows = sizes.reduce((sum, rows) => sum + rows, 0);
  const types: TypeJson[] = ["utf8", "int32"];
  // Types that SQL has too, at times.
  const isSimple = random.chance(0.3);
  for (let left = random.below(5); left > 0; left--) {
    types.push(isSimple ? random.pick(["utf8", "bool", "int64", "float64"]) : randomType(random));
  }
  const columns = types.map((type) => randomColumn(random, pickName(), type, numRows));
  return inBatches(random, columns, sizes);
}

/** A table of these columns in batches of so many rows. */
export function inBatches(
  random: SeededRandom,
  columns: readonly CaseColumn[],
  sizes: readonly number[],
): CaseTable {
  const batches = randomBatches(random, columns, sizes);
  // As a reader cuts them, or `slice`: what a batch holds lies behind the rows of the one before.
  return random.chance(0.4) ? { columns, batches: cutBatches(batches) } : { columns, batches };
}

/** A type of a column. */
export function randomType(random: SeededRandom): TypeJson {
  const total = COLUMN_TYPES.reduce((sum, [weight]) => sum + weight, 0);
  let at = random.below(total);
  for (const [weight, type] of COLUMN_TYPES) {
    if (at < weight) return type(random);
    at -= weight;
  }
  return "utf8";
}

/** A column of random values. */
export function randomColumn(
  random: SeededRandom,
  name: string,
  type: TypeJson,
  numRows: number,
): CaseColumn {
  const nullShare = random.pick([0, 0, 0.1, 0.5, 1]);
  const value = valuesOfType(random, type);
  return {
    name,
    type,
    values: Array.from({ length: numRows }, () => random.chance(nullShare) ? null : value()),
  };
}

/** Returns a generator of the values of a column. */
export function valuesOfType(random: SeededRandom, type: TypeJson): () => unknown {
  const arrow = typeOf(type);
  if (DataType.isUtf8(arrow)) {
    const sort = random.pick(TEXT_SORTS);
    // Rows of ASCII behind others, alone and in runs: kernels have other ways for them.
    const asciiShare = random.pick([0, 0.7, 0.7, 1]);
    const meanRun = random.pick([1, 3, 8]);
    let isAscii = random.chance(asciiShare);
    return () => {
      if (random.chance(1 / meanRun)) isAscii = random.chance(asciiShare);
      return isAscii ? asciiOf(sort(random)) : sort(random);
    };
  }
  if (DataType.isList(arrow) && DataType.isUtf8(arrow.valueType)) {
    const text = valuesOfType(random, "utf8");
    return () => Array.from({ length: random.below(4) }, () => random.chance(0.2) ? null : text());
  }
  if (DataType.isInt(arrow) && random.chance(0.5)) {
    return () => arrow.bitWidth === 64 ? BigInt(random.below(8)) : random.below(8);
  }
  if (DataType.isNull(arrow)) return () => null;
  if (DataType.isTimestamp(arrow) && arrow.timezone && random.chance(0.7)) {
    const perSecond = 1000n ** BigInt(arrow.unit);
    return () => {
      const second = random.chance(0.5)
        ? random.pick(CHANGES) + random.below(7_201) - 3_600
        : Math.floor((random.next() * 300 - 100) * 31_556_952);
      return BigInt.asIntN(64, BigInt(second) * perSecond + BigInt(random.below(2)));
    };
  }
  return () => {
    for (let tries = 0; tries < 50; tries++) {
      const value = randomValue(random, arrow);
      if (value !== null) return value;
    }
    return null;
  };
}

function asciiOf(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, "b");
}

function randomBatches(
  random: SeededRandom,
  columns: readonly CaseColumn[],
  sizes: readonly number[],
): CaseBatch[] {
  const isMixed = random.chance(0.5);
  const first = randomLayouts(random, columns);
  return sizes.map((rows) => ({
    rows,
    seed: random.chance(0.2) ? 0 : 1 + random.below(2 ** 30),
    layouts: isMixed ? randomLayouts(random, columns) : first,
  }));
}

/** Batches that are all cut out of columns of the same layouts. */
function cutBatches(batches: readonly CaseBatch[]): CaseBatch[] {
  const [first] = batches;
  return batches.map(({ rows }) => ({ ...first!, rows, isCut: true }));
}

function randomLayouts(
  random: SeededRandom,
  columns: readonly CaseColumn[],
): Record<string, TypeJson> {
  return Object.fromEntries(columns.flatMap(({ name, type }) => {
    const layouts = layoutsOf(type);
    return layouts.length === 0 || random.chance(0.4) ? [] : [[name, random.pick(layouts)]];
  }));
}
