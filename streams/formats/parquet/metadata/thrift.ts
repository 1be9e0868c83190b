/**
 * The compact protocol of Thrift, which encodes the metadata of Parquet. Structs are plain objects,
 * read and written by a description of their fields. The reader skips fields that are unknown or of
 * an unexpected type.
 *
 * Protocol: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 *
 * @module
 */

/** The type of a field. An i64 is a number, limited to safe integers. */
type FieldType = "bool" | "i8" | "i16" | "i32" | "i64" | "binary" | ListType | StructType;

/** A list of values of one type. */
interface ListType {
  readonly items: FieldType;
  /** Whether the list is decoded at its first use; the reader first skips its bytes. */
  readonly isLate?: boolean;
}

/** The fields of a struct: for each name its id and its type. */
export interface StructType {
  readonly fields: Readonly<Record<string, readonly [number, FieldType]>>;
}

/** The JavaScript type of a value. Fields of structs may be absent. */
export type ValueOf<T> = T extends "bool" ? boolean
  : T extends "i8" | "i16" | "i32" | "i64" ? number
  : T extends "binary" ? Uint8Array
  : T extends { readonly items: infer Items } ? ValueOf<Items>[]
  : T extends { readonly fields: infer Fields } ? {
      -readonly [Name in keyof Fields]?:
        | (Fields[Name] extends readonly [number, infer Type] ? ValueOf<Type> : never)
        | undefined;
    }
  : never;

/** Describes a struct. */
export function struct<const T extends StructType["fields"]>(fields: T): { readonly fields: T } {
  return { fields };
}

/** Describes a list. */
export function listOf<const T extends FieldType>(items: T): { readonly items: T } {
  return { items };
}

/** Returns the error for a footer whose bytes cannot be decoded; other errors unchanged. */
export function brokenFooter(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  return new TypeError(`is corrupt: its footer cannot be decoded: ${error.message}`);
}

/** Describes a list that is decoded at its first use. */
export function lateListOf<const T extends FieldType>(
  items: T,
): { readonly items: T; readonly isLate: true } {
  return { items, isLate: true };
}

/**
 * Passes a field of a struct through `use` before anyone reads it: immediately, or at its first
 * read if it is decoded late.
 */
export function whenRead<T, K extends keyof T>(value: T, name: K, use: (item: () => T[K]) => T[K]) {
  const get = Object.getOwnPropertyDescriptor(value, name)?.get as (() => T[K]) | undefined;
  if (get === undefined) value[name] = use(() => value[name]);
  else defineLate(value, name, () => use(get));
}

/** Defines a property that is computed once. */
function defineLate<T>(value: T, name: keyof T, compute: () => unknown): void {
  const describe = (own: PropertyDescriptor) =>
    Object.defineProperty(value, name, { ...own, enumerable: true, configurable: true });
  const settle = (item: unknown) => describe({ value: item, writable: true });
  describe({
    get() {
      const item = compute();
      settle(item);
      return item;
    },
    set: settle,
  });
}

/** Reads the struct at the start of the bytes. Throws a RangeError if they end too early. */
export function readThrift<T extends StructType>(
  bytes: Uint8Array,
  type: T,
): { value: ValueOf<T>; numBytes: number } {
  const reader = new CompactReader(bytes);
  const value = reader.struct(type) as ValueOf<T>;
  return { value, numBytes: reader.position };
}

/** Encodes a struct. */
export function writeThrift<T extends StructType>(value: ValueOf<T>, type: T): Uint8Array {
  const writer = new CompactWriter();
  writer.struct(value as Fields, type);
  return writer.bytes();
}

type Fields = Record<string, unknown>;

/** The numbers of types in the protocol. */
const wire = {
  true: 1,
  false: 2,
  i8: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
} as const;

/** Structs and lists nested deeper than this are rejected. */
const maxDepth = 64;

