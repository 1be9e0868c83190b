/**
 * Tracks which dictionaries must be written before a batch, by comparing values in place.
 *
 * @module
 */

import {
  type Data,
  DataType,
  type Dictionary,
  type RecordBatch,
  type Schema,
  type Vector,
} from "apache-arrow";
import { layoutOf, valueBytes } from "../../data/layout.ts";
import type { ArrowFormat } from "../../data/message.ts";

/** A dictionary, or a delta to append to it. */
interface DictionaryUpdate {
  readonly id: number;
  readonly values: Vector;
  readonly isDelta: boolean;
}

/**
 * Remembers the dictionaries written so far. They are identified by their position in the numbered
 * schema; the ids in batches are ignored, since they may differ from batch to batch.
 */
export class DictionaryTracker {
  readonly #schema: Schema;
  readonly #format: ArrowFormat;
  readonly #written = new Map<number, Vector>();

  constructor(schema: Schema, format: ArrowFormat) {
    this.#schema = schema;
    this.#format = format;
  }

  /** Returns the dictionaries that must be written before a batch, inner ones first. */
  updates(batch: RecordBatch): DictionaryUpdate[] {
    const updates: DictionaryUpdate[] = [];
    for (const [index, field] of this.#schema.fields.entries()) {
      this.#visit(field.type, batch.data.children[index]!, field.name, updates);
    }
    return updates;
  }

  #visit(type: DataType, data: Data, name: string, updates: DictionaryUpdate[]): void {
    if (!DataType.isDictionary(type)) {
      for (const [index, child] of (type.children ?? []).entries()) {
        const nested = data.children[index];
        if (nested !== undefined) this.#visit(child.type, nested, name, updates);
      }
      return;
    }
    const values = data.dictionary as Vector;
    for (const chunk of values.data) this.#visit(type.dictionary, chunk, name, updates);
    const update = this.#update(type, values, name);
    if (update === undefined) return;
    updates.push(update);
    this.#written.set(type.id, values);
  }

  #update({ id }: Dictionary, values: Vector, name: string): DictionaryUpdate | undefined {
    const written = this.#written.get(id);
    if (written === undefined) return { id, values, isDelta: false };
    if (written === values || isPrefixOf(values, written)) return undefined;
    if (isPrefixOf(written, values)) {
      return { id, values: values.slice(written.length), isDelta: true };
    }
    if (this.#format === "file") {
      throw new TypeError(
        `column ${name} changes its dictionary between batches, which an Arrow file cannot hold; ` +
          `write the stream format (.arrows)`,
      );
    }
    return { id, values, isDelta: false };
  }
}

/**
 * Whether `left` is a prefix of `right`, bit for bit: null is not the text "null", and -0 is not 0.
 */
function isPrefixOf(left: Vector, right: Vector): boolean {
  if (left.length > right.length) return false;
  let rest = left.length;
  for (const [a, b] = [cursor(left), cursor(right)]; rest > 0; rest--) {
    if (!sameValue(...a(), ...b())) return false;
  }
  return true;
}

type Place = [data: Data, row: number];

/** Returns a function that returns the position of the vector's next value at each call. */
function cursor({ data: chunks }: Vector): () => Place {
  let chunk = 0;
  let row = 0;
  return () => {
    while (row === chunks[chunk]!.length) [chunk, row] = [chunk + 1, 0];
    return [chunks[chunk]!, row++];
  };
}

/** Whether two values of the same type are equal, bit for bit. */
function sameValue(left: Data, row: number, right: Data, other: number): boolean {
  const layout = layoutOf(left.type);
  if (layout === "null") return true;
  if (layout === "sparse_union" || layout === "dense_union") {
    return sameUnion(left, row, right, other);
  }
  const isValid = left.getValid(row);
  if (isValid !== right.getValid(other)) return false;
  if (!isValid) return true;
  switch (layout) {
    case "bits":
      return bitAt(left, row) === bitAt(right, other);
    case "values": {
      const width = valueBytes(left.type);
      return sameBytes(bytesIn(left, row, width), bytesIn(right, other, width));
    }
    case "bytes32":
    case "bytes64":
      return sameBytes(textBytes(left, row), textBytes(right, other));
    case "view":
      return sameBytes(viewBytes(left, row), viewBytes(right, other));
    case "list32":
    case "list64":
      return sameItems(left, itemRange(left, row), right, itemRange(right, other));
    case "fixed_list": {
      const { listSize } = left.type as unknown as { listSize: number };
      const range = (at: number): Range => [at * listSize, (at + 1) * listSize];
      return sameItems(left, range(row), right, range(other));
    }
    case "struct":
      return left.children.every((child, i) => sameValue(child, row, right.children[i]!, other));
    case "dictionary":
      return sameValue(...valueIn(left, row), ...valueIn(right, other));
  }
}

type Range = readonly [start: number, stop: number];

function sameItems(left: Data, [start, stop]: Range, right: Data, [from, to]: Range): boolean {
  if (stop - start !== to - from) return false;
  for (let i = 0; i < stop - start; i++) {
    if (!sameValue(left.children[0]!, start + i, right.children[0]!, from + i)) return false;
  }
  return true;
}

function sameUnion(left: Data, row: number, right: Data, other: number): boolean {
  const id = left.typeIds[row]!;
  if (id !== right.typeIds[other]) return false;
  const { typeIdToChildIndex } = left.type as DataType & {
    readonly typeIdToChildIndex: Readonly<Record<number, number>>;
  };
  const child = typeIdToChildIndex[id]!;
  const place = ({ children, valueOffsets }: Data, at: number): Place => [
    children[child]!,
    valueOffsets === undefined ? at : Number(valueOffsets[at]),
  ];
  return sameValue(...place(left, row), ...place(right, other));
}

function bitAt({ values, offset }: Data, row: number): number {
  const bit = offset + row;
  return (values[bit >> 3] >> (bit & 7)) & 1;
}

function bytesIn({ values }: Data, row: number, width: number): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset + row * width, width);
}

function itemRange({ valueOffsets }: Data, row: number): Range {
  return [Number(valueOffsets[row]), Number(valueOffsets[row + 1])];
}

function textBytes(data: Data, row: number): Uint8Array {
  return (data.values as Uint8Array).subarray(...itemRange(data, row));
}

function viewBytes({ values, variadicBuffers }: Data, row: number): Uint8Array {
  const view = new DataView(values.buffer, values.byteOffset + 16 * row, 16);
  const length = view.getInt32(0, true);
  if (length <= 12) return new Uint8Array(view.buffer, view.byteOffset + 4, length);
  const start = view.getInt32(12, true);
  return variadicBuffers[view.getInt32(8, true)]!.subarray(start, start + length);
}

/** Returns the position of a row's value in the dictionary. */
function valueIn({ values, dictionary }: Data, row: number): Place {
  let index = Number(values[row]);
  for (const chunk of dictionary!.data) {
    if (index < chunk.length) return [chunk, index];
    index -= chunk.length;
  }
  throw new RangeError(`The dictionary has no value ${values[row]}`);
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}
