/**
 * A `View` on bytes that are known at compile time.
 *
 * @module
 */

import { decimalOfText, narrowDecimalOfText } from "./host_text.ts";
import type { View } from "../language/row_function.ts";

/** A view of bytes that are known at compile time; `View` describes its methods. */
export class ConstantView implements View {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get size(): number {
    return this.bytes.length;
  }

  get length(): number {
    return this.bytes.reduce((count, byte) => count + ((byte & 0xc0) === 0x80 ? 0 : 1), 0);
  }

  byteAt(position: number): number {
    return this.bytes[position] ?? 0;
  }

  fourDigits(start: number, behind: number): number {
    const end = this.size - Math.max(behind, 0);
    const byteOf = (at: number) => at < Math.max(start, 0) ? 0x30 : this.byteAt(at);
    return [4, 3, 2, 1].reduce((word, behind, k) => word | (byteOf(end - behind) << (8 * k)), 0);
  }

  charAt(position: number): number {
    const lead = this.byteAt(position);
    const rest = (index: number) => this.byteAt(position + index) & 0x3f;
    if (lead < 0x80) return lead;
    if (lead < 0xc0) return 0xfffd;
    if (lead < 0xe0) return ((lead & 0x1f) << 6) | rest(1);
    if (lead < 0xf0) return ((lead & 0x0f) << 12) | (rest(1) << 6) | rest(2);
    return ((lead & 0x07) << 18) | (rest(1) << 12) | (rest(2) << 6) | rest(3);
  }

  next(position: number): number {
    if (position < 0) return 0;
    if (position >= this.size) return this.size;
    return Math.min(position + this.#sizeAt(position), this.size);
  }

  prev(position: number): number {
    let at = Math.max(Math.min(position, this.size) - 1, 0);
    while (at > 0 && (this.byteAt(at) & 0xc0) === 0x80) at--;
    return at;
  }

  advance(position: number, count: number): number {
    let at = Math.max(Math.min(position, this.size), 0);
    for (let left = count; left > 0 && at < this.size; left--) at += this.#sizeAt(at);
    for (let left = count; left < 0 && at > 0; left++) at = this.prev(at);
    return Math.min(at, this.size);
  }

  sub(start: number, stop: number): ConstantView {
    const low = Math.max(Math.min(start, this.size), 0);
    return new ConstantView(this.bytes.slice(low, Math.max(Math.min(stop, this.size), low)));
  }

  toFloat(): number {
    return decimalOfText(new TextDecoder().decode(this.bytes));
  }

  toNarrowFloat(bits: number): number {
    return narrowDecimalOfText(new TextDecoder().decode(this.bytes), bits);
  }

  find(needle: ConstantView, from: number): number {
    for (let at = Math.max(from, 0); at <= this.size - needle.size; at++) {
      if (this.#matches(needle, at)) return at;
    }
    return -1;
  }

  rfind(needle: ConstantView): number {
    let at = this.size - needle.size;
    while (at >= 0 && !this.#matches(needle, at)) at--;
    return Math.max(at, -1);
  }

  equals(other: ConstantView): boolean {
    return this.compare(other) === 0;
  }

  compare(other: ConstantView): number {
    const both = Math.min(this.size, other.size);
    for (let i = 0; i < both; i++) {
      if (this.byteAt(i) !== other.byteAt(i)) return this.byteAt(i) < other.byteAt(i) ? -1 : 1;
    }
    return Math.sign(this.size - other.size);
  }

  has(char: number): boolean {
    for (let at = 0; at < this.size; at = this.next(at)) {
      if (this.charAt(at) === char) return true;
    }
    return false;
  }

  #sizeAt(position: number): number {
    const lead = this.byteAt(position);
    return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  }

  #matches(needle: ConstantView, at: number): boolean {
    return needle.bytes.every((byte, index) => this.bytes[at + index] === byte);
  }
}
