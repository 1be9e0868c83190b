/**
 * Text of a column as the bytes that it has, whatever the layout: no string is made of it, which
 * could not hold more than 512 MiB.
 *
 * @module
 */

import { type Data, DataType, type Vector } from "apache-arrow";
import { layoutOf } from "./arrow.ts";

/** Takes the bytes [start, stop) of a text. */
type TakeText = (bytes: Uint8Array, start: number, stop: number) => void;

/** Gives the text of a row that is not null. */
type GiveText = (row: number, take: TakeText) => void;

/** Values up to this length lie inside their view. */
const maxInlineBytes = 12;

/**
 * Reads the text of a column of Utf8, LargeUtf8, Utf8View, or of a dictionary of these; undefined
 * for other types.
 */
export function textBytesOf(data: Data): GiveText | undefined {
  const type: DataType = data.type;
  if (DataType.isUtf8View(type)) return viewText(data);
  if (DataType.isDictionary(type)) return dictionaryText(data);
  if (!DataType.isUtf8(type) && !DataType.isLargeUtf8(type)) return undefined;
  const values = data.values as Uint8Array;
  if (layoutOf(type) === "bytes32") {
    const offsets = data.valueOffsets as Int32Array;
    return (row, take) => take(values, offsets[row]!, offsets[row + 1]!);
  }
  const offsets = data.valueOffsets as unknown as BigInt64Array;
  return (row, take) => take(values, Number(offsets[row]), Number(offsets[row + 1]));
}

/** Views: https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout */
function viewText({ values, variadicBuffers }: Data): GiveText {
  const bytes = values as Uint8Array;
  const views = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (row, take) => {
    const at = 16 * row;
    const length = views.getInt32(at, true);
    if (length <= maxInlineBytes) return take(bytes, at + 4, at + 4 + length);
    const start = views.getInt32(at + 12, true);
    take(variadicBuffers[views.getInt32(at + 8, true)]!, start, start + length);
  };
}

function dictionaryText({ dictionary, values }: Data): GiveText | undefined {
  const indices = values as ArrayLike<number | bigint>;
  const chunks = (dictionary as Vector).data;
  const texts: GiveText[] = [];
  for (const chunk of chunks) {
    const text = textBytesOf(chunk);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  const [only] = texts;
  if (only !== undefined && texts.length === 1) {
    return (row, take) => only(Number(indices[row]), take);
  }
  return (row, take) => {
    let index = Number(indices[row]);
    let chunk = 0;
    while (index >= chunks[chunk]!.length) index -= chunks[chunk++]!.length;
    texts[chunk]!(index, take);
  };
}
