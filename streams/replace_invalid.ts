/** @module */

import { Data, DataType, makeData, RecordBatch, Struct, Vector } from "apache-arrow";
import { soundTexts } from "./sound_text.ts";
import type { OpenOptions, Source } from "./source.ts";

/**
 * The same source, with U+FFFD for what is not UTF-8 in its text: plain, of 64-bit offsets, in
 * dictionaries and in nested columns. Text in views is passed on as it is.
 */
export function replaceInvalid(source: Source): Source {
  return {
    get name() {
      return source.name;
    },
    get canSeek() {
      return source.canSeek;
    },
    get bytesRead() {
      return source.bytesRead;
    },
    get numBytes() {
      return source.numBytes;
    },
    schema: () => source.schema(),
    numRows: () => source.numRows(),
    async *open(options: OpenOptions) {
      for await (const batch of source.open(options)) yield soundBatch(batch);
    },
  };
}

function soundBatch(batch: RecordBatch): RecordBatch {
  const children = batch.data.children.map(soundData);
  if (children.every((child, index) => child === batch.data.children[index])) return batch;
  const { length, nullCount, nullBitmap } = batch.data;
  const type = new Struct(batch.schema.fields);
  const data = makeData({ type, length, nullCount, nullBitmap: nullBitmap ?? null, children });
  return new RecordBatch(batch.schema, data);
}

/** The same data where its text is UTF-8. */
function soundData(data: Data): Data {
  const { type } = data;
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) return soundStrings(data);
  const dictionary = data.dictionary && soundDictionary(data.dictionary);
  const children = data.children.map(soundData);
  const isSame = dictionary === data.dictionary &&
    children.every((child, index) => child === data.children[index]);
  if (isSame) return data;
  const { offset, length, nullCount, buffers } = data;
  return new Data(type, offset, length, nullCount, buffers, children, dictionary);
}

const dictionaries = new WeakMap<Vector, Vector>();

/** The values of a dictionary are looked at once, however many batches use it. */
function soundDictionary(dictionary: Vector): Vector {
  let sound = dictionaries.get(dictionary);
  if (sound === undefined) {
    const chunks = dictionary.data.map(soundData);
    const isSame = chunks.every((chunk, index) => chunk === dictionary.data[index]);
    dictionaries.set(dictionary, sound = isSame ? dictionary : new Vector(chunks));
  }
  return sound;
}

function soundStrings(data: Data): Data {
  const { type, offset, length, nullCount, nullBitmap } = data;
  if (length === 0) return data;
  const valueOffsets = data.valueOffsets as Int32Array | BigInt64Array;
  const first = Number(valueOffsets[0]);
  const offsets = new Float64Array(length + 1);
  for (let row = 0; row <= length; row++) offsets[row] = Number(valueOffsets[row]) - first;
  const texts = { data: (data.values as Uint8Array).subarray(first), offsets };
  const sound = soundTexts(texts);
  if (sound === texts) return data;
  const isWide = valueOffsets instanceof BigInt64Array;
  if (!isWide && sound.data.length >= 2 ** 31) {
    throw new RangeError("Text with U+FFFD in the place of invalid bytes needs 64-bit offsets");
  }
  const soundOffsets = isWide
    ? BigInt64Array.from(sound.offsets, BigInt)
    : Int32Array.from(sound.offsets);
  const buffers = [soundOffsets, sound.data, nullBitmap] as never;
  return new Data(type, offset, length, nullCount, buffers);
}
