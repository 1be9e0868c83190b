/**
 * Replaces the types of a schema that apache-arrow does not decode, where the schema says of values that
 * are stored in another way what they are.
 *
 * @module
 */

import { type FlatTable, rootTable } from "./flat_table.ts";

const nullType = 1;
/** The last type that apache-arrow knows, and one before it that it does not. */
const lastKnown = 24;
const runEndEncoded = 22;
/** Lists that have the same values, and the same parameters, none. */
const listTypes: ReadonlyMap<number, number> = new Map([[25, 12], [26, 21]]);
/** Fields nested deeper are as they are. */
const mostDepth = 64;

/** The message of a schema, without the marker and the length in front of it. */
interface SchemaMessage {
  readonly message: Uint8Array;
  /** Whether no type was replaced. */
  readonly isAsWritten: boolean;
}

/** Returns the message, in which views of lists are lists, and other types that are not known null. */
export function withKnownTypes(message: Uint8Array): SchemaMessage {
  const fields = rootTable(message).table(2)?.tables(1) ?? [];
  const unknown = [...unknownTypes(fields, mostDepth)];
  const known = unknown.length === 0 ? message : message.slice();
  for (const [place, type] of unknown) known[place] = type;
  return { message: known, isAsWritten: unknown.length === 0 };
}

/** Yields the places of unknown types, and the bytes to put there. */
function* unknownTypes(
  fields: Iterable<FlatTable>,
  depth: number,
): Generator<readonly [place: number, type: number], void, void> {
  if (depth === 0) return;
  for (const field of fields) {
    const type = field.byte(2);
    if (type === runEndEncoded || type > lastKnown) {
      yield [field.placeOf(2), listTypes.get(type) ?? nullType];
    }
    yield* unknownTypes(field.tables(5), depth - 1);
  }
}
