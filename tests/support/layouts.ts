/**
 * The layouts that Arrow has for the same values.
 *
 * @module
 */

import {
  type DataType,
  Dictionary,
  Int16,
  Int32,
  Int8,
  LargeUtf8,
  Utf8,
  Utf8View,
} from "apache-arrow";

/** Types with the same values; made anew for each column, as dictionaries have ids. */
type Layouts = readonly [() => DataType, ...(() => DataType)[]];

/** Of text; the first is the plain one. */
export const textLayouts: Layouts = [
  () => new Utf8(),
  () => new LargeUtf8(),
  () => new Utf8View(),
  () => new Dictionary(new Utf8(), new Int16()),
  () => new Dictionary(new LargeUtf8(), new Int32()),
  () => new Dictionary(new Utf8View(), new Int8()),
];
