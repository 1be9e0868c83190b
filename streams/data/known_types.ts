/**
 * Replaces the types in an encoded schema that apache-arrow does not decode. This suits schemas
 * that only describe values stored in another format.
 *
 * @module
 */

import { type FlatTable, rootTable } from "./flat_table.ts";

const nullType = 1;
/** The last type that apache-arrow knows, and an earlier one that it does not. */
const lastKnown = 24;
const runEndEncoded = 22;
/** List views, and the lists that have the same values. None of them has parameters. */
const listTypes: ReadonlyMap<number, number> = new Map([[25, 12], [26, 21]]);
/** Fields nested deeper than this are left unchanged. */
const mostDepth = 64;

/** The message of a schema, without the marker and the length before it. */
interface SchemaMessage {
  readonly message: Uint8Array;
  /** Whether all types are as written. */
  readonly isAsWritten: boolean;
}

/** Returns the message with list views replaced by lists, and other unknown types by null. */
export function withKnownTypes(message: Uint8Array): SchemaMessage {
  const fields = rootTable(message).table(2)?.tables(1) ?? [];
  const unknown = [...unknownTypes(fields, mostDepth)];
  const known = unknown.length === 0 ? message : message.slice();
  for (const [place, type] of unknown) known[place] = type;
  return { message: known, isAsWritten: unknown.length === 0 };
}

/** Yields the byte offsets of unknown types, and the types to put there. */
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
