/**
 * Builds Arrow data from the buffers of a message. Validates lengths, offsets and views, so that
 * later code cannot read outside a buffer.
 *
 * @module
 */

import type { BufferCodec } from "./compression.ts";
import { BrokenPartError } from "../../../base/errors/data_error.ts";
import { type Data, type DataType, type Dictionary, makeData, type Vector } from "apache-arrow";
import { countBits } from "../../data/bits.ts";
import { checkIndices, checkUnion } from "./check_places.ts";
import { layoutOf, valueBytes } from "../../data/layout.ts";
import { checkViews, viewedBytes } from "../../data/views.ts";

/** A FieldNode of a record batch: one per column and nested column, depth first. */
interface ColumnNode {
  readonly length: number;
  readonly nullCount: number;
}

/** The nodes and buffers of a message, in the order in which its columns consume them. */
interface ColumnParts {
  readonly nodes: readonly ColumnNode[];
  readonly buffers: readonly Uint8Array<ArrayBuffer>[];
  /** The buffers, by index, for which `isRawFrame` holds, each with its codec. */
  readonly rawFrames: ReadonlyMap<number, BufferCodec>;
  /** Number of data buffers of each column of a view layout. */
  readonly viewBufferCounts: readonly number[];
  /** The dictionaries read so far, by id. */
  readonly dictionaries: ReadonlyMap<number, Vector>;
  /** Whether unions have a validity buffer, as before format version 5. */
  readonly unionsHaveValidity: boolean;
}

/** The nulls of a column. */
interface Nulls {
  readonly nullBitmap: Uint8Array | undefined;
  readonly nullCount: number;
}

const noNulls: Nulls = { nullBitmap: undefined, nullCount: 0 };
/**
 * The null count that apache-arrow writes where it has not counted; the format does not define it.
 */
const unknownCount = -1;

/** Reads the columns of a message in order. */
export class ColumnReader {
  readonly #parts: ColumnParts;
  #nextNode = 0;
  #nextBuffer = 0;
  #lastBuffer = 0;
  #nextView = 0;

  constructor(parts: ColumnParts) {
    this.#parts = parts;
  }

  /** Index of the last buffer taken, for errors. */
  get lastBuffer(): number {
    return this.#lastBuffer;
  }

  /** Reads the next column, of the given type. */
  read(type: DataType): Data {
    const { length, nullCount } = this.#node();
    const layout = layoutOf(type);
    if (layout === "null") return makeData({ type, length } as never);
    if (layout === "sparse_union" || layout === "dense_union") {
      return this.#union(type, length, layout === "dense_union");
    }
    const nulls = this.#nulls(length, nullCount);
    return this.#make(type, length, { ...nulls, ...this.#content(type, length, nulls.nullBitmap) });
  }

