/** Random joins of two tables: every kind, every type of key, every option. */

import { Float } from "apache-arrow";
import type { JoinHow } from "../../gpu/join_kind.ts";
import { col, printExpr } from "../../ops/expr/expr.ts";
import { TooLarge } from "../support/models/expr_model_types.ts";
import type { SeededRandom } from "../support/random/seeded_random.ts";
import { nameOfType, type TypeJson, typeOf } from "./case_types.ts";
import type { CaseColumn, CaseKey, CaseKeys, CaseTable, FuzzCase, JoinStep } from "./fuzz_case.ts";
import { keysOfType, losslessPartners, partnerTypes, sameKey } from "./join_keys.ts";
import { ModelKeyError, ModelNameError } from "./join_model.ts";
import { COLUMN_NAMES, inBatches, randomColumn, randomType } from "./random_table.ts";
import { modelTable } from "./model_table.ts";
import { modelStep } from "./step_model.ts";
import type { VariantName } from "./variants.ts";

/** Few names, which suffixes make of each other. */
const CLASHING_NAMES: readonly string[] = ["s", "t"].flatMap((name) => [
  name,
  ...["_right", "_right_right", "_2", "_2_2", " of the right"].map((suffix) => name + suffix),
]);

/** Types of keys on the left side, by the name of the draw. */
const KEY_TYPES: Readonly<Record<string, readonly TypeJson[]>> = {
  integers: ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"],
  "32-bit integers": ["int32", "uint32"],
  "64-bit integers": ["int64", "uint64"],
  floats: ["float16", "float32", "float64"],
  bools: ["bool"],
  text: ["utf8"],
  binary: ["binary"],
  "fixed binary": [["fixed", 1], ["fixed", 16], ["fixed", 17]],
  dates: ["date32", "date64"],
  timestamps: [["timestamp", "s"], ["timestamp", "ms"], ["timestamp", "us"], ["timestamp", "ns"]],
  "zoned timestamps": [["timestamp", "us", "UTC"], ["timestamp", "ms", "Europe/Berlin"]],
  times: [["time", "s"], ["time", "ms"], ["time", "us"], ["time", "ns"]],
  durations: [["duration", "s"], ["duration", "ns"]],
  decimals: [["decimal", 32], ["decimal", 64], ["decimal", 128], ["decimal", 256]],
  lists: [["list", "int32"], ["list", "utf8"], ["list", "float64"], ["fixed_list", 2, "int16"]],
  structs: [["struct", { a: "utf8", b: "int16" }], ["struct", { a: "float64" }]],
};

/** How the rows of a side are spread over its keys. */
const SPREADS = ["even", "skewed", "unique", "sorted"] as const;
const SIZES = {
  none: [0],
  one: [1],
  few: [2, 3, 5, 9],
  some: [16, 17, 33, 64],
  many: [130],
} as const;
const CUTS = ["whole", "few batches", "many batches", "batches without rows"] as const;
const PAYLOADS = [
  ...["utf8", "bool", "int32", "int64", "float64", "list", "struct", "binary", "decimal", "map"],
];

/** All that is to be drawn besides the kinds of joins. */
export const JOIN_DRAWS: readonly string[] = [
  ...Object.keys(KEY_TYPES).map((name) => `keys that are ${name}`),
  ...["1 key", "2 keys", "3 keys", "keys of different types", "lossless keys", "a null key"],
  ...["zeros of both signs", "NaN on both sides"],
  ...["a key by expression on the left", "a key by expression on the right"],
  ...[
    "nulls equal",
    "nulls not equal",
    "kept keys",
    "any order",
    "a suffix",
    "a clash",
    "a refused clash",
  ],
  ...["1:1", "1:m", "m:1", "m:m"].map((validate) => `valid ${validate}`),
  ...["1:1", "1:m", "m:1"].map((validate) => `invalid ${validate}`),
  ...["left", "right"].flatMap((side) => [
    ...SPREADS.map((spread) => `${spread} ${side}`),
    ...Object.keys(SIZES).map((size) => `${size} rows on the ${side}`),
    ...CUTS.map((cut) => `${cut} on the ${side}`),
  ]),
  ...["rows without a match", "rows with several matches", "no row comes out"],
  ...["keys in the layout of a dictionary", "dictionaries of their own in each batch"],
  ...["slices of the same buffers", "other bytes around the rows"],
  ...PAYLOADS.map((name) => `payload of ${name}`),
];

