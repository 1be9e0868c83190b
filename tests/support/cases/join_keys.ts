/** The types of keys that joins are tried with, and values that a sloppy join takes for one another. */

import type { KeyType } from "../../../gpu/backend.ts";
import type { ColumnType, HostColumn } from "../../../gpu/column/column.ts";
import { sliceColumn } from "../../../gpu/column/slice.ts";
import { columnOfPlain, type Plain, randomText, surrounded } from "../models/column_model.ts";
import type { SeededRandom } from "../random/seeded_random.ts";

export const KEY_32: KeyType = { kind: "int", bits: 32 };
export const KEY_64: KeyType = { kind: "int", bits: 64 };
export const KEY_TEXT: KeyType = { kind: "string" };

/** The types of the keys of a join, and how their values are drawn. */
export interface KeyCase {
  readonly name: string;
  readonly keyType: KeyType;
  readonly build: ColumnType;
  readonly probe: ColumnType;
  readonly value: (random: SeededRandom) => Plain;
}

const STRING: ColumnType = { kind: "string" };

/** Integers that a sloppy comparison, hash or range takes for one another. */
const TRICKY = [0n, 1n, -1n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n, -(2n ** 53n), 2n ** 62n]
  .flatMap((value) => [value - 1n, value, value + 1n]);

export const KEY_CASES: readonly KeyCase[] = [
  ...intCases(KEY_32, [8, 16, 32], true, [8, 16, 32], true),
  ...intCases(KEY_32, [8, 16, 32], false, [8, 16, 32], false),
  ...intCases(KEY_32, [8, 16], false, [16, 32], true),
  ...intCases(KEY_64, [8, 16, 32, 64], true, [8, 32, 64], true),
  ...intCases(KEY_64, [8, 32, 64], false, [16, 32, 64], false),
  ...intCases(KEY_64, [16, 32], false, [32, 64], true),
  ...[3, 4, 8, 12, 30].map((size): KeyCase => ({
    name: `strings of up to ${size} characters`,
    keyType: KEY_TEXT,
    build: STRING,
    probe: STRING,
    value: (random) => keyText(random, size),
  })),
  {
    name: "short strings, probed with longer ones and ones that end in zero bytes",
    keyType: KEY_TEXT,
    build: STRING,
    probe: STRING,
    value: (random) => random.pick(["", "a", "ab", "abc", "abcd", "abcde", "a\0", "a\0\0", "\0"]),
  },
];

/** Draws keys from a pool: none, few or many, with nulls, at times nearly all the same. */
export function randomKeys(random: SeededRandom, pool: readonly Plain[]): Plain[] {
  const nulls = random.pick([0, 0.2]);
  const skew = random.pick([0, 0, 0.9]);
  const distinct = random.chance(0.3);
  const keys = distinct ? [...new Set(pool)] : Array.from(
    { length: random.pick([0, 1, random.below(100)]) },
    () => random.chance(skew) ? pool[0]! : random.pick(pool),
  );
  return keys.map((key) => random.chance(nulls) ? null : key);
}

/** A column of keys; half of them are cut out of longer ones. */
export function keyColumn(
  random: SeededRandom,
  type: ColumnType,
  keys: readonly Plain[],
): HostColumn {
  const column = columnOfPlain(type, keys.map((key) => wrapped(type, key)));
  return random.chance(0.5) ? column : surrounded(random, column, sliceColumn);
}

/** An integer as its type can hold it. */
function wrapped(type: ColumnType, key: Plain): Plain {
  if (type.kind !== "int" || typeof key !== "bigint") return key;
  return type.signed ? BigInt.asIntN(type.bits, key) : BigInt.asUintN(type.bits, key);
}

function intCases(
  keyType: KeyType,
  buildBits: readonly (8 | 16 | 32 | 64)[],
  buildSigned: boolean,
  probeBits: readonly (8 | 16 | 32 | 64)[],
  probeSigned: boolean,
): KeyCase[] {
  return buildBits.flatMap((bits, at) => {
    const build = { kind: "int", bits, signed: buildSigned } as const;
    const probe = {
      kind: "int",
      bits: probeBits[at % probeBits.length]!,
      signed: probeSigned,
    } as const;
    const bases = [0n, 100n, 2n ** 31n, 2n ** 32n - 8n, 2n ** 63n - 8n];
    const title = (type: ColumnType & { kind: "int" }) =>
      `${type.signed ? "" : "u"}int${type.bits}`;
    const common = { keyType, build, probe };
    return [
      {
        ...common,
        name: `${title(build)} and ${title(probe)} far apart`,
        value: (random: SeededRandom) => random.pick(TRICKY),
      },
      {
        ...common,
        name: `${title(build)} and ${title(probe)} close together`,
        value: (random: SeededRandom) => random.pick(bases.slice(0, 1)) + BigInt(random.below(50)),
      },
      ...bases.map((base) => ({
        ...common,
        name: `${title(build)} and ${title(probe)} from ${base} on`,
        value: (random: SeededRandom) => base + BigInt(random.below(20)),
      })),
    ];
  });
}

/** Text of at most `size` bytes with a shared beginning, or of any kind. */
function keyText(random: SeededRandom, size: number): string {
  if (size > 12 && random.chance(0.3)) return randomText(random);
  const text = random.pick(["", "shared prefix of text ", "𝄞→é"]) + random.below(30);
  const bytes = new TextEncoder().encode(text).slice(random.below(4));
  return new TextDecoder().decode(bytes.slice(0, size)).replaceAll("\ufffd", "");
}
