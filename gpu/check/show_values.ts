/**
 * Formats values that differ, for people.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import {
  bytesOf,
  type Cell,
  firstOtherByte,
  firstOtherField,
  firstOtherItem,
  isValid,
  itemsOf,
} from "./first_difference.ts";

/** The bytes shown of a long value, and how many of them precede the first difference. */
const SHOWN_BYTES = 60;
const BYTES_BEFORE = 20;

/**
 * Formats two values that differ. It cuts long ones to the first difference, shows only the first
 * part of a list or struct that differs, and adds the bytes where both would look the same.
 */
export function showValues(left: Cell, right: Cell): [left: string, right: string] {
  if (!isValid(left) || !isValid(right)) return [showAlone(left), showAlone(right)];
  const [[column], [other]] = [left, right];
  switch (column.type.kind) {
    case "list": {
      const [[start, stop], [otherStart, otherStop]] = [itemsOf(left), itemsOf(right)];
      if (stop - start !== otherStop - otherStart) return [showAlone(left), showAlone(right)];
      const at = firstOtherItem(left, right);
      const items: [Cell, Cell] = [
        [column.children[0]!, start + at],
        [other.children[0]!, otherStart + at],
      ];
      return inside(`item ${at}`, ...items);
    }
    case "struct": {
      const at = firstOtherField(left, right);
      const fields: [Cell, Cell] = [[column.children[at]!, left[1]], [
        other.children[at]!,
        right[1],
      ]];
      return inside(`field ${at}`, ...fields);
    }
    case "bool":
      return [showAlone(left), showAlone(right)];
    default: {
      const at = firstOtherByte(bytesOf(left), bytesOf(right));
      const texts = [left, right].map((cell) => showBytes(cell, at));
      const [one, two] = texts.map(({ text }) => text);
      if (one !== two) return [one!, two!];
      const [bytes, others] = texts.map(({ text, bytes }) => `${text} (0x${bytes.toHex()})`);
      return [bytes!, others!];
    }
  }
}

function inside(part: string, left: Cell, right: Cell): [string, string] {
  const [one, two] = showValues(left, right);
  return [`${part} ${one}`, `${part} ${two}`];
}

/** Formats a single value. */
export function showAlone(cell: Cell): string {
  if (!isValid(cell)) return "null";
  const [{ type, data, children }, row] = cell;
  switch (type.kind) {
    case "bool":
      return String(bitAt(data, row) === 1);
    case "list": {
      const [start, stop] = itemsOf(cell);
      return `a list of ${stop - start}`;
    }
    case "struct":
      return `{${children.map((child) => showAlone([child, row])).join(", ")}}`;
    default:
      return showBytes(cell, 0).text;
  }
}

/** Formats the bytes of a value around one of them; also returns the bytes shown. */
function showBytes(cell: Cell, around: number): { text: string; bytes: Uint8Array } {
  const all = bytesOf(cell);
  const [{ type }] = cell;
  const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
  switch (type.kind) {
    case "string": {
      const [start, stop] = windowOf(all, around);
      const bytes = all.subarray(start, stop);
      const text = JSON.stringify(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
      return { text: `${start > 0 ? "…" : ""}${text}${stop < all.length ? "…" : ""}`, bytes };
    }
    case "int":
      return { text: String(integerIn(view, type.signed)), bytes: all };
    case "float": {
      const number = type.bits === 64
        ? view.getFloat64(0, true)
        : type.bits === 32
        ? view.getFloat32(0, true)
        : view.getFloat16(0, true);
      return { text: Object.is(number, -0) ? "-0" : String(number), bytes: all };
    }
    default: {
      const bytes = all.subarray(Math.max(0, around - BYTES_BEFORE)).subarray(0, SHOWN_BYTES);
      return { text: `0x${bytes.toHex()}`, bytes };
    }
  }
}

/** Returns the range of a text to show, which begins and ends with whole characters. */
function windowOf(text: Uint8Array, around: number): [start: number, stop: number] {
  const isInside = (at: number) => at > 0 && at < text.length && (text[at]! & 0xc0) === 0x80;
  let start = Math.max(0, around - BYTES_BEFORE);
  let stop = Math.min(text.length, start + SHOWN_BYTES);
  // A character has at most three continuation bytes; invalid text may have any number.
  for (let more = 0; more < 3 && isInside(start); more++) start--;
  for (let more = 0; more < 3 && isInside(stop); more++) stop++;
  return [start, stop];
}

function integerIn(view: DataView, signed: boolean): bigint {
  let value = 0n;
  for (let at = view.byteLength - 1; at >= 0; at--) value = value << 8n | BigInt(view.getUint8(at));
  return signed ? BigInt.asIntN(8 * view.byteLength, value) : value;
}
