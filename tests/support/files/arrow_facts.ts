/**
 * The facts that Arrow files and streams state, by the places of their bytes, found by reading the
 * flatbuffers by the rules of their format and not by the reader under test.
 *
 * Fields are numbered as in Message.fbs, Schema.fbs and File.fbs of the Arrow format.
 */

import { messagesIn } from "./arrow_messages.ts";

/** A number in a file, little-endian. */
interface Fact {
  /** Its meaning, such as `row count of a batch`. */
  readonly kind: string;
  readonly at: number;
  readonly bytes: 1 | 2 | 4 | 8;
}

/** A table of a flatbuffer. */
class Table {
  readonly #view: DataView;
  readonly #at: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  static root(view: DataView, at: number): Table {
    return new Table(view, at + view.getUint32(at, true));
  }

  /** The place of a field; undefined where it has its default. */
  place(field: number): number | undefined {
    const vtable = this.#at - this.#view.getInt32(this.#at, true);
    const entry = 4 + 2 * field;
    if (entry >= this.#view.getUint16(vtable, true)) return undefined;
    const offset = this.#view.getUint16(vtable + entry, true);
    return offset === 0 ? undefined : this.#at + offset;
  }

  table(field: number): Table | undefined {
    const place = this.place(field);
    return place === undefined ? undefined : Table.root(this.#view, place);
  }

  /** The first element of a vector, and their number. */
  vector(field: number): { readonly start: number; readonly length: number } {
    const place = this.place(field);
    if (place === undefined) return { start: 0, length: 0 };
    const start = place + this.#view.getUint32(place, true);
    return { start: start + 4, length: this.#view.getUint32(start, true) };
  }
}

/** The kinds of facts, as `arrowFacts` calls them. */
export const factKinds = [
  "length of a description",
  "length of a body",
  "version",
  "rows of a batch",
  "rows of a column",
  "nulls of a column",
  "place of a buffer",
  "length of a buffer",
  "method of compression",
  "data buffers of views",
  "id of a dictionary",
  "length of a compressed buffer",
  "length of the footer",
  "place of a block",
  "description of a block",
  "body of a block",
] as const;

/** All facts of a file or a stream but those of its schema. */
export function arrowFacts(bytes: Uint8Array): Fact[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isFile = new TextDecoder().decode(bytes.subarray(0, 6)) === "ARROW1";
  const messages = messagesIn(bytes)
    .filter(({ message }) => !message.isSchema())
    .flatMap(({ start, body }) => factsOfMessage(view, start, body));
  return isFile ? [...messages, ...factsOfFooter(view)] : messages;
}

function factsOfMessage(view: DataView, start: number, body: number): Fact[] {
  const facts: Fact[] = [{ kind: "length of a description", at: start + 4, bytes: 4 }];
  const add = (kind: typeof factKinds[number], at: number | undefined, bytes: Fact["bytes"]) => {
    if (at !== undefined) facts.push({ kind, at, bytes });
  };
  const message = Table.root(view, start + 8);
  add("version", message.place(0), 2);
  add("length of a body", message.place(3), 8);
  const header = message.table(2)!;
  const isDictionary = view.getUint8(message.place(1)!) === 2;
  const batch = isDictionary ? header.table(1)! : header;
  if (isDictionary) {
    add("id of a dictionary", header.place(0), 8);
  }
  add("rows of a batch", batch.place(0), 8);
  const nodes = batch.vector(1);
  for (let node = 0; node < nodes.length; node++) {
    add("rows of a column", nodes.start + 16 * node, 8);
    add("nulls of a column", nodes.start + 16 * node + 8, 8);
  }
  const compression = batch.table(3);
  if (compression !== undefined) add("method of compression", compression.place(0), 1);
  const buffers = batch.vector(2);
  for (let buffer = 0; buffer < buffers.length; buffer++) {
    const at = buffers.start + 16 * buffer;
    add("place of a buffer", at, 8);
    add("length of a buffer", at + 8, 8);
    const isFilled = view.getBigInt64(at + 8, true) > 0n;
    if (compression !== undefined && isFilled) {
      add("length of a compressed buffer", body + Number(view.getBigInt64(at, true)), 8);
    }
  }
  const views = batch.vector(4);
  for (let column = 0; column < views.length; column++) {
    add("data buffers of views", views.start + 8 * column, 8);
  }
  return facts;
}

function factsOfFooter(view: DataView): Fact[] {
  const end = view.byteLength - 10;
  const footer = Table.root(view, end - view.getInt32(end, true));
  const facts: Fact[] = [{ kind: "length of the footer", at: end, bytes: 4 }];
  for (const field of [2, 3]) {
    const { start, length } = footer.vector(field);
    for (let block = 0; block < length; block++) {
      const at = start + 24 * block;
      facts.push({ kind: "place of a block", at, bytes: 8 });
      facts.push({ kind: "description of a block", at: at + 8, bytes: 4 });
      facts.push({ kind: "body of a block", at: at + 16, bytes: 8 });
    }
  }
  return facts;
}

/** The number of a fact. */
export function valueOfFact(bytes: Uint8Array, { at, bytes: width }: Fact): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (width) {
    case 1:
      return view.getUint8(at);
    case 2:
      return view.getInt16(at, true);
    case 4:
      return view.getInt32(at, true);
    case 8:
      return Number(view.getBigInt64(at, true));
  }
}

/** The same bytes with another number for a fact; undefined if it has no such number. */
export function withFact(
  bytes: Uint8Array<ArrayBuffer>,
  { at, bytes: width }: Fact,
  value: number,
): Uint8Array<ArrayBuffer> {
  const other = bytes.slice();
  const view = new DataView(other.buffer);
  if (width === 1) view.setUint8(at, value);
  else if (width === 2) view.setInt16(at, value, true);
  else if (width === 4) view.setInt32(at, value, true);
  else view.setBigInt64(at, BigInt(Math.trunc(value)), true);
  return other;
}