class CompactReader {
  position = 0;
  readonly #bytes: Uint8Array;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  struct(type: StructType): Fields {
    const byNumber = fieldsByNumber(type);
    const value: Fields = {};
    if (++this.#depth > maxDepth) throw new RangeError("it is nested too deeply");
    let number = 0;
    for (let header = this.#byte(); header !== 0; header = this.#byte()) {
      number = header >> 4 === 0 ? this.#integer() : number + (header >> 4);
      const own = header & 15;
      const field = byNumber.get(number);
      if (field === undefined || !this.#isNext(own, field.type)) this.#skip(own);
      else if (isLate(field.type)) this.#pass(own, field.type, value, field.name);
      else value[field.name] = this.#value(own, field.type);
    }
    this.#depth--;
    return value;
  }

  /** Skips a value, to decode it at its first use. */
  #pass(own: number, type: FieldType, value: Fields, name: string): void {
    const { position } = this;
    this.#skip(own);
    const bytes = this.#bytes.subarray(position, this.position);
    defineLate(value, name, () => new CompactReader(bytes).#value(own, type));
  }

  #value(own: number, type: FieldType): unknown {
    if (type === "bool") return own === wire.true;
    if (type === "binary") return this.#binary();
    if (type === "i8") return this.#byte() << 24 >> 24;
    if (typeof type === "string") return this.#integer();
    if ("fields" in type) return this.struct(type);
    const { items } = type;
    const { count, own: ownItem } = this.#listHeader();
    return Array.from({ length: count }, () => this.#item(ownItem, items));
  }

  /** Whether a value of a type comes next, including the type of the items of a list. */
  #isNext(own: number, type: FieldType): boolean {
    if (!isOfType(own, type)) return false;
    if (typeof type === "string" || "fields" in type) return true;
    const { position } = this;
    const { count, own: ownItem } = this.#listHeader();
    this.position = position;
    return count === 0 || isOfType(ownItem, type.items);
  }

  #item(own: number, type: FieldType): unknown {
    return type === "bool" ? this.#byte() === wire.true : this.#value(own, type);
  }

  #listHeader(): { count: number; own: number } {
    const header = this.#byte();
    const count = header >> 4 === 15 ? this.#varint() : header >> 4;
    // Every item takes at least one byte.
    if (count > this.#bytes.length - this.position) {
      throw new RangeError(`a list claims ${count} entries`);
    }
    return { count, own: header & 15 };
  }

  #skip(own: number): void {
    switch (own) {
      case wire.true:
      case wire.false:
        return;
      case wire.i8:
        return this.#move(1);
      case wire.i16:
      case wire.i32:
      case wire.i64:
        return this.#skipInteger();
      case wire.double:
        return this.#move(8);
      case wire.binary:
        return this.#move(this.#varint());
      case wire.list:
      case wire.set: {
        const { count, own } = this.#listHeader();
        for (let i = 0; i < count; i++) this.#skipItem(own);
        return;
      }
      case wire.map: {
        const count = this.#varint();
        const types = count === 0 ? 0 : this.#byte();
        if (count > this.#bytes.length) throw new RangeError(`a map claims ${count} entries`);
        for (let i = 0; i < count; i++) {
          this.#skipItem(types >> 4);
          this.#skipItem(types & 15);
        }
        return;
      }
      case wire.struct:
        return this.#skipStruct();
      default:
        throw new RangeError(`a field has the unknown type ${own}`);
    }
  }

  #skipStruct(): void {
    if (++this.#depth > maxDepth) throw new RangeError("it is nested too deeply");
    for (let header = this.#byte(); header !== 0; header = this.#byte()) {
      if (header >> 4 === 0) this.#skipInteger();
      this.#skip(header & 15);
    }
    this.#depth--;
  }

  #skipInteger(): void {
    while (this.#byte() >= 128);
  }

  #skipItem(own: number): void {
    if (own === wire.true || own === wire.false) this.#move(1);
    else if (++this.#depth > maxDepth) throw new RangeError("it is nested too deeply");
    else {
      this.#skip(own);
      this.#depth--;
    }
  }

  #move(numBytes: number): void {
    if (numBytes > this.#bytes.length - this.position) throw new RangeError("it ends too early");
    this.position += numBytes;
  }

  #byte(): number {
    const byte = this.#bytes[this.position];
    if (byte === undefined) this.#move(1);
    this.position++;
    return byte!;
  }

  #binary(): Uint8Array {
    const length = this.#varint();
    this.#move(length);
    return this.#bytes.subarray(this.position - length, this.position);
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1;; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      if (scale > 2 ** 63) throw new RangeError("a number has too many digits");
    }
  }

  /** Returns a zigzag-encoded integer: the lowest bit is the sign. */
  #integer(): number {
    const value = this.#varint();
    const half = Math.floor(value / 2);
    const integer = value % 2 === 0 ? half : -half - 1;
    if (value > Number.MAX_SAFE_INTEGER) throw new RangeError("a number is too large");
    return integer;
  }
}