  /** Reads the buffers and children of a column, after its validity. */
  #content(
    type: DataType,
    length: number,
    nullBitmap: Uint8Array | undefined,
  ): Record<string, unknown> {
    switch (layoutOf(type)) {
      case "bits":
        return { data: this.#buffer(Math.ceil(length / 8)) };
      case "values":
        return {
          data: this.#buffer(length * valueBytes(type)).subarray(0, length * valueBytes(type)),
        };
      case "bytes32": {
        const valueOffsets = this.#offsets32(length);
        return { valueOffsets, data: this.#buffer(valueOffsets[length]!) };
      }
      case "bytes64": {
        const valueOffsets = this.#offsets64(length);
        return { valueOffsets, data: this.#buffer(Number(valueOffsets[length])) };
      }
      case "view": {
        const views = this.#buffer(16 * length).subarray(0, 16 * length);
        const numBuffers = this.#parts.viewBufferCounts[this.#nextView++] ?? 0;
        const first = this.#nextBuffer;
        const variadicBuffers = Array.from({ length: numBuffers }, () => this.#buffer(0));
        checkViews(views, variadicBuffers, nullBitmap);
        for (const [index, buffer] of variadicBuffers.entries()) {
          const codec = this.#parts.rawFrames.get(first + index);
          if (codec !== undefined) {
            checkRawFrame(buffer, viewedBytes(views, index, nullBitmap), codec);
          }
        }
        return { views, variadicBuffers };
      }
      case "list32": {
        const valueOffsets = this.#offsets32(length);
        return { valueOffsets, child: this.#child(type, valueOffsets[length]!) };
      }
      case "list64": {
        const valueOffsets = this.#offsets64(length);
        return { valueOffsets, child: this.#child(type, Number(valueOffsets[length])) };
      }
      case "fixed_list":
        return { child: this.#child(type, length * (type as unknown as ListSize).listSize) };
      case "struct":
        return this.#children(type, length);
      default:
        return this.#dictionary(type as Dictionary, length, nullBitmap);
    }
  }

  #union(type: DataType, length: number, isDense: boolean): Data {
    if (this.#parts.unionsHaveValidity) this.#buffer(0);
    const typeIds = this.#buffer(length).subarray(0, length);
    const places = isDense ? this.#buffer(4 * length).subarray(0, 4 * length) : undefined;
    const offsets = places && new Int32Array(places.buffer, places.byteOffset, length);
    const ownBuffer = this.#lastBuffer;
    const { children } = this.#children(type, isDense ? 0 : length);
    this.#lastBuffer = ownBuffer;
    checkUnion(type, typeIds, offsets, children);
    const { buffer, byteOffset } = typeIds;
    return this.#make(type, length, {
      typeIds: new Int8Array(buffer, byteOffset, length),
      ...(offsets && { valueOffsets: offsets }),
      children,
    });
  }

  #dictionary(
    type: Dictionary,
    length: number,
    nullBitmap: Uint8Array | undefined,
  ): Record<string, unknown> {
    const dictionary = this.#parts.dictionaries.get(type.id);
    if (dictionary === undefined) throw new BrokenPartError("its dictionary is missing");
    const bytes = length * valueBytes(type.indices);
    const { buffer, byteOffset } = this.#buffer(bytes);
    const { ArrayType } = type.indices;
    const data = new ArrayType(buffer, byteOffset, length);
    checkIndices(data, nullBitmap, dictionary.length);
    return { data, dictionary };
  }

  #children(type: DataType, minLength = 0): { children: Data[] } {
    return { children: type.children.map((_, index) => this.#child(type, minLength, index)) };
  }

  #child(type: DataType, minLength: number, index = 0): Data {
    const child = this.read(type.children[index]!.type);
    if (child.length < minLength) {
      throw new BrokenPartError("a nested column is shorter than its parent needs");
    }
    return child;
  }

  #make(type: DataType, length: number, props: Record<string, unknown>): Data {
    return makeData({ type, length, ...props } as never);
  }

  #node(): ColumnNode {
    const node = this.#parts.nodes[this.#nextNode++];
    if (node === undefined) throw new BrokenPartError("its description is missing");
    const { length, nullCount } = node;
    const isCount = nullCount >= 0 && nullCount <= length || nullCount === unknownCount;
    if (!(length >= 0 && length <= 2 ** 31 - 1 && isCount)) {
      throw new BrokenPartError(`it states ${nullCount} nulls in ${length} values`);
    }
    return node;
  }

  #buffer(minBytes: number): Uint8Array<ArrayBuffer> {
    this.#lastBuffer = this.#nextBuffer++;
    const buffer = this.#parts.buffers[this.#lastBuffer];
    if (buffer === undefined || buffer.length < minBytes) {
      throw new BrokenPartError(
        `a buffer has ${buffer?.length ?? 0} bytes, but its rows need ${minBytes}`,
      );
    }
    const codec = this.#parts.rawFrames.get(this.#lastBuffer);
    if (codec !== undefined) checkRawFrame(buffer, minBytes, codec);
    return buffer;
  }

  #nulls(length: number, nullCount: number): Nulls {
    const bitmap = this.#buffer(nullCount > 0 ? Math.ceil(length / 8) : 0);
    const isUnknown = nullCount === unknownCount;
    const isShort = 8 * bitmap.length < length;
    // Without a bitmap there are no nulls.
    if (nullCount <= 0 && bitmap.length === 0 || nullCount === 0 && isShort) return noNulls;
    if (isShort) throw new BrokenPartError(`a bitmap of ${bitmap.length} bytes`);
    const numNulls = length - countBits(bitmap, length);
    if (!isUnknown && numNulls !== nullCount) {
      throw new BrokenPartError(`it states ${nullCount} nulls, but has ${numNulls}`);
    }
    return numNulls === 0 ? noNulls : { nullBitmap: bitmap, nullCount: numNulls };
  }

  /**
   * Reads `length + 1` offsets, without the surplus that some writers add; an empty column may have
   * none.
   */
  #offsets32(length: number): Int32Array {
    const { buffer, byteOffset } = this.#buffer(length === 0 ? 0 : 4 * (length + 1));
    if (length === 0) return new Int32Array(1);
    const offsets = new Int32Array(buffer, byteOffset, length + 1);
    let previous = 0;
    for (let i = 0; i <= length; i++) {
      const offset = offsets[i]!;
      if (offset < previous) {
        throw new BrokenPartError(`the offset of row ${i} lies before another`);
      }
      previous = offset;
    }
    return offsets;
  }

  #offsets64(length: number): BigInt64Array {
    const { buffer, byteOffset } = this.#buffer(length === 0 ? 0 : 8 * (length + 1));
    if (length === 0) return new BigInt64Array(1);
    const words = new Uint32Array(buffer, byteOffset, 2 * (length + 1));
    let previous = 0;
    for (let i = 0; i <= length; i++) {
      const offset = words[2 * i]! + words[2 * i + 1]! * 2 ** 32;
      if (offset < previous || offset > Number.MAX_SAFE_INTEGER) {
        throw new BrokenPartError(`the offset of row ${i} lies before another`);
      }
      previous = offset;
    }
    return new BigInt64Array(buffer, byteOffset, length + 1);
  }
}

