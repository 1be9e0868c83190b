/**
 * Splits a data page into levels and values.
 *
 * @module
 */

import { bitPacked, type Leaf, type PageHeader } from "../metadata/metadata.ts";
import { decompress } from "./decompress.ts";
import { hybridLevels, oldLevelBytes, oldLevels } from "./levels.ts";
import { PageFactError } from "../../../../base/errors/data_error.ts";
import type { DataHeader, Page } from "./pages_in.ts";

/** The levels of each value; absent where all are 0. */
interface PageLevels {
  readonly repetition: Uint8Array | undefined;
  readonly definition: Uint8Array | undefined;
}

/** A data page, decompressed. */
export interface PageParts extends PageLevels {
  readonly numValues: number;
  readonly encoding: number;
  /** The repetition levels, still encoded. */
  readonly encodedRepetition: Uint8Array;
  /** The encoded values that are not null. */
  readonly values: Uint8Array;
}

/** Splits a data page of a leaf. Throws a PageFactError if it is broken. */
export async function pageParts(
  bytes: Uint8Array,
  page: Page,
  data: DataHeader,
  leaf: Leaf,
  codec: number | undefined,
): Promise<PageParts> {
  const { numValues, encoding, second } = data;
  if (second === undefined) {
    const body = bytes.subarray(page.body, page.stop);
    const whole = await decompress(body, codec, page.header.uncompressedBytes!);
    return { numValues, encoding, ...partsOfFirst(whole, page.header, numValues, leaf) };
  }
  const { isCompressed = true } = second;
  const encoded = encodedLevels(bytes, page, data, leaf);
  const decode = (most: number, own: Uint8Array) =>
    most === 0 ? undefined : hybridLevels(own, most, numValues);
  const repetition = decode(leaf.maxRepetition, encoded.repetition);
  const definition = decode(leaf.maxDefinition, encoded.definition);
  const packed = bytes.subarray(encoded.stop, page.stop);
  const size = page.header.uncompressedBytes! - (encoded.stop - page.body);
  const values = isCompressed ? await decompress(packed, codec, size) : packed;
  return {
    numValues,
    encoding,
    repetition,
    encodedRepetition: encoded.repetition,
    definition,
    values,
  };
}

/** Splits a version 1 page: levels follow their length, unless they are in the old encoding. */
function partsOfFirst(
  bytes: Uint8Array,
  { dataPage }: PageHeader,
  numValues: number,
  { maxRepetition, maxDefinition }: Leaf,
): PageLevels & Pick<PageParts, "values" | "encodedRepetition"> {
  let position = 0;
  const take = (most: number, encoding: number | undefined) => {
    if (most === 0) return { encoded: bytes.subarray(0, 0), levels: undefined };
    const isOld = encoding === bitPacked;
    if (!isOld && position + 4 > bytes.length) throw new PageFactError("a page lacks its levels");
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const start = position + (isOld ? 0 : 4);
    const length = isOld ? oldLevelBytes(most, numValues) : view.getUint32(position, true);
    position = start + length;
    if (position > bytes.length) throw new PageFactError("a page has levels beyond its end");
    const encoded = bytes.subarray(start, position);
    const decode = isOld ? oldLevels : hybridLevels;
    return { encoded, levels: decode(encoded, most, numValues) };
  };
  const repetition = take(maxRepetition, dataPage?.repetitionEncoding);
  const definition = take(maxDefinition, dataPage?.definitionEncoding);
  return {
    repetition: repetition.levels,
    encodedRepetition: repetition.encoded,
    definition: definition.levels,
    values: bytes.subarray(position),
  };
}

/** The encoded levels of a version 2 page, which are not compressed. */
interface EncodedLevels {
  readonly repetition: Uint8Array;
  readonly definition: Uint8Array;
  /** The byte after them. */
  readonly stop: number;
}

/** Finds the levels of a version 2 page. Throws a PageFactError if their lengths are wrong. */
export function encodedLevels(
  bytes: Uint8Array,
  { header, body, stop, index }: Page,
  { second }: DataHeader,
  { maxRepetition, maxDefinition }: Leaf,
): EncodedLevels {
  const { repetitionBytes = 0, definitionBytes = 0 } = second!;
  const numBytes = repetitionBytes + definitionBytes;
  const isValid = repetitionBytes >= 0 && definitionBytes >= 0 &&
    numBytes <= Math.min(stop - body, header.uncompressedBytes!) &&
    (maxRepetition > 0 || repetitionBytes === 0) && (maxDefinition > 0 || definitionBytes === 0);
  if (!isValid) {
    throw new PageFactError(
      `the header of page ${index} states levels of ${repetitionBytes} and ${definitionBytes} bytes`,
    );
  }
  const middle = body + repetitionBytes;
  return {
    repetition: bytes.subarray(body, middle),
    definition: bytes.subarray(middle, body + numBytes),
    stop: body + numBytes,
  };
}