class CompactWriter {
  #bytes = new Uint8Array(1 << 12);
  #length = 0;

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  struct(value: Fields, { fields }: StructType): void {
    let last = 0;
    const inOrder = Object.entries(fields).sort(([, [left]], [, [right]]) => left - right);
    for (const [name, [number, type]] of inOrder) {
      const item = value[name];
      if (item === undefined) continue;
      const own = type === "bool" ? (item === true ? wire.true : wire.false) : wireType(type);
      const step = number - last;
      if (step <= 15) this.#byte(step << 4 | own);
      else {
        this.#byte(own);
        this.#integer(number);
      }
      if (type !== "bool") this.#value(item, type);
      last = number;
    }
    this.#byte(0);
  }

  #value(value: unknown, type: FieldType): void {
    if (type === "bool") return this.#byte(value === true ? wire.true : wire.false);
    if (type === "binary") return this.#binary(value as Uint8Array);
    if (type === "i8") return this.#byte((value as number) & 255);
    if (typeof type === "string") return this.#integer(value as number);
    if ("fields" in type) return this.struct(value as Fields, type);
    const items = value as readonly unknown[];
    const short = items.length < 15;
    this.#byte((short ? items.length : 15) << 4 | wireType(type.items));
    if (!short) this.#varint(items.length);
    for (const item of items) this.#value(item, type.items);
  }

  #integer(value: number): void {
    this.#varint(value >= 0 ? 2 * value : -2 * value - 1);
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#byte(rest % 128 | 128);
    this.#byte(rest);
  }

  #binary(bytes: Uint8Array): void {
    this.#varint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  #reserve(numBytes: number): void {
    const needed = this.#length + numBytes;
    if (needed <= this.#bytes.length) return;
    const longer = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    longer.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = longer;
  }
}

function wireType(type: FieldType): number {
  if (typeof type !== "string") return "fields" in type ? wire.struct : wire.list;
  return type === "bool" ? wire.true : wire[type];
}

/** Whether a type of the protocol matches the description. */
function isOfType(own: number, type: FieldType): boolean {
  if (type === "bool") return own === wire.true || own === wire.false;
  // Writers disagree on the width of integers, which does not affect their encoding.
  const isInteger = own === wire.i16 || own === wire.i32 || own === wire.i64;
  if (type === "i16" || type === "i32" || type === "i64") return isInteger;
  return own === wireType(type) || own === wire.set && typeof type !== "string" && "items" in type;
}

function isLate(type: FieldType): boolean {
  return typeof type !== "string" && "isLate" in type && type.isLate === true;
}

const numbered = new WeakMap<StructType, Map<number, { name: string; type: FieldType }>>();

function fieldsByNumber(type: StructType): Map<number, { name: string; type: FieldType }> {
  let byNumber = numbered.get(type);
  if (byNumber === undefined) {
    byNumber = new Map(
      Object.entries(type.fields).map(([name, [number, type]]) => [number, { name, type }]),
    );
    numbered.set(type, byNumber);
  }
  return byNumber;
}