/**
 * Checks a buffer that claims to be stored raw but begins like a compressed frame. Throws unless
 * its length, with or without padding, is the one that its rows need, and it does not decompress to
 * these bytes: otherwise it is compressed. A buffer that its rows do not need passes.
 */
function checkRawFrame(buffer: Uint8Array, minBytes: number, codec: BufferCodec): void {
  const { length } = buffer;
  const padded = [1, 8, 64].map((padding) => Math.ceil(minBytes / padding) * padding);
  if (minBytes === 0 || padded.includes(length) && !decompresses(buffer, minBytes, codec)) return;
  throw new BrokenPartError(
    `a compressed buffer of ${length} bytes says that it is not compressed`,
  );
}

function decompresses(buffer: Uint8Array, numBytes: number, codec: BufferCodec): boolean {
  try {
    codec.decode(buffer, numBytes);
    return true;
  } catch {
    return false;
  }
}

interface ListSize {
  readonly listSize: number;
}

/** Counts the nodes and buffers of columns without reading them. */
export class ColumnSkipper {
  /** The totals of the columns skipped so far. */
  nodes = 0;
  buffers = 0;
  views = 0;
  readonly #viewBufferCounts: readonly number[];
  readonly #unionsHaveValidity: boolean;

  constructor(
    { viewBufferCounts, unionsHaveValidity }: Pick<
      ColumnParts,
      "viewBufferCounts" | "unionsHaveValidity"
    >,
  ) {
    this.#viewBufferCounts = viewBufferCounts;
    this.#unionsHaveValidity = unionsHaveValidity;
  }

  /** Skips the next column, of the given type. */
  skip(type: DataType): void {
    this.nodes++;
    this.buffers += this.#ownBuffers(type);
    // The values of a dictionary have a message of their own.
    if (layoutOf(type) === "dictionary") return;
    for (const child of type.children ?? []) this.skip(child.type);
  }

  #ownBuffers(type: DataType): number {
    switch (layoutOf(type)) {
      case "null":
        return 0;
      case "fixed_list":
      case "struct":
        return 1;
      case "bytes32":
      case "bytes64":
        return 3;
      case "view":
        return 2 + (this.#viewBufferCounts[this.views++] ?? 0);
      case "sparse_union":
        return this.#unionsHaveValidity ? 2 : 1;
      case "dense_union":
        return this.#unionsHaveValidity ? 3 : 2;
      default:
        return 2;
    }
  }
}