/** A random join, and what was drawn for it. */
interface JoinDraw {
  readonly given: FuzzCase;
  readonly step: JoinStep;
  readonly draws: readonly string[];
}

/** A join of one of the kinds that is worth running. */
export function drawJoin(
  random: SeededRandom,
  hows: readonly JoinHow[],
  variants: readonly VariantName[],
): JoinDraw {
  for (;;) {
    const draw = new Drawing(random, hows, variants).draw();
    if (draw !== undefined) return draw;
  }
}

/** A key of both sides before there are rows. */
interface KeyDraw {
  readonly left: TypeJson;
  readonly right: TypeJson;
  /** Keys as both sides have them; undefined where one has no such value. */
  readonly pool: readonly (readonly [left: unknown, right: unknown])[];
  readonly names: readonly [left: string, right: string];
}

class Drawing {
  readonly #random: SeededRandom;
  readonly #hows: readonly JoinHow[];
  readonly #variants: readonly VariantName[];
  readonly #draws = new Set<string>();
  #isLossless = false;

  constructor(
    random: SeededRandom,
    hows: readonly JoinHow[],
    variants: readonly VariantName[],
  ) {
    this.#random = random;
    this.#hows = hows;
    this.#variants = variants;
  }

  /** A join; undefined where it gives too many rows or columns of one name. */
  draw(): JoinDraw | undefined {
    const random = this.#random;
    const how = random.pick(this.#hows);
    this.#draws.add(`kind ${how}`);
    this.#isLossless = random.chance(0.15);
    const clashing = random.chance(0.25) ? CLASHING_NAMES : COLUMN_NAMES;
    const names = { left: [...clashing], right: [...clashing] };
    const numKeys = random.pick([1, 1, 1, 2, 3]);
    const keys = Array.from({ length: numKeys }, () => this.#key(numKeys, names));
    const table = this.#side("left", keys, names.left);
    const build = this.#side("right", keys, names.right);
    const step = this.#validated(table, this.#step(how, keys, build));
    if (how !== "cross") { for (const key of keys) this.#noteFloats(key, table, build); }
    if (how !== "cross") this.#draws.add(`${numKeys} ${numKeys === 1 ? "key" : "keys"}`);
    const given = { table, steps: [step], variants: this.#variants };
    if (!this.#isSuited(given, step)) return undefined;
    return { given, step, draws: [...this.#draws] };
  }

  #key(numKeys: number, names: { left: string[]; right: string[] }): KeyDraw {
    const random = this.#random;
    const name = random.pick(Object.keys(KEY_TYPES));
    const left = random.pick(KEY_TYPES[name]!);
    const partners = partnerTypes(typeOf(left));
    const lossless = this.#isLossless ? losslessPartners(typeOf(left)) : [];
    const right = lossless.length > 0 && random.chance(0.7)
      ? random.pick(lossless)
      : random.chance(0.6)
      ? left
      : random.pick(partners);
    this.#draws.add(`keys that are ${name}`);
    if (String(typeOf(left)) !== String(typeOf(right))) this.#draws.add("keys of different types");
    if (lossless.includes(right)) this.#draws.add("lossless keys");
    const [ofLeft, ofRight] = [keysOfType(random, left), keysOfType(random, right)];
    const pool = Array.from(
      { length: random.pick(numKeys > 1 ? [1, 2, 4] : [1, 3, 10, 70]) },
      () => {
        const value = random.chance(0.5) ? ofLeft() : ofRight();
        return [sameKey(value, left), sameKey(value, right)] as const;
      },
    );
    // Which the two sides rarely have by chance.
    if (name === "floats" && typeOf(right) instanceof Float && random.chance(0.5)) {
      pool.push([0, -0], [-0, 0], [NaN, NaN]);
    }
    const leftName = taken(random, names.left);
    const isSame = random.chance(0.5) && names.right.includes(leftName);
    if (isSame) names.right.splice(names.right.indexOf(leftName), 1);
    return { left, right, pool, names: [leftName, isSame ? leftName : taken(random, names.right)] };
  }

  /** One side: its keys, the number of each row, and what else travels. */
  #side(side: "left" | "right", keys: readonly KeyDraw[], names: string[]): CaseTable {
    const random = this.#random;
    const size = random.pick([
      "none",
      "one",
      ...Array(4).fill("few"),
      ...Array(6).fill("some"),
      "many",
    ]);
    let numRows: number = random.pick(SIZES[size as keyof typeof SIZES]);
    const spread = random.pick(SPREADS);
    const at = side === "left" ? 0 : 1;
    const nullShare = random.pick([0, 0, 0.1, 0.4, 1]);
    const places = Array.from({ length: numRows }, () => random.next());
    const columns = keys.map((key): CaseColumn => {
      const own = key.pool.map((pair) => pair[at]).filter((value) => value !== undefined);
      if (own.length === 0) own.push(null);
      const isUnique = spread === "unique" && keys.length === 1;
      const shuffled = own.toSorted(() => random.next() - 0.5);
      if (isUnique) numRows = Math.min(numRows, own.length);
      const values = Array.from({ length: numRows }, (_, row) => {
        if (random.chance(nullShare)) return null;
        if (isUnique) return shuffled[row];
        // Keys of one row go together, or several of them would seldom match.
        if (spread === "skewed" && random.chance(0.9)) return own[0];
        return random.chance(0.8) ? own[Math.floor(places[row]! * own.length)] : random.pick(own);
      });
      if (spread === "sorted") values.sort();
      if (values.includes(null)) this.#draws.add("a null key");
      return { name: key.names[at], type: key[side], values };
    });
    this.#draws.add(`${spread} ${side}`).add(`${size} rows on the ${side}`);
    const rows = Array.from({ length: numRows }, (_, row) => row);
    columns.push({ name: `${side} row`, type: "int32", values: rows });
    for (let left = random.pick([0, 1, 2, 4]); left > 0; left--) {
      const column = randomColumn(random, taken(random, names), randomType(random), numRows);
      this.#draws.add(`payload of ${nameOfType(column.type)}`);
      columns.push(column);
    }
    columns.sort(() => random.next() - 0.5);
    const table = inBatches(random, columns, this.#sizes(side, numRows));
    this.#noteLayouts(table, keys.map(({ names }) => names[at]));
    return table;
  }

  #sizes(side: string, numRows: number): number[] {
    const random = this.#random;
    const cut = random.pick(CUTS);
    this.#draws.add(`${cut} on the ${side}`);
    const sizes: number[] = [];
    const most = cut === "whole" ? numRows : cut === "many batches" ? 4 : 40;
    for (let left = numRows; left > 0;) {
      const rows = cut === "whole" ? left : Math.min(left, 1 + random.below(most));
      sizes.push(rows);
      left -= rows;
    }
    if (cut === "batches without rows" || sizes.length === 0) {
      sizes.splice(random.below(sizes.length + 1), 0, 0, 0);
    }
    return sizes;
  }

  #noteLayouts({ batches }: CaseTable, keys: readonly string[]): void {
    if (batches.some(({ isCut, rows }) => isCut && rows > 0)) {
      this.#draws.add("slices of the same buffers");
    }
    if (batches.some(({ seed }) => seed !== 0)) this.#draws.add("other bytes around the rows");
    const own = batches.filter(({ layouts = {} }) =>
      keys.some((name) =>
        Object.hasOwn(layouts, name) && nameOfType(layouts[name]!) === "dictionary"
      )
    );
    if (own.length > 0) this.#draws.add("keys in the layout of a dictionary");
    if (own.filter(({ isCut }) => !isCut).length > 1) {
      this.#draws.add("dictionaries of their own in each batch");
    }
  }

  /** Notes floats that are equal as keys and not as bits. */
  #noteFloats({ names }: KeyDraw, table: CaseTable, build: CaseTable): void {
    const values = ({ columns }: CaseTable, name: string) =>
      columns.find((column) => column.name === name)!.values;
    const [left, right] = [values(table, names[0]), values(build, names[1])];
    const has = (values: readonly unknown[], wanted: number) =>
      values.some((value) => Object.is(value, wanted));
    if ((has(left, -0) && has(right, 0)) || (has(left, 0) && has(right, -0))) {
      this.#draws.add("zeros of both signs");
    }
    if (has(left, NaN) && has(right, NaN)) this.#draws.add("NaN on both sides");
  }

  #step(how: JoinStep["how"], keys: readonly KeyDraw[], table: CaseTable): JoinStep {
    const random = this.#random;
    const nullsEqual = random.chance(0.4);
    this.#draws.add(nullsEqual ? "nulls equal" : "nulls not equal");
    const suffix = random.pick([undefined, undefined, " of the right", "_2"]);
    if (suffix !== undefined) this.#draws.add("a suffix");
    const keepKeys = random.chance(0.2);
    if (keepKeys) this.#draws.add("kept keys");
    const isAnyOrder = random.chance(0.15);
    if (isAnyOrder) this.#draws.add("any order");
    if (how === "cross") return { do: "join", table, on: [], how, ...(suffix ? { suffix } : {}) };
    return {
      do: "join",
      table,
      on: this.#on(keys),
      how,
      ...(nullsEqual || random.chance(0.2) ? { nullsEqual } : {}),
      ...(this.#isLossless ? { promote: "lossless" } : {}),
      ...(suffix === undefined ? {} : { suffix }),
      ...(keepKeys || random.chance(0.2) ? { keepKeys } : {}),
      ...(isAnyOrder ? { order: "none" } : {}),
    };
  }

  #on(keys: readonly KeyDraw[]): CaseKeys {
    const random = this.#random;
    const pairs = keys.map(({ names, left, right }): [CaseKey, CaseKey] => [
      left === "utf8" && random.chance(0.3) ? this.#expr("left", names[0]) : names[0],
      right === "utf8" && random.chance(0.3) ? this.#expr("right", names[1]) : names[1],
    ]);
    const hasNames = pairs.every((pair) => pair.every((side) => typeof side === "string"));
    if (hasNames && random.chance(0.6)) {
      const [first] = pairs;
      if (pairs.length === 1 && first![0] === first![1]) return first![0] as string;
      return Object.fromEntries(pairs);
    }
    return pairs.map(([left, right]) =>
      typeof left === "string" && left === right ? left : [left, right]
    );
  }

  #expr(side: string, name: string): CaseKey {
    this.#draws.add(`a key by expression on the ${side}`);
    const text = printExpr(col(name));
    return { expr: this.#random.pick([`${text}.left(3)`, `${text} + "!"`, `${text}.strip("a")`]) };
  }

  /** A join that says how often a key may come, at times wrongly. */
  #validated(table: CaseTable, step: JoinStep): JoinStep {
    const random = this.#random;
    if (step.how === "cross" || !random.chance(0.3)) return step;
    const validate = random.pick(["1:1", "1:m", "m:1", "m:m"] as const);
    try {
      modelStep(modelTable(table), { ...step, validate });
      this.#draws.add(`valid ${validate}`);
    } catch (error) {
      if (!(error instanceof ModelKeyError)) return step;
      if (random.chance(0.5)) return step;
      this.#draws.add(`invalid ${validate}`);
    }
    return { ...step, validate };
  }

  #isSuited({ table }: FuzzCase, { validate: _, ...step }: JoinStep): boolean {
    try {
      const { columns, numRows } = modelStep(modelTable(table), step);
      if (numRows === 0) this.#draws.add("no row comes out");
      if (columns.some(({ name }) => name.endsWith(step.suffix ?? "_right"))) {
        this.#draws.add("a clash");
      }
      const rows = columns.find(({ name }) => name === "left row")?.values ?? [];
      if (new Set(rows).size < rows.length) this.#draws.add("rows with several matches");
      if (rows.includes(null)) this.#draws.add("rows without a match");
      return true;
    } catch (error) {
      if (error instanceof TooLarge) return false;
      if (error instanceof ModelNameError) {
        this.#draws.add("a refused clash");
        return true;
      }
      throw error;
    }
  }
}

/** One of the names, which is then no more among them. */
function taken(random: SeededRandom, names: string[]): string {
  return names.splice(random.below(names.length), 1)[0]!;
}
