/**
 * The layouts that Arrow has for the same values.
 *
 * @module
 */

import {
  Binary,
  BinaryView,
  type DataType,
  Dictionary,
  Field,
  Int16,
  Int32,
  Int8,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  Utf8,
  Utf8View,
} from "apache-arrow";

/** Types with the same values; made anew for each column, as dictionaries have ids. */
export type Layouts = readonly [() => DataType, ...(() => DataType)[]];

/** Of text; the first is the plain one, here and below. */
export const textLayouts: Layouts = [
  () => new Utf8(),
  () => new LargeUtf8(),
  () => new Utf8View(),
  () => new Dictionary(new Utf8(), new Int16()),
  () => new Dictionary(new LargeUtf8(), new Int32()),
  () => new Dictionary(new Utf8View(), new Int8()),
];

/** Of bytes. */
export const binaryLayouts: Layouts = [
  () => new Binary(),
  () => new LargeBinary(),
  () => new BinaryView(),
  () => new Dictionary(new Binary(), new Int32()),
];

const item = (type: DataType) => new Field("item", type, true);

/** Of lists of text. */
export const listLayouts: Layouts = [
  () => new List(item(new Utf8())),
  () => new List(item(new LargeUtf8())),
  () => new List(item(new Utf8View())),
  () => new List(item(new Dictionary(new Utf8(), new Int16()))),
  () => new LargeList(item(new Utf8())),
  () => new LargeList(item(new LargeUtf8())),
];
