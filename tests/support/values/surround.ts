/**
 * Columns as they lie in real memory: in buffers with other bytes before, between and after the
 * rows. Whatever a test computes, it computes over such columns.
 */

import { byteWidth, type HostColumn, type Offsets } from "../../../gpu/column/column.ts";
import { isWide } from "../../../gpu/column/offsets.ts";
import { junkBytes, type JunkKind, placed } from "./junk_bytes.ts";
import { sideRandom } from "../random/seeded_random.ts";
import type { SeededRandom } from "../random/seeded_random.ts";

/** Places at which a buffer may begin, counted from a multiple of 16. */
export const NUM_PLACES = 16;

/** How a column is surrounded. */
export interface SurroundOptions {
  /** Where the choices come from. */
  readonly random?: SeededRandom;
  /** Where its bytes begin, from 0 to 15; values of one width, at the next multiple of 8. */
  readonly place?: number;
  /** The bytes of text below nulls: kernels for ASCII run only where these are ASCII, too. */
  readonly below?: JunkKind;
}

/**
 * The same rows in buffers of their own, with random bytes before the first row, below the nulls and
 * after the last row, and in unused bits of bitmaps. Offsets do not begin at 0; the
 * bytes below a null are not empty; those that are no row's are seldom UTF-8. Items of lists and
 * fields of structs are surrounded too, and null lists have items.
 */
export function surround(
  column: HostColumn,
  options: SurroundOptions = {},
): HostColumn {
  const { random = sideRandom(), place = random.below(NUM_PLACES) } = options;
  const { below = random.pick(["ascii", "any"] as const) } = options;
  const rows = Array.from({ length: column.length }, (_, row) => row);
  return rebuilt(column, rows, { random, place, below });
}

/** Stands for a row that nobody looks at, among the numbers of rows. */
const JUNK = -1;

/** The rows of these numbers, of which some are junk. */
function rebuilt(
  column: HostColumn,
  rows: readonly number[],
  around: Required<SurroundOptions>,
): HostColumn {
  const { type } = column;
  const { random, place } = around;
  const valid = rows.map((row) => row === JUNK ? random.chance(0.7) : isValid(column, row));
  const nullCount = valid.filter((isSet) => !isSet).length;
  // Values below nulls are not read either.
  const sources = rows.map((row, index) => valid[index] ? row : JUNK);
  const frame = {
    place: "host",
    type,
    length: rows.length,
    nullCount,
    validity: nullCount === 0 ? null : bitmapOf(random, valid, random.below(NUM_PLACES)),
    data: new Uint8Array(0),
    offsets: null,
    children: [],
  } as const;
  switch (type.kind) {
    case "bool": {
      const bits = sources.map((row) => row === JUNK ? random.chance(0.5) : bit(column.data, row));
      return { ...frame, data: bitmapOf(random, bits, place) };
    }
    case "string":
      return { ...frame, ...textOf(column, sources, around) };
    case "list":
      return { ...frame, ...itemsOf(column, sources, around) };
    case "struct":
      return {
        ...frame,
        children: column.children.map((child, index) =>
          rebuilt(child, sources, { ...around, place: (place + index) % NUM_PLACES })
        ),
      };
    default:
      return { ...frame, data: valuesOf(column, sources, random, place) };
  }
}

function isValid({ validity }: HostColumn, row: number): boolean {
  return validity === null || bit(validity, row);
}

function bit(bytes: Uint8Array, row: number): boolean {
  return ((bytes[row >> 3]! >> (row & 7)) & 1) === 1;
}

/** Bits, with random ones after them. */
function bitmapOf(random: SeededRandom, bits: readonly boolean[], place: number): Uint8Array {
  const bytes = junkBytes(random, (bits.length + 7) >> 3);
  bits.forEach((isSet, row) => {
    const mask = 1 << (row & 7);
    if (isSet) bytes[row >> 3]! |= mask;
    else bytes[row >> 3]! &= ~mask;
  });
  return placed(random, bytes, place);
}

/** Values of one width, which begin at a multiple of 8. */
function valuesOf(
  { type, data }: HostColumn,
  sources: readonly number[],
  random: SeededRandom,
  place: number,
): Uint8Array {
  const width = byteWidth(type);
  const values = junkBytes(random, width * sources.length);
  sources.forEach((row, index) => {
    if (row === JUNK) return;
    for (let i = 0; i < width; i++) values[index * width + i] = data[row * width + i]!;
  });
  return placed(random, values, place & 8);
}

function textOf(
  { offsets, data }: HostColumn,
  sources: readonly number[],
  { random, place, below }: Required<SurroundOptions>,
): Pick<HostColumn, "data" | "offsets"> {
  const own = data.subarray(offsets![0], offsets![offsets!.length - 1]);
  const texts = sources.map((row) =>
    row === JUNK
      ? junkBytes(random, 1 + random.below(9), below, own)
      : data.subarray(offsets![row], offsets![row + 1])
  );
  const before = junkBytes(random, random.below(24), "any", own);
  const behind = junkBytes(random, random.pick([0, random.below(40)]), "any", own);
  const bytes = concat([before, ...texts, behind]);
  return {
    data: placed(random, bytes, place),
    offsets: offsetsOf(random, texts.map(({ length }) => length), before.length, offsets!),
  };
}

function itemsOf(
  { offsets, children }: HostColumn,
  sources: readonly number[],
  around: Required<SurroundOptions>,
): Pick<HostColumn, "offsets" | "children"> {
  const { random } = around;
  const junk = (least: number) => Array.from({ length: least + random.below(4) }, () => JUNK);
  const lists = sources.map((row) => {
    if (row === JUNK) return junk(1);
    const first = offsets![row]!;
    return Array.from({ length: offsets![row + 1]! - first }, (_, item) => first + item);
  });
  const before = junk(0);
  const items = [before, ...lists, junk(0)].flat();
  return {
    offsets: offsetsOf(random, lists.map(({ length }) => length), before.length, offsets!),
    children: [rebuilt(children[0]!, items, around)],
  };
}

/** Offsets of rows of the given sizes, as wide as `like`, in an array with numbers around them. */
function offsetsOf(
  random: SeededRandom,
  sizes: readonly number[],
  first: number,
  like: Offsets,
): Offsets {
  const start = random.below(5);
  const length = start + sizes.length + 1 + random.below(5);
  const noise = () => random.below(2 ** 32) - 2 ** 31;
  const array = isWide(like)
    ? Float64Array.from({ length }, noise)
    : Int32Array.from({ length }, noise);
  array[start] = first;
  sizes.forEach((size, row) => array[start + row + 1] = array[start + row]! + size);
  return array.subarray(start, start + sizes.length + 1);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
